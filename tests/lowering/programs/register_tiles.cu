// Tiles of sums that threads keep over barriers, and arrays that carry values from turn to turn.
#include <cstdio>

#define TM 4
#define TN 8
#define TK 4
#define ROWS (4 * TM)
#define COLS (2 * TN)

/** A product of matrices, TM x TN sums to a thread, tiles of TK in shared memory. */
__global__ void flat_tiles(const float *a, const float *b, float *c, int k) {
    __shared__ float left[ROWS * TK], right[TK * COLS];
    float sum[TM * TN] = {0.0f};
    float u[TM], v[TN];
    const int row = threadIdx.x / (COLS / TN), col = threadIdx.x % (COLS / TN);
    for (int first = 0; first < k; first += TK) {
        for (int i = threadIdx.x; i < ROWS * TK; i += blockDim.x)
            left[i] = a[i / TK * k + first + i % TK];
        for (int i = threadIdx.x; i < TK * COLS; i += blockDim.x)
            right[i] = b[(first + i / COLS) * COLS + i % COLS];
        __syncthreads();
        for (int d = 0; d < TK; ++d) {
            for (int m = 0; m < TM; ++m)
                u[m] = left[(row * TM + m) * TK + d];
            for (int n = 0; n < TN; ++n)
                v[n] = right[d * COLS + col * TN + n];
            for (int m = 0; m < TM; ++m)
                for (int n = 0; n < TN; ++n)
                    sum[m * TN + n] += u[m] * v[n];
        }
        __syncthreads();
    }
    for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n)
            c[(row * TM + m) * COLS + col * TN + n] = sum[m * TN + n];
}

/** The same for any tile, loaded four numbers at a time. */
template <int M, int N>
__global__ void any_tiles(const float *a, const float *b, float *c, int k) {
    __shared__ __align__(16) float left[TK][4 * M], right[TK][2 * N];
    float sum[M][N] = {};
    float u[M], v[N];
    for (int first = 0; first < k; first += TK) {
        for (int i = threadIdx.y * 2 + threadIdx.x; i < 4 * M * TK; i += 8)
            left[i % TK][i / TK] = a[i / TK * k + first + i % TK];
        for (int i = threadIdx.y * 2 + threadIdx.x; i < TK * 2 * N; i += 8)
            right[i / (2 * N)][i % (2 * N)] = b[(first + i / (2 * N)) * 2 * N + i % (2 * N)];
        __syncthreads();
        for (int d = 0; d < TK; ++d) {
            for (int m = 0; m < M; m += 4)
                *reinterpret_cast<float4 *>(&u[m]) =
                    *reinterpret_cast<float4 *>(&left[d][threadIdx.y * M + m]);
            for (int n = 0; n < N; n += 4)
                reinterpret_cast<float4 *>(&v[n])[0] =
                    reinterpret_cast<float4 *>(&right[d][threadIdx.x * N + n])[0];
            for (int m = 0; m < M; ++m)
                for (int n = 0; n < N; ++n)
                    sum[m][n] = fmaf(u[m], v[n], sum[m][n]);
        }
        __syncthreads();
    }
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n)
            c[(threadIdx.y * M + m) * 2 * N + threadIdx.x * N + n] = sum[m][n];
}

/** What an array holds goes on to the next turn where a turn sets only some of it. */
__global__ void carried(const int *x, int *y, int n) {
    __shared__ int s[8];
    int kept[4], part[4], own[4];
    for (int q = 0; q < 4; ++q)
        kept[q] = q;
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = x[i * 8 + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 3; ++q)
            kept[q] = s[(threadIdx.x + q) % 8] + kept[q + 1];
        for (int q = 0; q < 4; ++q)
            if (i == 0 || s[q] > 4)
                part[q] = s[q] + i;
        for (int q = 3; q >= 0; --q)
            own[q] = kept[q] + part[q];
        kept[3] += own[0];
        __syncthreads();
    }
    for (int q = 0; q < 4; ++q)
        y[threadIdx.x * 8 + q] = kept[q];
    for (int q = 0; q < 4; ++q)
        own[q] = part[3 - q];
    for (int q = 0; q < 4; ++q)
        y[threadIdx.x * 8 + 4 + q] = own[q];
}

int main() {
    const int k = 12;
    float *a, *b, *c;
    int *x, *y;
    cudaMallocManaged(&a, ROWS * k * sizeof(float));
    cudaMallocManaged(&b, k * COLS * sizeof(float));
    cudaMallocManaged(&c, 4 * ROWS * COLS * sizeof(float));
    cudaMallocManaged(&x, 40 * sizeof(int));
    cudaMallocManaged(&y, 64 * sizeof(int));
    for (int i = 0; i < ROWS * k; ++i)
        a[i] = i * 7 % 13 - 6;
    for (int i = 0; i < k * COLS; ++i)
        b[i] = i * 5 % 11 - 5;
    for (int i = 0; i < 40; ++i)
        x[i] = i * 3 % 10;
    flat_tiles<<<1, ROWS * COLS / (TM * TN)>>>(a, b, c, k);
    any_tiles<4, 8><<<1, dim3(2, 4)>>>(a, b, c + ROWS * COLS, k);
    carried<<<1, 8>>>(x, y, 5);
    cudaDeviceSynchronize();
    for (int i = 0; i < ROWS * COLS; i += 17)
        printf("%g %g\n", c[i], c[i + ROWS * COLS]);
    for (int i = 0; i < 64; ++i)
        printf("%d%c", y[i], i % 8 == 7 ? '\n' : ' ');
}
