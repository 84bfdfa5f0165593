// What the lambda has captured is not what it would capture behind the barrier.
__global__ void k(float *x)
{
    int n = threadIdx.x;
    auto later = [n](float v) { return v + n; };
    n += int(x[0]);
    __syncthreads();
    x[threadIdx.x] = later(x[n]);
}

// The reference stands for what changes.
__global__ void of_a_reference(float *x)
{
    float n = x[threadIdx.x], &same = n;
    auto later = [=](float v) { return v + same; };
    n += 100;
    __syncthreads();
    x[threadIdx.x] = later(x[3]);
}
