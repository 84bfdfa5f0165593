// What `auto` stands for depends on the arguments of the template: nobody knows the shadow's type.
template <class T> __global__ void doubled(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        auto v = x[i] * 2.0; // refused: whose type depends on the template's arguments
        y[i] = v * v;
    }
}
