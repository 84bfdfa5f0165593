// One block, whose threads are a loop: what they add to one element needs no atomics.
// g2o-verify: centred<<<1, 16>>>(n = 12, x = [n], scale = [n], y = [n])

__global__ void centred(const float *x, const float *scale, float *y, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    float mean = 0.0f;
    for (int k = 0; k < n; k++)
        mean += x[k];
    mean /= n;
    y[i] = scale[i] * (x[i] - mean);
}

void run(const float *x, const float *scale, float *y, int n)
{
    centred<<<1, 16>>>(x, scale, y, n);
}
