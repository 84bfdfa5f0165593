// One row of attention a thread, with the running maximum and sum of online softmax.
// g2o-verify: attention<<<2, 8>>>(n = 12, d = 4, q = [n * d], k = [n * d], v = [n * d],
//     out = [n * d])
#define MAX_WIDTH 8

__global__ void attention(const double *q, const double *k, const double *v, double *out, int n,
                          int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = -1e30, sum = 0.0, mixed[MAX_WIDTH];
    for (int c = 0; c < d; ++c)
        mixed[c] = 0.0;
    for (int j = 0; j <= i; ++j) {
        double score = 0.0;
        for (int c = 0; c < d; ++c)
            score += q[i * d + c] * k[j * d + c];
        double larger = fmax(largest, score);
        double correction = exp(largest - larger), weight = exp(score - larger);
        sum = sum * correction + weight;
        for (int c = 0; c < d; ++c)
            mixed[c] = mixed[c] * correction + weight * v[j * d + c];
        largest = larger;
    }
    for (int c = 0; c < d; ++c)
        out[i * d + c] = mixed[c] / sum;
}
