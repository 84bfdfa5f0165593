// Lambdas that list what they capture, which has other names in the translation, or is in an array.
#include <cstdio>

struct Total {
    int value;
    __device__ int operator()(int x) { return value += x; }
};

__global__ void renamed(int *out, int n, Total total)
{
    int t = threadIdx.x;
    n += t;
    total(1);
    auto scaled = [n, total](int z) { return n * z + total.value; };
    auto grow = [&n](int z) { return n += z; };
    auto count = [&total, &n](int z) { return total(z) + n; };
    out[t] = scaled(2) + grow(3) + count(4) + n;
}

__global__ void kept(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = out[t];
    s[t] = x;
    auto add = [&x](int z) { x += z; };
    __syncthreads();
    add(s[63 - t]);
    int y = x + 2;
    auto twice = [y, t]() { return 2 * y + t; };
    __syncthreads();
    s[t] = twice();
    add(1);
    __syncthreads();
    out[t] = s[t ^ 1] + x;
}

// Inlined where other variables have the names that the lambdas know theirs by.
__device__ int offset(int p, int q)
{
    int t = p * 100 + threadIdx.x;
    auto mixed = [=](int z) { return z * p - q + t + int(threadIdx.x); };
    return mixed(q) - mixed(3);
}

template <typename F> __device__ int applied(F f, int t)
{
    int p = threadIdx.x & 3;
    return f(t) * 3 + f(f(1)) - p;
}

template <typename F> __device__ void repeated(F &&f, int count)
{
    for (int k = 0; k < count; ++k) {
        f(k + threadIdx.x % 2);
    }
}

__global__ void handed_on(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, p = out[t], q = t * 3;
    s[t] = p;
    int r = offset(q, p) + offset(p, q);
    auto shifted = [=](int z) { return z + p - q + t; };
    r += applied(shifted, r % 5) + applied([=](int z) { return z * q - int(threadIdx.x); }, t);
    repeated([&](int k) { s[t] += k * r % 7; }, 3);
    int calls = 10;
    r += applied([calls](int z) mutable { return z + calls++; }, 2) + calls;
    out[t] = s[t] + r;
}

// Made and called inside of others.
__global__ void nested(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, total = 0, scale = out[t], weight = scale + t;
    auto exchange = [&](int j) {
        s[t] = out[t] + j;
        __syncthreads();
        total += s[63 - t];
        __syncthreads();
    };
    auto twice = [&](int j) {
        exchange(j);
        exchange(j + scale);
    };
    auto both = [&total, scale, t](int i) {
        auto add = [&total, scale, t](int v) {
            s[t] = v;
            __syncthreads();
            total += s[63 - t] * scale;
            __syncthreads();
        };
        add(i);
        add(2);
    };
    auto grow = [&total, weight](int i) {
        auto add = [=, &total](int v) { total += v * weight; };
        add(i);
        add(2);
    };
    auto all = [&] {
        twice(0);
        twice(2);
    };
    all();
    both(1);
    grow(3);
    int moved = [&](int j) {
        s[t] = weight + j;
        __syncthreads();
        return s[t ^ 1];
    }(total);
    grow(moved);
    auto last = [=, &total](int v) { total += v * moved; };
    moved = 7;
    last(2);
    out[t] = total;
}

// What a lambda has of its own is called what something around it is called.
__global__ void own_names(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = out[t];
    __syncthreads();
    int v = s[(t + 7) % 64], h = v;
    if (n > s[3]) {
        auto f = [v = n * 3](int u) mutable { return v += u * 3; };
        h += f(t);
        h ^= f(h);
    }
    out[t] = h ^ v;
}

int main()
{
    int h[64], *d;
    for (int i = 0; i < 64; ++i)
        h[i] = i * 7 % 23;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    kept<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    nested<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    handed_on<<<1, 64>>>(d);
    own_names<<<1, 64>>>(d, 100);
    renamed<<<1, 64>>>(d, 5, Total{2});
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    printf("\n");
}
