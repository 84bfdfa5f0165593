// Functions that return from loops, switches and nested conditions, and that have to be inlined.
#include <cstdio>
#define N 32

__device__ void cell_of_block(int n, int *row, int *column)
{
    int i = 0;
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c <= r; ++c) {
            if (i == blockIdx.x) {
                *row = r;
                *column = c;
                return;
            }
            ++i;
        }
    }
    *row = -1;
    *column = -1;
}

__device__ int find(const int *values, int n, int wanted)
{
    for (int i = 0; i < n; ++i)
        if (values[i] == wanted + int(threadIdx.x) % 3)
            return i;
    return -1;
}

__device__ int name_of(int kind)
{
    switch (kind + int(threadIdx.x) % 2) {
    case 0:
        return 10;
    case 1: {
        int wide = 20;
        return wide + kind;
    }
    case 2:
        kind *= 2;
        break;
    default:
        return 40;
    }
    return kind;
}

__device__ int nested(int a)
{
    if (a > 4) {
        if (a > 20)
            return 1;
        a += threadIdx.x;
    } else if (a == 3) {
        return 7;
    }
    a *= 2;
    {
        int b = a + 1;
        if (b % 3 == 0)
            return b;
    }
    return a;
}

__device__ int &slot(int *table, int key)
{
    int place = key % 8;
    while (true) {
        if (table[place] == key || table[place] == 0)
            return table[place];
        place = (place + 1 + blockIdx.x * 0) % 8;
    }
}

__device__ bool early(int *s, int n)
{
    if (n == 0)
        return false;
    s[threadIdx.x] += n;
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        int other = s[(threadIdx.x + i) % N];
        __syncthreads();
        if (i == n)
            return true;
        s[threadIdx.x] += other;
        __syncthreads();
    }
    return false;
}

__global__ void all(int *out, const int *values)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int row, column;
    cell_of_block(3, &row, &column);
    int place = find(values, 12, t % 5);
    int table[8] = {0};
    slot(table, 3) = 3;
    slot(table, 11) = 11;
    int &third = slot(table, 19);
    third = 19;
    third += 1;
    bool ended = early(s, blockIdx.x % 3);
    int *mine = out + (blockIdx.x * N + t) * 8;
    mine[0] = row;
    mine[1] = column;
    mine[2] = place;
    mine[3] = name_of(t % 4);
    mine[4] = nested(t);
    mine[5] = table[3] + 100 * table[4] + 10000 * table[5];
    mine[6] = s[N - 1 - t];
    mine[7] = ended;
}

int main()
{
    int *out, *values, host[6 * N * 8], given[12];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&values, sizeof given);
    for (int i = 0; i < 12; ++i)
        given[i] = (i * 5 + 1) % 7;
    cudaMemcpy(values, given, sizeof given, cudaMemcpyHostToDevice);
    all<<<6, N>>>(out, values);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6 * N; ++i) {
        for (int k = 0; k < 8; ++k)
            printf("%d ", host[i * 8 + k]);
        printf("\n");
    }
}
