// Declarations say that functions are for hosts and devices, their definitions do not say it again.
#include <cstdio>

namespace shapes {

class Disc {
public:
    __host__ __device__ explicit Disc(float radius);
    __host__ __device__ float area() const;
    __host__ __device__ Disc operator*(float by) const;
    __host__ __device__ const float &radius() const;
    template <class T> __host__ __device__ T scaled(T by) const;

private:
    float r;
};

template <class T, int N> struct Row {
    T values[N];
    __host__ __device__ T sum() const;
};

__host__ __device__ float twice(float x);

} // namespace shapes

#define HALF 0.5f
shapes::Disc::Disc(float radius) : r(radius) {}

float shapes::Disc::area() const { return 3.0f * r * r; }
shapes::Disc shapes::Disc::operator*(float by) const { return shapes::Disc(r * by); }
const float &shapes::Disc::radius() const
{
    return r;
}
template <class T> T shapes::Disc::scaled(T by) const { return static_cast<T>(r * by); }

template <class T, int N>
T shapes::Row<T, N>::sum() const
{
    T all = 0;
    for (int i = 0; i < N; ++i)
        all += values[i];
    return all;
}

namespace shapes {
#if 1
float twice(float x) { return 2 * x; }
#endif
} // namespace shapes

__global__ void areas(float *out, shapes::Disc disc)
{
    int i = threadIdx.x;
    shapes::Row<float, 2> row{{float(i), HALF}};
    shapes::Disc larger = disc * row.sum();
    out[i] = larger.area() + shapes::twice(larger.radius()) + disc.scaled(0.25f);
}

int main()
{
    float *out;
    cudaMallocManaged(&out, 8 * sizeof(float));
    shapes::Disc disc(2.0f);
    areas<<<1, 8>>>(out, disc);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        printf("%g ", out[i]);
    printf("%g %g\n", disc.area(), shapes::twice(disc.radius()));
}
