// out: 10 26 42 418 9 6 22
// CUB's sums of segments of a warp; a declaration whose specifiers take two lines.
#include <cstdio>
#include <cub/cub.cuh>

extern "C" __global__
void __launch_bounds__(64) segments(const float *x, float *y, int *z)
{
    typedef cub::WarpReduce<float> Sums;
    typedef cub::WarpReduce<int> Most;
    __shared__ typename Sums::TempStorage sums[2];
    __shared__ typename Most::TempStorage most[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float sum = Sums(sums[warp]).HeadSegmentedSum(x[t], lane < 13 && lane % 4 == 0);
    if (lane < 13 && lane % 4 == 0)
        y[warp * 8 + lane / 4] = sum;
    int largest = Most(most[warp]).TailSegmentedReduce(int(x[t]) % 10, lane % 16 == 15, cub::Max());
    if (lane % 16 == 0)
        z[t / 16] = largest;
    float tail = Sums(sums[warp]).TailSegmentedSum(x[t], t == 2 || t == 6);
    if (t == 0 || t == 3)
        y[16 + t] = tail;
}

int main()
{
    float *x, *y;
    int *z;
    cudaMallocManaged(&x, 64 * sizeof(float));
    cudaMallocManaged(&y, 64 * sizeof(float));
    cudaMallocManaged(&z, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i)
        x[i] = i % 32 + 1;
    segments<<<1, 64>>>(x, y, z);
    cudaDeviceSynchronize();
    std::printf("%g %g %g %g %d %g %g\n", y[0], y[1], y[8 + 2], y[3] - 32, z[0], y[16], y[19]);
    return 0;
}
