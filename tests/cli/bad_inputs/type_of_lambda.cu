// A function that names the type of a lambda cannot be inlined.
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
