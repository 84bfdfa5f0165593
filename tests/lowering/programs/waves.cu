#include <cstdio>

// Waves of threads along the anti-diagonals of a tile: rows, where those come to the same.
#define TILE 16
#define ROWS 8
#define COLS 24

__device__ int best(int a, int b, int c)
{
    int larger = a > b ? a : b;
    return larger > c ? larger : c;
}

// One loop grows the wave, another one shrinks it.
__global__ void two_loops(const int *in, int *out)
{
    __shared__ int cell[TILE + 1][TILE + 1];
    int t = threadIdx.x;
    cell[0][t + 1] = -t;
    cell[t + 1][0] = t;
    if (t == 0)
        cell[0][0] = 0;
    __syncthreads();
    for (int m = 0; m < TILE; m++) {
        if (t <= m) {
            int x = t + 1;
            int y = m - t + 1;
            cell[y][x] = best(cell[y - 1][x - 1] + in[y * TILE + x], cell[y][x - 1], cell[y - 1][x]);
        }
        __syncthreads();
    }
    for (int m = TILE - 2; m >= 0; m--) {
        if (t <= m) {
            int x = t + TILE - m;
            int y = TILE - t;
            cell[y][x] = best(cell[y - 1][x - 1] + in[y * TILE + x], cell[y][x - 1], cell[y - 1][x]);
        }
        __syncthreads();
    }
    for (int y = 1; y <= TILE; y++)
        out[(y - 1) * TILE + t] = cell[y][t + 1];
}

// All of it in one loop, for rows that are longer than columns; three scores for each cell.
__global__ void one_loop(const float *in, float *out)
{
    __shared__ float main[ROWS][COLS], gap[ROWS][COLS], skip[ROWS][COLS];
    int t = threadIdx.x;
    for (int y = 0; y < ROWS; y++)
        main[y][t] = gap[y][t] = skip[y][t] = in[y * COLS + t];
    __syncthreads();
    for (int m = 0; m <= ROWS + COLS - 4; m++) {
        if (t <= m && t < COLS - 1 && m - t < ROWS - 1) {
            int col = t + 1, row = m - t + 1;
            gap[row][col] = fmaxf(gap[row - 1][col], main[row - 1][col] - 0.5f);
            skip[row][col] = fmaxf(skip[row][col - 1], main[row][col - 1] - 0.5f);
            if (in[row] > 0.25f)
                main[row][col] += fmaxf(gap[row][col], skip[row][col]) * 0.5f;
        }
        __syncthreads();
    }
    for (int y = 0; y < ROWS; y++)
        out[y * COLS + t] = main[y][t];
}

// What comes from below on the left is not there when rows are gone along.
__global__ void from_below(const int *in, int *out)
{
    __shared__ int cell[TILE + 2][TILE + 2];
    int t = threadIdx.x;
    for (int y = 0; y < TILE + 2; y++)
        cell[y][t] = in[y * TILE + t];
    if (t < 2) {
        for (int y = 0; y < TILE + 2; y++)
            cell[y][TILE + t] = y;
    }
    __syncthreads();
    for (int m = 0; m <= 2 * TILE - 4; m++) {
        if (t <= m && t < TILE - 1 && m - t < TILE - 1) {
            int x = t + 2;
            int y = m - t + 1;
            cell[y][x] = cell[y + 1][x - 2] % 1000 * 3 + cell[y - 1][x];
        }
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        out[y * TILE + t] = cell[y][t];
}

// Not all points: the wave only grows.
__global__ void triangle(const int *in, int *out)
{
    __shared__ int cell[TILE + 1][TILE + 1];
    int t = threadIdx.x;
    for (int y = 0; y <= TILE; y++)
        cell[y][t] = in[y * TILE + t];
    __syncthreads();
    for (int m = 0; m < TILE - 1; m++) {
        if (t <= m) {
            int x = t + 1;
            int y = m - t + 1;
            cell[y][x] += cell[y - 1][x] ^ cell[y][x - 1];
        }
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        out[y * TILE + t] = cell[y][t];
}

// A cell goes by another name, too.
__global__ void seen_elsewhere(const int *in, int *out)
{
    __shared__ int cell[TILE + 1][TILE + 1];
    __shared__ int *corner;
    int t = threadIdx.x;
    cell[0][t + 1] = cell[t + 1][0] = t;
    if (t == 0)
        corner = &cell[1][TILE];
    __syncthreads();
    for (int m = 0; m <= 2 * TILE - 2; m++) {
        if (t <= m && m - t < TILE) {
            int x = t + 1;
            int y = m - t + 1;
            cell[y][x] = cell[y - 1][x] + cell[y][x - 1] + (m >= TILE ? *corner : in[m]);
        }
        __syncthreads();
    }
    for (int y = 1; y <= TILE; y++)
        out[(y - 1) * TILE + t] = cell[y][t + 1];
}

int main()
{
    const int n = 1024;
    int *in, *out;
    float *x, *y;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        in[i] = (i * 7919) % 31 - 15;
        x[i] = (i * 104729) % 997 / 997.0f;
    }
    for (int kernel = 0; kernel < 5; ++kernel) {
        cudaMemset(out, 0, n * sizeof(int));
        cudaMemset(y, 0, n * sizeof(float));
        switch (kernel) {
        case 0: two_loops<<<1, TILE>>>(in, out); break;
        case 1: one_loop<<<1, COLS>>>(x, y); break;
        case 2: from_below<<<1, TILE>>>(in, out); break;
        case 3: triangle<<<1, TILE>>>(in, out); break;
        case 4: seen_elsewhere<<<1, TILE>>>(in, out); break;
        }
        cudaDeviceSynchronize();
        unsigned hash = 17;
        float sum = 0;
        for (int i = 0; i < n; ++i) {
            hash = hash * 31 + unsigned(out[i]);
            sum += y[i] * (i % 7);
        }
        printf("%d %d %08x %.9g\n", kernel, out[TILE * TILE - 1], hash, sum);
    }
    return 0;
}
