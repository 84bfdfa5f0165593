// out: 100020 83 2997 2997 820 14 3 50 86 5.5 9 7 1 0
// Thrust: vectors and raw memory, function objects and lambda expressions, sorts in kernels.
#include <cstdio>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <vector>

struct Saxpy : public thrust::binary_function<float, float, float> {
    float a;
    Saxpy(float factor) : a(factor) {}
    __host__ __device__ float operator()(const float &x, const float &y) const
    {
        return __fmaf_rn(a, x, y);
    }
};

struct Bounds {
    int low, high;
};

struct Join : public thrust::binary_function<Bounds, Bounds, Bounds> {
    __device__ Bounds operator()(const Bounds &a, const Bounds &b) const
    {
        return {min(a.low, b.low), max(a.high, b.high)};
    }
};

__global__ void scale(float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= a;
}

// A function of the program's own, found beside Thrust's of that name.
template <typename T, typename Predicate>
void copy_if(const thrust::host_vector<T> &from, thrust::host_vector<T> &to, Predicate wanted)
{
    for (T one : from)
        if (wanted(one))
            to.push_back(one);
}

// Each thread sorts a row of its own.
__global__ void sort_rows(float *x, int width, int rows, int *threes)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float *row = x + r * width;
        thrust::sort(thrust::seq, row, row + width);
        threes[r] = thrust::count(thrust::seq, row, row + width, 3.0f);
    }
}

// One thread sorts what all have loaded.
__global__ void sort_blocks(int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    if (t == 0)
        thrust::sort(thrust::seq, s, s + 64, thrust::greater<int>());
    __syncthreads();
    x[blockIdx.x * 64 + t] = s[t];
}

template <typename T> T total(const thrust::device_vector<T> &values)
{
    return thrust::reduce(values.begin(), values.end());
}

int main()
{
    const int n = 1000;
    thrust::host_vector<float> h(n);
    for (int i = 0; i < n; ++i)
        h[i] = (i * 37) % 101;
    thrust::device_vector<float> x = h, y(n, 1.0f);
    scale<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(x.data()), 2.0f, n);
    cudaDeviceSynchronize();
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy(0.5f));
    thrust::sort(x.begin(), x.end(), thrust::greater<float>());
    thrust::transform(y.begin(), y.end(), y.begin(), [] __device__(float v) { return v - 2.0f; });
    std::printf("%g %g ", thrust::reduce(x.begin(), x.end(), 0.0f, thrust::plus<float>()), y[5]);

    int *raw;
    cudaMalloc(&raw, n * sizeof(int));
    thrust::device_ptr<int> p(raw);
    thrust::fill(p, p + n, 3);
    thrust::device_vector<int> offsets(n);
    thrust::exclusive_scan(thrust::cuda::par.on(0), p, p + n, offsets.begin());
    std::printf("%d %d ", int(offsets[n - 1]), offsets.back());
    std::printf("%d ", thrust::transform_reduce(
                           thrust::make_counting_iterator(0), thrust::make_counting_iterator(41),
                           [=] __host__ __device__(int i) { return i; }, 0, thrust::plus<int>()));

    thrust::device_vector<float> table(200);
    for (int i = 0; i < 200; ++i)
        table[i] = (i * 7) % 15;
    thrust::device_vector<int> threes(10);
    sort_rows<<<1, 32>>>(thrust::raw_pointer_cast(&table[0]), 20, 10, threes.data().get());
    std::printf("%g %d ", table[19], total(threes) - 10);

    thrust::device_vector<int> blocks(128);
    thrust::sequence(blocks.begin(), blocks.end());
    sort_blocks<<<2, 64>>>(thrust::raw_pointer_cast(blocks.data()));
    std::printf("%d %d ", int(blocks[13]), int(blocks[64]) - 41);

    thrust::device_vector<Bounds> pieces(8);
    for (int i = 0; i < 8; ++i)
        pieces[i] = Bounds{i + 1, 10 - i};
    std::vector<float> plain{1.0f, 4.5f};
    thrust::device_vector<float> copied = plain;
    Bounds all = thrust::reduce(pieces.begin() + 2, pieces.end(), Bounds{7, 0}, Join());
    std::printf("%g %d ", total(copied), all.high + all.low - 2);
    thrust::host_vector<float> on_host = copied;
    thrust::host_vector<float> small;
    copy_if(on_host, small, [](float x) { return x < 2.0f; });
    if (on_host != plain || small.size() != 1 || !(plain == copied) || THRUST_VERSION < 100000)
        std::printf("vectors differ ");
    thrust::pair<int, int> last = thrust::make_pair(7, 1);
    auto both = thrust::make_zip_iterator(thrust::make_tuple(blocks.begin(), threes.begin()));
    thrust::for_each(thrust::device, both, both + 2, [] __device__(auto pair) {
        thrust::get<0>(pair) = thrust::get<1>(pair) - thrust::get<1>(pair);
    });
    std::printf("%d %d %d\n", last.first, last.second, int(blocks[1]));
    cudaFree(raw);
    return 0;
}
