// No lambda copies shared memory; a function that names the type of one cannot be inlined.
__global__ void mirrored(float *x)
{
    __shared__ float s[64];
    auto get = [=](int i) { return s[i]; };
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = get(63 - threadIdx.x);
}
void run(float *x) { mirrored<<<1, 64>>>(x); }
template <class F> __device__ void twice(F f)
{
    F copy = f;
    f(threadIdx.x);
    copy(threadIdx.x);
}
__global__ void doubled(float *x)
{
    twice([&](int i) { x[i] += 1; });
}
void run_too(float *x) { doubled<<<1, 64>>>(x); }
