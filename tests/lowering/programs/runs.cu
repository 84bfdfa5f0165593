// Threads that keep small arrays for themselves: some leave early, and indices wrap around.
#include <cstdio>

#define N 5
#define WRAP(i, n) ((i) < 0 ? (i) + (n) : (i) >= (n) ? (i) - (n) : (i))

__constant__ int offset[N] = {0, 1, -1, 2, -3};
__constant__ int opposite[N] = {0, 2, 1, 4, 3};

// The outer index wraps as well; who leaves stores something of its own.
__global__ void stream(const float *from, float *to, const unsigned char *solid, int width,
                       int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int cell = y * width + x;
    if (solid[cell]) {
        for (int q = 0; q < N; ++q)
            to[(size_t)q * width * height + cell] = -1.0f;
        return;
    }
    float f[N], sum = 0.0f;
    for (int q = 0; q < N; ++q) {
        int from_x = x - offset[q], from_y = y + offset[q];
        int other = WRAP(from_y, height) * width + WRAP(from_x, width);
        f[q] = solid[other] ? from[(size_t)opposite[q] * width * height + cell]
                            : from[(size_t)q * width * height + other];
        sum += f[q];
    }
    for (int q = 0; q < N; ++q)
        to[(size_t)q * width * height + cell] = f[q] + 0.25f * (sum / N - f[q]);
}

// Edges by `==` and `>`; what is loaded for all threads alike is not there for those that leave.
__global__ void edges(const float *x, float *y, const int *table, const int *active, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float weight = x[i];
    if (active[i] == 0) {
        y[i] = weight;
        return;
    }
    float part[N];
    for (int k = 0; k < N; ++k) {
        int at = i + k;
        int wrapped = at > n - 1 ? at - n : at;
        part[k] = x[wrapped] * table[k];
    }
    float product = 1.0f;
    for (int k = 0; k < N; ++k) {
        int at = i - k;
        int near = at == -1 ? at + n : at < 0 ? at + n : at;
        product += part[k] * weight + x[near];
    }
    y[i] = product;
}

// Nobody stays: the table may not be looked at.
__global__ void nobody(const float *x, float *y, const int *table, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] < 100.0f) {
        y[i] += 1.0f;
        return;
    }
    float part[N];
    for (int k = 0; k < N; ++k)
        part[k] = x[i] * table[k];
    for (int k = 0; k < N; ++k)
        y[i] += part[k];
}

// Remainders of what is negative and of many times the divisor; loops that count down.
__global__ void remainders(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part[N];
    for (int k = 0; k < N; ++k) {
        int before = (i - offset[k] + n) % n, far = (i + 70 * k) % n;
        part[k] = x[before] + 2.0f * x[far];
    }
    float back[N];
    for (int k = N - 1; k >= 0; --k) {
        int around = (i - 90 * k) % n;
        back[k] = x[1000 + around] * part[k];
    }
    float sum = 0.0f;
    for (int k = N - 1; k > 0; k -= 2)
        sum += back[k];
    y[i] = sum;
}

// The same where runs do not help.
__global__ void other_remainders(const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part[N];
    for (int k = 0; k < N; ++k)
        part[k] = x[1000 + (i - 5 + offset[k]) % m];
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += part[k] * x[(i - k) % n < 0 ? (i - k) % n + n : (i - k) % n];
    y[i] = sum;
}

int main() {
    const int most = 300;
    float *a, *b;
    unsigned char *solid;
    int *table, *active;
    cudaMallocManaged(&a, most * 7 * N * sizeof(float));
    cudaMallocManaged(&b, most * 7 * N * sizeof(float));
    cudaMallocManaged(&solid, most * 7);
    cudaMallocManaged(&table, N * sizeof(int));
    cudaMallocManaged(&active, most * sizeof(int));
    for (int i = 0; i < most * 7 * N; ++i)
        a[i] = (i * 37 % 101) / 8.0f;
    for (int k = 0; k < N; ++k)
        table[k] = 3 - k;
    const int widths[] = {4, 5, 127, 128, 129, 130, 300};
    for (int width : widths)
        for (int pattern = 0; pattern < 5; ++pattern) {
            for (int i = 0; i < most * 7; ++i)
                solid[i] = pattern == 1   ? i % 2
                           : pattern == 2 ? i % 29 == 3
                           : pattern == 3 ? 1
                           : pattern == 4 ? i % width == 0 || i % width == width - 1
                                          : 0;
            for (int i = 0; i < most; ++i)
                active[i] = !solid[i];
            for (int i = 0; i < most * 7 * N; ++i)
                b[i] = 0.0f;
            stream<<<dim3((width + 31) / 32, 4), dim3(32, 2)>>>(a, b, solid, width, 7);
            cudaDeviceSynchronize();
            for (int i = 0; i < width * 7 * N; ++i)
                printf("%g%c", b[i], i % width == width - 1 ? '\n' : ' ');
            edges<<<(width + 63) / 64, 64>>>(a, b, table, active, width);
            cudaDeviceSynchronize();
            for (int i = 0; i < width; ++i)
                printf("%g ", b[i]);
            nobody<<<(width + 63) / 64, 64>>>(a, b, nullptr, width);
            cudaDeviceSynchronize();
            for (int i = 0; i < width; ++i)
                printf("%g ", b[i]);
            remainders<<<(width + 63) / 64, 64>>>(a, b, width);
            cudaDeviceSynchronize();
            for (int i = 0; i < width; ++i)
                printf("%g ", b[i]);
            for (int m : {width, 3, -7}) {
                other_remainders<<<(width + 63) / 64, 64>>>(a, b, width, m);
                cudaDeviceSynchronize();
                for (int i = 0; i < width; ++i)
                    printf("%g ", b[i]);
            }
            printf("\n");
        }
    cudaFree(a);
    cudaFree(b);
    cudaFree(solid);
    cudaFree(table);
    cudaFree(active);
    return 0;
}
