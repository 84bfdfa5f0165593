#define THREADS 64

// The first barrier, the store to `own` and the shared scalar go; the second barrier stays.
__global__ void reversed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float own[THREADS];
    __shared__ float all[THREADS];
    __shared__ float scale;
    int t = threadIdx.x;
    if (t == 0)
        scale = x[0] / n;
    own[t] = x[t];
    __syncthreads();
    all[t] = scale * own[t];
    __syncthreads();
    y[t] = all[THREADS - 1 - t];
}

// The last thread reads what the first one may not have written yet.
__global__ void racy(float *__restrict__ y)
{
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    y[t] = s[THREADS - 1 - t];
}

// Indices from memory are not known to differ.
__global__ void scattered(const int *__restrict__ place, int *__restrict__ count)
{
    count[place[threadIdx.x]] = threadIdx.x;
}

void launches(const float *x, float *y, const int *place, int *count, int n)
{
    reversed<<<1, THREADS>>>(x, y, n);
    racy<<<1, THREADS>>>(y);
    scattered<<<1, THREADS>>>(place, count);
}
