// Lanes of a warp that move elements of one array: all of them read before one of them writes.
#include <cstdio>

__global__ void permute(const int *rank, float2 *out, int *sums) {
    __shared__ float2 s[32];
    __shared__ int places[32];
    __shared__ int totals[32];
    int t = threadIdx.x;
    s[t] = make_float2(t, -t);
    places[t] = rank[t];
    totals[t] = t;
    __syncthreads();
    if (t < 16)
        s[places[t]] = s[t];
    totals[places[t]] += totals[t] * 2;
    __syncthreads();
    out[t] = s[t];
    sums[t] = totals[t];
}

int main() {
    int rank[32], sums[32], *d_rank, *d_sums;
    float2 out[32], *d_out;
    for (int i = 0; i < 32; ++i)
        rank[i] = i < 16 ? (i * 5 + 3) % 16 : i * 7 % 16 + 16;
    cudaMalloc(&d_rank, sizeof rank);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_rank, rank, sizeof rank, cudaMemcpyHostToDevice);
    permute<<<1, 32>>>(d_rank, d_out, d_sums);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    int good = 0;
    for (int i = 0; i < 16; ++i)
        good += out[rank[i]].x == i && out[rank[i]].y == -i && sums[rank[i]] == rank[i] + 2 * i;
    for (int i = 16; i < 32; ++i)
        good += out[i].x == i && sums[rank[i]] == rank[i] + 2 * i;
    printf("%d of 32 moved\n", good);
}
