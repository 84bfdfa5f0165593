__global__ void reversed(float *y, const float *x, int n) {
    struct Row {
        const float *x;
        int n;
        __device__ float last() const { return x[n - 1 - threadIdx.x]; }
    };
    Row row{x, n};
    y[threadIdx.x] = row.last();
}

void launch(float *y, const float *x) { reversed<<<1, 64>>>(y, x, 64); }
