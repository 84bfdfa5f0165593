// Threads go through ranges by a sum of their index and a turn: some of these loops are one loop over
// the range, others only look like it.
#include <cstdio>

const int TILE = 32;
const int ROWS = 8;

// The turn scales like the thread in every index.
__global__ void transpose(float *out, const float *in, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int start = x + y * width;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = in[start + i * width];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    start = x + y * height;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < height && y + i < width)
            out[start + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

// The thread counts more than the turn.
__global__ void scaled(int *out) {
    __shared__ int a[(TILE + 1) * ROWS];
    int y = (TILE + 1) * threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS)
        a[y + j] = j;
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        out[threadIdx.x + j] = a[(TILE + 1) * threadIdx.x + j] + j;
}

// A sum, an element of a turn before, a pointer that belongs to the thread, a turn alone.
__global__ void carried(int *out, const int *in) {
    __shared__ int a[TILE], b[TILE + ROWS], c[TILE];
    int sum = 0;
    for (int j = 0; j < TILE; j += ROWS) {
        sum += in[threadIdx.x + j];
        a[threadIdx.x + j] = sum;
    }
    b[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        b[threadIdx.x + j + ROWS] = b[threadIdx.x + j] + 1;
    const int *own = in + threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS)
        c[threadIdx.x + j] = own[j] + (threadIdx.x + j > 7 ? 3 : 4);
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        out[threadIdx.x + j] = a[threadIdx.x + j] + 10 * b[threadIdx.x + j] + 100 * c[threadIdx.x + j];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        atomicAdd(&out[TILE + threadIdx.x + j], (threadIdx.x + j) * (j + 1));
}

// What is below zero wraps around before it is widened, and the range does not end with a stride.
__global__ void halo(int *out, const int *in) {
    __shared__ int a[TILE];
    unsigned y = threadIdx.x - 2;
    for (int j = 0; j < TILE; j += ROWS) {
        long long place = (long long)y + j;
        a[threadIdx.x + j] = place < TILE ? in[place] : 7;
    }
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS) {
        if (y + j < TILE)
            out[y + j] = a[y + j];
        else
            out[TILE + threadIdx.x + j] = a[threadIdx.x + j];
    }
    for (int j = 0; j < TILE - 4; j += ROWS)
        out[2 * TILE + threadIdx.x + j] = a[threadIdx.x + j];
}

// Two axes at once, other statements before, between and after.
__global__ void mixed(int *out, const int *in) {
    __shared__ int tile[TILE][TILE], extra[ROWS][ROWS];
    int here = threadIdx.y + threadIdx.x;
    int row = blockIdx.x * TILE + threadIdx.y;
    if (threadIdx.y == 3)
        extra[threadIdx.x][3] = here;
    // all of the tile
    for (int i = 0; i < TILE; i += ROWS)
        for (int j = 0; j < TILE; j += ROWS)
            tile[threadIdx.y + i][threadIdx.x + j] =
                in[(row + i) * TILE + threadIdx.x + j];
    if (threadIdx.y != 3)
        extra[threadIdx.x][threadIdx.y] = 1;
    __syncthreads();
    for (int i = 0; i < TILE; i += ROWS) {
        for (int j = 0; j < TILE; j += ROWS)
            out[(threadIdx.y + i) * TILE + threadIdx.x + j] =
                tile[threadIdx.x + j][threadIdx.y + i] * 2;
    }
    out[TILE * TILE + threadIdx.y * ROWS + threadIdx.x] = extra[threadIdx.x][threadIdx.y];
}

static unsigned hash(const int *values, int n) {
    unsigned found = 17;
    for (int i = 0; i < n; ++i)
        found = found * 31 + unsigned(values[i]);
    return found;
}

int main() {
    const int width = 70, height = 45, n = 4096;
    int *in, *out;
    float *m, *t;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&m, n * sizeof(float));
    cudaMallocManaged(&t, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        in[i] = (i * 7919) % 1009;
        m[i] = float(i);
    }
    transpose<<<dim3(3, 2), dim3(TILE, ROWS)>>>(t, m, width, height);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            wrong += t[x * height + y] != m[y * width + x];
    printf("wrong %d\n", wrong);
    for (int kernel = 0; kernel < 4; ++kernel) {
        cudaMemset(out, 0, n * sizeof(int));
        switch (kernel) {
        case 0: scaled<<<1, ROWS>>>(out); break;
        case 1: carried<<<1, ROWS>>>(out, in); break;
        case 2: halo<<<1, ROWS>>>(out, in); break;
        case 3: mixed<<<1, dim3(ROWS, ROWS)>>>(out, in); break;
        }
        cudaDeviceSynchronize();
        printf("%d %08x\n", kernel, hash(out, n));
    }
    return wrong;
}
