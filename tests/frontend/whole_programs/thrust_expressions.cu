// out: 0 2 4 6 3 8 13 18 2 20 0.085 0.601 0.892 5 6 2 0.4 2 1.5 3 3 5 1 4
// Placeholders, complex and random numbers of Thrust, on the host and in kernels; half counters.
#include <cstdio>
#include <cuda_fp16.h>
#include <thrust/complex.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

struct Range {
    float low, high;
};
struct Widen {
    __host__ __device__ Range operator()(Range a, Range b) const {
        return {thrust::min(a.low, b.low), thrust::max(a.high, b.high)};
    }
};

struct Uniform {
    __host__ __device__ float operator()(unsigned index) const {
        thrust::default_random_engine engine;
        engine.discard(index);
        thrust::uniform_real_distribution<float> between(0.0f, 1.0f);
        return between(engine);
    }
};

__global__ void quotients(const float *x, float *out) {
    int i = threadIdx.x;
    thrust::complex<float> z(x[i], 1.0f), w(1.0f, 2.0f);
    z = z / w + thrust::conj(w) * 0.5f;
    out[2 * i] = z.real();
    out[2 * i + 1] = thrust::norm(z - thrust::complex<float>(z.real(), 0)) + 2.0f;
}

__global__ void halves(float *out) {
    __half count = __float2half(1.5f), before = count++;
    ++count;
    __half last = --count;
    out[0] = __half2float(before);
    out[1] = __half2float(last) + 0.5f;
}

int main() {
    using namespace thrust::placeholders;
    thrust::device_vector<int> v(4), w(4);
    thrust::sequence(v.begin(), v.end());
    thrust::transform(v.begin(), v.end(), w.begin(), _1 * 2);
    for (int i = 0; i < 4; ++i)
        printf("%d ", int(w[i]));
    thrust::transform(v.begin(), v.end(), w.begin(), w.begin(), 3 * _1 + _2 + 3);
    for (int i = 0; i < 4; ++i)
        printf("%d ", int(w[i]));
    printf("%d ", int(thrust::count_if(w.begin(), w.end(), _1 > 3 && _1 % 2 == 0)));
    auto odd = thrust::make_transform_iterator(v.begin(), 2 * _1 + 2);
    printf("%d ", thrust::reduce(odd, odd + 4));

    thrust::device_vector<float> r(4);
    thrust::counting_iterator<unsigned> first(0);
    thrust::transform(first, first + 4, r.begin(), Uniform());
    printf("%.3f %.3f %.3f ", float(r[1]), float(r[2]), float(r[3]));
    thrust::minstd_rand engine(7);
    engine.discard(7);
    thrust::uniform_int_distribution<int> die(1, 6);
    int a = die(engine), b = die(engine), c = die(engine);
    printf("%d %d %d ", a, b, c);

    float *x, *out;
    cudaMallocManaged(&x, 4 * sizeof(float));
    cudaMallocManaged(&out, 8 * sizeof(float));
    for (int i = 0; i < 4; ++i)
        x[i] = i;
    thrust::complex<double> unit(0, 1);
    unit *= unit;
    quotients<<<1, 4>>>(x, out);
    cudaDeviceSynchronize();
    printf("%.1f %g ", out[0] - 0.5f, unit.real() + 3);
    halves<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%g %g ", out[0], out[1]);
    printf("%d %g ", int(unit == thrust::complex<double>(-1, 0)) + 2, thrust::abs(unit) + 4);
    const Range both = Widen()({1, 3}, {2, 4});
    printf("%g %g\n", both.low, both.high);
}
