// Each value of e is the same for all threads, but they need not be in the same iteration.
__global__ void own_iterations(float *y, const int *q, int n)
{
    __shared__ float s[64];
    int e = 0;
    for (int i = 0; i < n; i++) {
        e = q[i] * e + 1;
        if (threadIdx.x == 0)
            s[e] = 3; // race
        if (threadIdx.x == 1)
            y[i] = s[e + 1]; // race
    }
}

void launches(float *y, const int *q, int n) { own_iterations<<<1, 64>>>(y, q, n); }
