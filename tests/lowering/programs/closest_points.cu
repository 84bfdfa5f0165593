// The three points that are closest to each query, in order: threads become strips of neighbours, and
// the comment behind the declaration of the index is said of what the strip is gone through by.

#include <cstdio>

#define POINTS 512
#define AXES 64

__device__ float distance(const float *a, const float *b, int axes)
{
    float sum = 0.0f;
    for (int i = 0; i < axes; ++i) {
        float difference = a[i] - b[i];
        sum += difference * difference;
    }
    return sqrtf(sum);
}

__global__ void closest(const float *__restrict__ points, const float *__restrict__ queries,
                        int *__restrict__ found, int n)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x; // below n
    if (query >= n)
        return;

    const float *own = &queries[query * AXES];
    float best[3];
    int who[3];
    for (int k = 0; k < 3; ++k) {
        best[k] = 1e30f;
        who[k] = -1;
    }
    for (int j = 0; j < POINTS; ++j) {
        const float *point = &points[j * AXES];
        float away = distance(own, point, AXES);
        for (int k = 0; k < 3; ++k) {
            if (away < best[k]) {
                for (int s = 2; s > k; --s) {
                    best[s] = best[s - 1];
                    who[s] = who[s - 1];
                }
                best[k] = away;
                who[k] = j;
                break;
            }
        }
    }
    for (int k = 0; k < 3; ++k)
        found[query * 3 + k] = who[k];
}

int main()
{
    const int n = 9;
    float *points, *queries;
    int *found;
    cudaMallocManaged(&points, POINTS * AXES * sizeof(float));
    cudaMallocManaged(&queries, n * AXES * sizeof(float));
    cudaMallocManaged(&found, n * 3 * sizeof(int));
    for (int i = 0; i < POINTS * AXES; i++)
        points[i] = i * 7919 % 1000;
    for (int i = 0; i < n * AXES; i++)
        queries[i] = i * 5471 % 1000;
    closest<<<1, 32>>>(points, queries, found, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        printf("%d %d %d\n", found[3 * i], found[3 * i + 1], found[3 * i + 2]);
    cudaFree(points);
    cudaFree(queries);
    cudaFree(found);
}
