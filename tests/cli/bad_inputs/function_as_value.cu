// A function that needs the launch is inlined: nothing is left for its name to mean.
typedef void (*Step)(float *);

__device__ void own(float *x) { x[threadIdx.x] += 1.0f; }
__device__ float twice(float x) { return 2.0f * x; }

__device__ Step table[] = {own};

template <Step step> __global__ void run(float *x) { step(x); }
template <Step step> void start(float *x) { run<step><<<1, 32>>>(x); }
template <float (*f)(float)> __global__ void map(float *x) { x[threadIdx.x] = f(x[threadIdx.x]); }
template <class F> __device__ void apply(F f, float *x) { f(x); }
template <Step step> __device__ void inside(float *x) { step(x); }

__global__ void by_name(float *x)
{
    Step step = own;
    step(x);
}

__global__ void by_argument(float *x)
{
    apply(own, x);
    inside<own>(x); // this one is known
}

int main()
{
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));
    run<own><<<1, 32>>>(x);
    start<own>(x);
    map<twice><<<1, 32>>>(x); // needs no launch: stays a function
}
