// Numbers without a sign of which a part falls away: what is below zero still wraps round.
#include <cstdio>

__global__ void near(int *out) {
    for (int l = 0; l < 8; l += 2)
        out[threadIdx.y * 8 + l] =
            (threadIdx.x * 8 + threadIdx.y * 8 + l) - 9 < 20 ? 5 : 0;
    out[threadIdx.y * 8 + 1] = (threadIdx.x + threadIdx.y * 8) - 9 < 20;
    out[threadIdx.y * 8 + 3] = (threadIdx.x + (threadIdx.y - 2)) / 3u % 1000;
    out[threadIdx.y * 8 + 5] = (blockIdx.x + threadIdx.y - 3) > 7;
}

int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i)
        out[i] = -1;
    near<<<1, dim3(1, 4)>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d ", out[i]);
    printf("\n");
}
