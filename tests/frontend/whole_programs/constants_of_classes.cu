// out: real 10725 whole 9900
// Constants of classes of templates that are no integers: nvcc takes them without `constexpr`.
#include <cstdio>

struct Weights {
    static const double third; // defined below
    static const int count = 3;
};
const double Weights::third = 1.0 / 3.0;

template <typename T> struct Sum {
    static const T start = static_cast<T>(0);
    static const T scale = T(3.5);
    __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T, template <typename> class Operation>
__global__ void folded(const T *values, T *results, int n)
{
    T result = Operation<T>::start;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        result = Operation<T>()(result, values[i]);
    results[threadIdx.x] = result * T(Operation<T>::scale + Weights::count);
}

template <typename T> void run(const char *name)
{
    T *values, results[32];
    cudaMallocManaged(&values, 132 * sizeof(T));
    for (int i = 0; i < 100; ++i)
        values[i] = T(i);
    folded<T, Sum><<<1, 32>>>(values, values + 100, 100);
    cudaMemcpy(results, values + 100, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(values);
    double total = 0;
    for (T result : results)
        total += double(result) * Weights::third;
    printf("%s %g ", name, total);
}

int main()
{
    run<float>("real");
    run<int>("whole");
    printf("\n");
    return 0;
}
