template <class T>
__device__ T offset(int i)
{
    return T(threadIdx.x + i);
}

template <>
__device__ double offset<double>(int i)
{
    return threadIdx.x * 2.0 + i;
}

template <class T>
__global__ void shift(T *x)
{
    x[threadIdx.x] = offset<T>(1);
}
