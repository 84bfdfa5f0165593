// Neighbours that go through the same few iterations: 27 of them with a choice that all make alike,
// and some that each makes for itself.
#include <cstdio>

__global__ void cells(const float *in, float *out, int nx, int ny, int nz, float a, float b, float c,
                      float d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z + 1;
    if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    float centre = 0, face = 0, edge = 0, corner = 0;
    for (int k = -1; k <= 1; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                int m = (k != 0) + (j != 0) + (i != 0);
                float v = in[((z + k) * ny + y + j) * nx + x + i];
                if (m == 0)
                    centre += v;
                else if (m == 1)
                    face += v;
                else if (m == 2)
                    edge += v;
                else
                    corner += v;
            }
    out[(z * ny + y) * nx + x] = a * centre + b * face + c * edge + d * corner;
}

__global__ void differences(const int *in, int *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= w - 5 || y >= h - 5)
        return;
    int sum = 0, most = 0;
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i) {
            int apart = abs(in[(y + j) * w + x + i] - in[y * w + x]);
            sum += apart;
            if (apart > most)
                most = apart;
        }
    out[y * w + x] = sum * 100 + most;
}

int main() {
    const int nx = 39, ny = 11, nz = 7, n = nx * ny * nz;
    float *in, *out;
    int *whole, *made;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    cudaMallocManaged(&whole, n * sizeof(int));
    cudaMallocManaged(&made, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        in[i] = i * 7 % 31;
        whole[i] = i * 29 % 173;
        out[i] = made[i] = 0;
    }
    cells<<<dim3(3, 3, nz - 2), dim3(16, 4)>>>(in, out, nx, ny, nz, 1, 2, 4, 8);
    differences<<<dim3(3, ny * nz), 16>>>(whole, made, nx, ny * nz);
    cudaDeviceSynchronize();
    double sum = 0;
    long total = 0;
    for (int i = 0; i < n; ++i) {
        sum += out[i] * (i % 13);
        total += made[i] * long(i % 17);
    }
    printf("%g %ld %g %d\n", sum, total, out[n / 2], made[n / 2]);
}
