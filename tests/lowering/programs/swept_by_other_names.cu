// Sweeps that leave prefix sums, with what is needed of them beside the sums of the array.
#include <cstdio>

#define ITEMS 16
#define THREADS 8

// The place of the total is a sum on the way.
__global__ void by_element(const int *in, int *out, int *totals)
{
    __shared__ int tree[ITEMS];
    int t = threadIdx.x;
    tree[2 * t] = in[2 * t];
    tree[2 * t + 1] = in[2 * t + 1];
    int offset = 1;
    for (int d = ITEMS / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            tree[right] += tree[left];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        totals[tree[0]] = tree[ITEMS - 1];
        tree[ITEMS - 1] = 0;
    }
    for (int d = 1; d < ITEMS; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    out[2 * t] = tree[2 * t];
    out[2 * t + 1] = tree[2 * t + 1];
}

// The total is a shared variable, which has another name.
__global__ void by_pointer(const int *in, int *out)
{
    __shared__ int tree[ITEMS];
    __shared__ int total;
    const int *all = &total;
    int t = threadIdx.x;
    tree[2 * t] = in[2 * t];
    tree[2 * t + 1] = in[2 * t + 1];
    int offset = 1;
    for (int d = ITEMS / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            tree[right] += tree[left];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        total = tree[ITEMS - 1];
        tree[ITEMS - 1] = 0;
    }
    for (int d = 1; d < ITEMS; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    out[2 * t] = tree[2 * t] + *all;
    out[2 * t + 1] = tree[2 * t + 1] - *all;
}

int main()
{
    int *in, *out, *totals;
    cudaMallocManaged(&in, ITEMS * sizeof(int));
    cudaMallocManaged(&out, ITEMS * sizeof(int));
    cudaMallocManaged(&totals, 8 * sizeof(int));
    for (int i = 0; i < ITEMS; ++i)
        in[i] = 3 + i * i % 17;
    for (int i = 0; i < 8; ++i)
        totals[i] = -1;
    by_element<<<1, THREADS>>>(in, out, totals);
    cudaDeviceSynchronize();
    for (int i = 0; i < ITEMS; ++i)
        printf("%d %d\n", out[i], totals[i % 8]);
    by_pointer<<<1, THREADS>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < ITEMS; ++i)
        printf("%d\n", out[i]);
    return 0;
}
