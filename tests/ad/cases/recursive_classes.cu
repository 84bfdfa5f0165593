// Recursion by templates of classes, which ends where one is specialised.
// g2o-verify: by_templates<<<1, 32>>>(x = [32], y = [32])
template <int D> struct Power {
    __device__ static double of(double v) { return v * Power<D - 1>::of(v) + D; }
};
template <> struct Power<0> {
    __device__ static double of(double) { return 1.0; }
};

__global__ void by_templates(const double *x, double *y)
{
    y[threadIdx.x] = Power<3>::of(x[threadIdx.x]);
}
