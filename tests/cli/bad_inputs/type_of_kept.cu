template <class T> __device__ int width() { return sizeof(T); }
__global__ void k(float *o)
{
    __shared__ float s[64];
    float x = o[threadIdx.x];
    s[threadIdx.x] = x;
    __syncthreads();
    x += width<decltype(x)>();
    o[threadIdx.x] = x + s[63 - threadIdx.x];
}
