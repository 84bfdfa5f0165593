struct Base {
    double v;
    __device__ void set(double a)
    {
        v = a;
        __syncthreads();
    }
};
struct Derived : Base {
    double v;
};
__global__ void k(double *y)
{
    Derived d;
    d.v = 2;
    d.set(threadIdx.x + 1);
    y[threadIdx.x] = d.v * d.Base::v;
}
