// Specialisations and overloads of device functions, and branches that types decide.
#include <type_traits>
template <typename Td, typename Ts> __device__ Td cast_value(Ts val);
template <> __device__ float cast_value<float, float>(float val) { return val; }
template <> __device__ double cast_value<double, float>(float val) { return 2.0 * val; }
template <typename T> __device__ T twice(T v)
{
    if constexpr (std::is_same_v<T, float>)
        return v + v;
    else
        return v * v;
}
__device__ float act(float x) { return tanhf(x); }
__device__ double act(double x) { return sin(x); }
// g2o-verify: casts<<<2, 8>>>(x = [16], y = [16], z = [16])
__global__ void casts(const float *x, float *y, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = cast_value<float, float>(x[i]) * twice(x[i]) * act(x[i]);
    double w = cast_value<double>(x[i]);
    z[i] = twice(w) * act(w);
}
