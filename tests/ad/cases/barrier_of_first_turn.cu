// A barrier that the kernel can do without, as the first turn reads what is its own, and its reverse sweep needs.
// g2o-verify: k16<<<2, 16>>>(x = [40], y = [40])
__global__ void k16(const float *x, float *y)
{
    int t = threadIdx.x;
    int i = blockIdx.x * 16 + t;
    __shared__ float s5[16];
    s5[t] = x[i];
    float v = x[i];
    for (int j6 = 0; j6 < 2; ++j6) {
        __syncthreads();
        v = 0.5f * v + 0.3f * sinf(s5[(t + j6) % 16]);
        __syncthreads();
        s5[t] = v;
        __syncthreads();
    }
    s5[t] = 1;
    y[i] = v * v;
}
void host_k16(const float *x, float *y) { k16<<<2, 16>>>(x, y); }
