// What a macro names keeps that name beside what changes.
#define FAR (14000)
#define LAST (n - 1)
#define INSIDE(x) ((x) < n && (x) != 3)

__global__ void nearest(int *y, const int *x, int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < n; k += 64) {
        int least = FAR;
        if (INSIDE(i))
            least = x[LAST - i - k];
        s[threadIdx.x] = least;
        __syncthreads();
        if (INSIDE(i) and not(threadIdx.x < 3 or y[i] == FAR))
            y[i] = min(least, s[63 - threadIdx.x]);
        __syncthreads();
    }
}

void launch(int *y, const int *x, int n)
{
    nearest<<<(n + 63) / 64, 64>>>(y, x, n);
}
