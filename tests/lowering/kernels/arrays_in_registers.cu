// Small arrays of a thread whose elements are named by constants once loops are unrolled stand in
// vector loops; others do not.
#include <cstdio>

__device__ void in_order(float &a, float &b)
{
    float least = fminf(a, b);
    b = fmaxf(a, b);
    a = least;
}

__global__ void median(const float *in, float *out, int width, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    float v[9];
    int k = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            v[k++] = in[x + i * width + j];
    for (int i = 0; i < 5; ++i)
        for (int j = i + 1; j < 9; ++j)
            in_order(v[i], v[j]);
    out[x] = v[4];
}

#define SIZE 16

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[SIZE][4 * SIZE], tile_b[SIZE][4 * SIZE];
    float sums[4][4] = {};
    for (int first = 0; first < n; first += SIZE) {
        for (int i = 0; i < 4; ++i) {
            tile_a[threadIdx.x][threadIdx.y + i * SIZE] =
                a[(blockIdx.y * 4 * SIZE + threadIdx.y + i * SIZE) * n + first + threadIdx.x];
            tile_b[threadIdx.y][threadIdx.x + i * SIZE] =
                b[(first + threadIdx.y) * n + blockIdx.x * 4 * SIZE + threadIdx.x + i * SIZE];
        }
        __syncthreads();
        for (int k = 0; k < SIZE; ++k) {
            float own_a[4], own_b[4];
            for (int i = 0; i < 4; ++i) {
                own_a[i] = tile_a[k][threadIdx.y + i * SIZE];
                own_b[i] = tile_b[k][threadIdx.x + i * SIZE];
            }
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += own_a[i] * own_b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(blockIdx.y * 4 * SIZE + threadIdx.y + i * SIZE) * n + blockIdx.x * 4 * SIZE +
              threadIdx.x + j * SIZE] = sums[i][j];
}

// Which element that is, only the data know; how many turns there are, nobody does; what a branch
// steps may have been stepped or not.
__global__ void by_data(const float *in, const int *places, float *out, int n, int turns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    float v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = in[x + i];
    float w[4] = {0, 0, 0, 0};
    int k = 0;
    for (int i = 0; i < 4; ++i) {
        w[k] += v[i];
        if (v[i] > 3.0f)
            k++;
    }
    float sum = 0.0f;
    for (int i = 0; i < turns; ++i)
        sum += v[(x + i) % 4] * w[i & 3];
    out[x] = v[places[x]] + sum;
}

int main()
{
    const int n = 64;
    static float in[n * n], other[n * n], out[n * n];
    static int places[n];
    for (int i = 0; i < n * n; ++i) {
        in[i] = (i * 37 % 101) * 0.25f;
        other[i] = (i * 29 % 53) * 0.5f - 9.0f;
    }
    for (int i = 0; i < n; ++i)
        places[i] = i * 7 % 4;
    float *d_in, *d_other, *d_out;
    int *d_places;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_other, sizeof(in));
    cudaMalloc(&d_out, sizeof(in));
    cudaMalloc(&d_places, sizeof(places));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemcpy(d_other, other, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemcpy(d_places, places, sizeof(places), cudaMemcpyHostToDevice);

    median<<<8, 128>>>(d_in, d_out, n, 1000);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i)
        sum += out[i] * (i % 7);
    std::printf("%.2f\n", sum);

    multiply<<<dim3(1, 1), dim3(SIZE, SIZE)>>>(d_in, d_other, d_out, n);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    sum = 0.0;
    for (int i = 0; i < n * n; ++i)
        sum += out[i] * (i % 5);
    std::printf("%.1f\n", sum);

    by_data<<<1, n>>>(d_in, d_places, d_out, 50, 6);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    sum = 0.0;
    for (int i = 0; i < 50; ++i)
        sum += out[i];
    std::printf("%.2f\n", sum);
    return 0;
}
