// out: 74 77 9 11 74 45 2 12 64
// Elements of objects that a function of theirs gives: of a library's class, of a class of the
// program, by its address. Each thread has its own object.
#include <array>
#include <cstdio>

struct Row {
    int values[2];
    __host__ __device__ int &operator[](int i) { return values[i]; }
    __host__ __device__ int *begin() { return values; }
};
struct View {
    float *data;
    int n;
    __device__ float &operator()(int i) { return data[i % n]; }
};
__global__ void in_array(const int *x, int *y, int n)
{
    std::array<int, 2> found = {1000, -1000};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        found[0] = found[0] < x[i] ? found[0] : x[i];
        found[1] = found[1] > x[i] ? found[1] : x[i];
    }
    y[2 * threadIdx.x] = found[0];
    y[2 * threadIdx.x + 1] = found[1];
}
__global__ void in_row(const int *x, int *y, int n)
{
    Row found = {{1000, -1000}};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        found[0] = found[0] < x[i] ? found[0] : x[i];
        found[1] += 1;
    }
    int *second = &found[1];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        *second += x[i] % 2;
    y[2 * threadIdx.x] = found[0];
    y[2 * threadIdx.x + 1] = found[1];
}
__global__ void through_pointer(const int *x, int *y, int n)
{
    Row found = {{0, 0}};
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        found.begin()[x[i] % 2] += 1;
    y[threadIdx.x] = found[0] * 10 + found[1];
}
__global__ void in_memory(View view)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    view(i) = view(i) + 1;
}
int main()
{
    const int n = 100;
    int *x, *y;
    float *f;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, 64 * sizeof(int));
    cudaMallocManaged(&f, 64 * sizeof(float));
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37) % 91;
    for (int i = 0; i < 64; ++i)
        f[i] = i;
    in_array<<<1, 32>>>(x, y, n);
    cudaDeviceSynchronize();
    std::printf("%d %d %d %d ", y[4], y[5], y[30], y[31]);
    in_row<<<1, 32>>>(x, y, n);
    cudaDeviceSynchronize();
    std::printf("%d %d ", y[4], y[5] + 1039);
    through_pointer<<<1, 32>>>(x, y, n);
    in_memory<<<2, 32>>>(View{f, 64});
    cudaDeviceSynchronize();
    std::printf("%d %d %g\n", y[3] / 10, y[40], f[63]);
    return 0;
}
