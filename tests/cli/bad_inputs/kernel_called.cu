// nvcc takes a call through a pointer; what it calls starts no thread.
__global__ void fill(float *x) { x[threadIdx.x] = 1.0f; }

static void on_host(float *) {}

template <class F> void timed(F f, float *x) { f(x); }

int main()
{
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));
    timed(on_host, x);
    timed([](float *y) { fill<<<1, 32>>>(y); }, x);
    void (*pointer)(float *) = fill;
    pointer<<<1, 32>>>(x);
}

void wrong(float *x)
{
    timed(fill, x);
    void (*pointer)(float *) = &fill;
    pointer(x);
}
