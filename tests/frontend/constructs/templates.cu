// out: 12 11 10 9 12 11 10 9
template <typename T, int N> struct Vec {
    T v[N];
    __device__ T &operator[](int i) { return v[i]; }
    __device__ const T &operator[](int i) const { return v[i]; }
};
template <typename T> __device__ T sum(const Vec<T, 3> &v)
{
    T total = T(0);
    for (int i = 0; i < 3; ++i)
        total += v[i];
    return total;
}
template <typename T, int SIZE> __device__ void mirror(T (&s)[SIZE], int t)
{
    T x = s[SIZE - 1 - t];
    __syncthreads();
    s[t] = x;
    __syncthreads();
}
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    Vec<int, 3> v;
    v[0] = 1; v[1] = threadIdx.x; v[2] = n;
    s[threadIdx.x] = sum(v);
    __syncthreads();
    mirror(s, threadIdx.x);
    out[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];
}
