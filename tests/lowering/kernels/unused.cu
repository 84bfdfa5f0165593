// What only fed a guard, or nothing at all, goes with the statements that set it.
__global__ void unused(float *y, const float *x, int n) {
    const int thread = threadIdx.x;
    const int warp = thread / 32; // of the thread
    int sum = 0;
    float buffer[4];
    const int i = blockIdx.x * blockDim.x + thread;
    if (i >= n)
        return;
    sum += i;
    const float &same = x[i];
    y[i] = x[i] + 1.0f;
}
