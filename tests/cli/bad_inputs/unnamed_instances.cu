// An instance for a lambda cannot be spelled, so that no instances can take the template's place.
struct Turn {
    int shift;
    __device__ void operator()(int *x) const { x[threadIdx.x] = shift; }
};
template <typename F> __global__ void apply(F f, int *x) { f(x); }
void run(int *x)
{
    auto clear = [] __device__(int *x) { x[0] = 0; };
    apply<<<1, 1>>>(clear, x);
    apply<<<1, 64>>>(Turn{4}, x);
}
