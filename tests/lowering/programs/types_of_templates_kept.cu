// `auto` of what the template is given, kept over barriers: arrays have the types of the values.
#include <cstdio>
template <typename T> struct Pair { T a, b; __device__ Pair<T> twice() const { return {a + a, b + b}; } };
template <typename T> __global__ void k(T *x, Pair<T> *p, int n) {
  __shared__ T s[64];
  int t = threadIdx.x;
  auto v = x[blockIdx.x * 64 + t] * T(2);
  auto go = p[t].twice();
  auto h = n / 2;
  s[t] = v;
  __syncthreads();
  x[blockIdx.x * 64 + t] = s[63 - t] + v + go.a + h;
  __syncthreads();
  x[blockIdx.x * 64 + t] += go.b;
}
template <typename T, typename F> __global__ void k2(T *x, F f, int n) {
  __shared__ T s[64];
  int t = threadIdx.x;
  auto v = f(x[t]);
  auto u = f(x[0]);
  const auto w = f(T(n));
  s[t] = v;
  __syncthreads();
  x[t] = s[63 - t] + v + u + w;
}
struct F1 { __device__ double operator()(float x) const { return x * 2; } };
template <typename T> struct Acc { T *p; __device__ T &at(int i) const { return p[i]; } __device__ T get(int i) const { return p[i]; } __device__ T *ptr(int i) const { return p + i; } };
template <typename T> __device__ auto twice(T x) { return x + x; }
template <typename T, typename A> __global__ void views(A a, T *x, int n) {
  __shared__ T s[64];
  int t = threadIdx.x;
  auto &r = a.at(t);
  auto *q = a.ptr(t);
  auto c = a.p[t];
  auto w = twice(a.get(t));
  auto z = twice(w) + t;
  const auto i2 = blockIdx.x * blockDim.x + threadIdx.x;
  auto y = a.get(i2);
  auto m = 1;
  s[t] = r;
  __syncthreads();
  r = s[63 - t] + *q + c + w + z + y + m;
  if (n > 3) { auto e = a.get(t) * y; __syncthreads(); s[t] = e + y; __syncthreads(); x[t] += e + s[63 - t]; }
  for (auto b = T(0); b < n; ++b) { __syncthreads(); s[t] += b; __syncthreads(); x[t] += s[t / 2]; }
  x[t] += 1;
}
template <typename T> __global__ void sums(T *x, const T *y, int n) {
  __shared__ T s[64];
  int t = threadIdx.x;
  auto v = y[t];
  auto p = y + t;
  auto d = v * v;
  auto e = y[0] + n;
  auto c = v;
  auto pr = v < T(3);
  s[t] = v;
  __syncthreads();
  c += s[63 - t];
  __syncthreads();
  x[t] = s[(t + 1) % 64] + v + *p + d + e + c + pr;
}
int main()
{
    float *x;
    int *y, *z;
    signed char *c;
    Pair<float> *p;
    cudaMallocManaged(&x, 64 * sizeof(float));
    cudaMallocManaged(&y, 64 * sizeof(int));
    cudaMallocManaged(&z, 64 * sizeof(int));
    cudaMallocManaged(&c, 128);
    cudaMallocManaged(&p, 64 * sizeof(Pair<float>));
    for (int i = 0; i < 64; ++i) {
        x[i] = y[i] = z[i] = c[i] = c[i + 64] = i;
        p[i] = {float(i), float(2 * i)};
    }
    k<float><<<1, 64>>>(x, p, 4);
    k2<float><<<1, 64>>>(x, F1(), 4);
    views<<<1, 64>>>(Acc<float>{x}, x, 4);
    views<<<1, 64>>>(Acc<int>{y}, y, 4);
    sums<signed char><<<1, 64>>>(c, c + 64, 4);
    sums<<<1, 64>>>(z, z, 4); // of small numbers: their squares are numbers, too
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%g %d %d %d\n", x[i], y[i], z[i], c[i]);
}
