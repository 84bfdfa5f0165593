// Threads and loops of theirs that count one range together, and some that only seem to.
#include <cstdio>

#define ROWS 16
#define COLUMNS 64

__global__ void tiles(const float *in, float *out, int pitch) {
    __shared__ float turned[ROWS][COLUMNS + 1], straight[ROWS][COLUMNS];
    int tid = threadIdx.y * 16 + threadIdx.x;
    for (int l = 0; l < 4; ++l) {
        int e = tid + l * 256;
        turned[e % 16][e / 16] = in[(e / 16) * pitch + e % 16];
        straight[e / COLUMNS][e % COLUMNS] = in[(e / COLUMNS) * pitch + e % COLUMNS];
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < ROWS; ++k)
        sum += turned[k][tid / 4] * straight[k][tid % COLUMNS];
    out[tid] = sum;
}

__global__ void halo(const float *in, float *out, int pitch) {
    __shared__ float tile[18 * 18];
    for (int e = threadIdx.y * blockDim.x + threadIdx.x; e < 18 * 18;
         e += blockDim.x * blockDim.y) {
        int r = e / 18, c = e % 18;
        tile[e] = in[r * pitch + c];
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            sum += tile[(threadIdx.y + j) * 18 + threadIdx.x + i];
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}

__global__ void quotients(const float *in, float *out, int pitch) {
    __shared__ float tile[ROWS][COLUMNS];
    int tid = threadIdx.x;
    const int row = tid / COLUMNS, column = tid % COLUMNS;
    for (int off = 0; off < ROWS; off += 256 / COLUMNS)
        tile[row + off][column] = in[(row + off) * pitch + column];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < ROWS; ++k)
        sum += tile[k][tid / 4] - tile[k][tid % COLUMNS];
    out[tid] = sum;
}

// Each thread's elements depend on each other.
__global__ void prefixes(const int *in, int *out) {
    __shared__ int tile[256];
    for (int j = 0; j < 4; ++j) {
        tile[threadIdx.x * 4 + j] = in[threadIdx.x * 4 + j];
        if ((threadIdx.x * 4 + j) % 4 > 0)
            tile[threadIdx.x * 4 + j] += tile[threadIdx.x * 4 + j - 1];
    }
    __syncthreads();
    for (int j = 0; j < 4; ++j)
        out[threadIdx.x + j * 64] = tile[255 - threadIdx.x - j * 64];
}

// The same from behind, and turns that do not depend on each other.
__global__ void suffixes(const int *in, int *out) {
    __shared__ int tile[256], rows[16][16];
    for (int j = 3; j >= 0; --j) {
        tile[threadIdx.x * 4 + j] = in[threadIdx.x * 4 + j];
        if ((threadIdx.x * 4 + j) % 4 < 3)
            tile[threadIdx.x * 4 + j] += tile[threadIdx.x * 4 + j + 1];
    }
    for (int l = 3; l >= 0; --l) {
        int e = threadIdx.x + l * 64;
        rows[e / 16][e % 16] = in[e] - 1;
        rows[e / 16][e % 16] *= 3;
    }
    __syncthreads();
    for (int j = 3; j >= 0; --j)
        out[threadIdx.x + j * 64] = tile[255 - threadIdx.x - j * 64] + rows[threadIdx.x % 16][j];
}

// The turn itself, another stride, gaps, what threads carry from turn to turn.
__global__ void others(int *out, int n) {
    __shared__ int turns[512], gaps[320], carried[256];
    int tid = threadIdx.y * 8 + threadIdx.x;
    for (int l = 0; l < 8; ++l)
        turns[tid + l * 64] = l;
    for (int j = 0; j < 4; ++j) {
        gaps[tid * 5 + j] = tid * 5 + j;
        gaps[tid * 5 + 4] = -1;
    }
    int sum = 0;
    for (int j = 0; j < 4; ++j) {
        sum += tid * 4 + j;
        carried[tid * 4 + j] = sum;
    }
    __syncthreads();
    for (int l = 0; l < 4; ++l)
        if (tid + l * 64 < n)
            out[tid + l * 64] = turns[511 - tid - l * 64] * 1000 + gaps[tid + l * 64] +
                                carried[(tid + l * 64) ^ 3];
}

// Numbers without a sign: what is below zero wraps round.
__global__ void unsigned_places(unsigned *out, const unsigned *in) {
    __shared__ unsigned tile[256];
    unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
    for (unsigned l = 0; l < 4; ++l) {
        unsigned e = tid + l * 64;
        tile[e] = in[e] + (e - 100u < 50u ? 1000u : 0u);
    }
    __syncthreads();
    for (unsigned l = 0; l < 256; l += 64)
        out[tid + l] = tile[tid + l] + (tid + l - 7u) % 5u;
}

// Blocks of any size.
__global__ void any_size(const int *in, int *out, int n) {
    extern __shared__ int all[];
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int e = rank; e < n; e += threads)
        all[e] = in[blockIdx.x * n + e];
    __syncthreads();
    for (int e = rank; e < n; e += threads) {
        if (all[e] % 3 == 0)
            continue;
        out[blockIdx.x * n + e] = all[n - 1 - e];
    }
}

// Sums of all threads, and a number that the thread changes in between.
__global__ void counts(int *out, const int *in) {
    __shared__ int bins[8];
    int tid = threadIdx.y * 16 + threadIdx.x;
    if (tid < 8)
        bins[tid] = 0;
    __syncthreads();
    for (int l = 0; l < 3; ++l)
        atomicAdd(&bins[in[tid + l * 128] & 7], 1);
    tid += 1;
    for (int l = 0; l < 3; ++l)
        atomicAdd(&bins[in[(tid + l * 128) % 384] & 7], tid & 1);
    __syncthreads();
    if (tid <= 8)
        out[tid - 1] = bins[tid - 1];
}

template <typename T>
static void print(const char *name, const T *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum = sum * 1.0078125 + values[i];
    printf("%s %.9g %.9g\n", name, sum, double(values[count / 3]));
}

int main() {
    const int n = 64 * 64;
    float *in, *out;
    int *whole, *made;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    cudaMallocManaged(&whole, n * sizeof(int));
    cudaMallocManaged(&made, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        in[i] = (i * 37 % 101) * 0.25f;
        whole[i] = i * 53 % 211;
        made[i] = 0;
    }
    tiles<<<1, dim3(16, 16)>>>(in, out, 64);
    cudaDeviceSynchronize();
    print("tiles", out, 256);
    halo<<<1, dim3(16, 16)>>>(in, out, 64);
    cudaDeviceSynchronize();
    print("halo", out, 256);
    quotients<<<1, 256>>>(in, out, 64);
    cudaDeviceSynchronize();
    print("quotients", out, 256);
    prefixes<<<1, 64>>>(whole, made);
    cudaDeviceSynchronize();
    print("prefixes", made, 256);
    suffixes<<<1, 64>>>(whole, made);
    cudaDeviceSynchronize();
    print("suffixes", made, 256);
    others<<<1, dim3(8, 8)>>>(made, 250);
    cudaDeviceSynchronize();
    print("others", made, 256);
    unsigned_places<<<1, dim3(8, 8)>>>((unsigned *)made, (unsigned *)whole);
    cudaDeviceSynchronize();
    print("unsigned", made, 256);
    any_size<<<3, dim3(4, 3, 2), 200 * sizeof(int)>>>(whole, made, 200);
    any_size<<<2, dim3(7, 5), 300 * sizeof(int)>>>(whole, made + 1000, 300);
    cudaDeviceSynchronize();
    print("any_size", made, 1600);
    counts<<<1, dim3(16, 8)>>>(made, whole);
    cudaDeviceSynchronize();
    print("counts", made, 8);
}
