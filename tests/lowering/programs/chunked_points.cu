// Loops that threads without barriers go through together: what each keeps for itself.
#include <cstdio>

#define FEATURES 4

__constant__ float centres[8 * FEATURES];

// Values of features lie apart, those of neighbouring points together.
__global__ void nearest(const float *points, int *chosen, float *distances, int *moved, int n,
                        int count) {
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= n)
        return;
    int best = -1;
    float least = 1e30f;
    for (int c = 0; c < count; c++) {
        float distance = 0.0f;
        for (int f = 0; f < FEATURES; f++) {
            float d = points[f * n + point] - centres[c * FEATURES + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    distances[point] = least;
    if (chosen[point] != best) {
        chosen[point] = best;
        atomicAdd(moved, 1);
    }
}

// A counter that outlives its loop, and one loop behind the other.
__global__ void columns(const float *matrix, float *sums, int rows, int columns) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns)
        return;
    float sum = 0.0f;
    int seen = 0;
    for (int i = 0; i < rows; ++i) {
        float value = matrix[i * columns + j];
        if (value > 0.5f) {
            sum += value;
            ++seen;
        }
    }
    float mean = seen > 0 ? sum / seen : 0.0f;
    float spread = 0.0f;
    for (int i = 0; i < rows; ++i)
        spread += fmaxf(matrix[i * columns + j] - mean, 0.0f);
    sums[j] = mean + spread;
}

int main() {
    const int n = 203, count = 7;
    float *points, *distances, host[8 * FEATURES];
    int *chosen, *moved;
    cudaMallocManaged(&points, n * FEATURES * sizeof(float));
    cudaMallocManaged(&distances, n * sizeof(float));
    cudaMallocManaged(&chosen, n * sizeof(int));
    cudaMallocManaged(&moved, sizeof(int));
    for (int i = 0; i < n * FEATURES; ++i)
        points[i] = (i * 37 % 101) / 100.0f;
    for (int i = 0; i < 8 * FEATURES; ++i)
        host[i] = (i * 53 % 97) / 96.0f;
    for (int i = 0; i < n; ++i)
        chosen[i] = i % 5;
    *moved = 0;
    cudaMemcpyToSymbol(centres, host, sizeof(host));
    nearest<<<(n + 31) / 32, 32>>>(points, chosen, distances, moved, n, count);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%d %g\n", chosen[i], distances[i]);
    printf("%d\n", *moved);
    columns<<<2, 128>>>(points, distances, FEATURES, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%g\n", distances[i]);
    cudaFree(points);
    cudaFree(distances);
    cudaFree(chosen);
    cudaFree(moved);
    return 0;
}
