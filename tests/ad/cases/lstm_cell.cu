// A cell with gates: shared sub-expressions, and a state that is updated in place.
// g2o-verify: lstm<<<2, 16>>>(n = 30, gates = [4 * n : -1 .. 1], c = [n], h = [n])
__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

__global__ void lstm(const float *gates, float *c, float *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float input = sigmoid(gates[i]), forget = sigmoid(gates[n + i]);
    float output = sigmoid(gates[2 * n + i]), update = tanhf(gates[3 * n + i]);
    c[i] = forget * c[i] + input * update;
    h[i] = output * tanhf(c[i]);
}
