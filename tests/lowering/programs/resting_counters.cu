// Registers that loops step and that get their value back: they belong to the loops, where that is so.
#include <cstdio>

#define N 100
#define T 32

struct Pair { int first, second; };

__device__ int moved(int &w, int by) { return w += by; }
__device__ int taken(int w) { return w * 2; }

__global__ void shares(const int *x, int *y)
{
    __shared__ int s[N];
    __shared__ Pair pairs[N];
    int t = threadIdx.x, w = t;
    while (w < N) {
        s[w] = x[w];
        pairs[w].first = pairs[w].second = w;
        w = w + T;
    }
    w = t; // back
    __syncthreads();
    while (w < N) {
        if (s[w] > 90)
            break;
        pairs[w].first = s[N - 1 - w];
        pairs[w].second = w;
        w += T;
    }
    w = t;
    __syncthreads();
    y[w] = taken(w);
    while (w < N) {
        int sum = 0;
        for (int j = 0; j < N; ++j)
            sum += s[j] * (w % 7);
        y[w] += sum + (s[w] > 90 ? 0 : pairs[w].first - pairs[w].second);
        w += T;
    }
}

// A register that is narrower than its start, and one without a sign.
__global__ void narrow(const int *x, int *y)
{
    int t = threadIdx.x * 20;
    unsigned char c = t;
    unsigned u = -t;
    while (c < 200) {
        y[threadIdx.x] += x[c % N];
        c += 50;
    }
    c = t;
    __syncthreads();
    y[threadIdx.x] += c;
    while (u > 4294967000u) {
        y[threadIdx.x] += 1;
        u -= 100;
    }
    u = -t;
    y[threadIdx.x] += u / 1000 + (u > 5);
}

// None of these are back.
__global__ void others(const int *x, int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x, a = t, b = t, c = t, d = t, start = t, e = start;
    while (a < N) {
        s[a] = x[a];
        a += T;
    }
    y[t] = a; // what it has come to
    a = t;
    __syncthreads();
    while (b < n) {
        y[t] += s[b];
        b += T;
    }
    b = t + 1;
    __syncthreads();
    while (b < n) {
        y[t] += s[b];
        b += T;
    }
    b = t;
    while (c < N) {
        y[t] += moved(c, 1);
        c += T;
    }
    c = t;
    __syncthreads();
    y[t] += moved(c, 3) + c;
    while (d < N) {
        if (s[d] % 2 == 0) {
            d += 1;
            continue;
        }
        y[t] += s[d];
        d += T;
    }
    d = t;
    while (e < N) {
        y[t] += e;
        e += T;
    }
    start = 3;
    e = start;
    __syncthreads();
    y[t] += a + b + c + d + e;
}

int main()
{
    int *x, *y;
    cudaMallocManaged(&x, N * sizeof(int));
    cudaMallocManaged(&y, N * sizeof(int));
    for (int i = 0; i < N; ++i)
        x[i] = i * 37 % 97;
    for (int kind = 0; kind < 3; ++kind) {
        for (int i = 0; i < N; ++i)
            y[i] = i;
        if (kind == 0)
            shares<<<1, T>>>(x, y);
        else if (kind == 1)
            narrow<<<1, T>>>(x, y);
        else
            others<<<1, T>>>(x, y, 80);
        cudaDeviceSynchronize();
        long long sum = 0;
        for (int i = 0; i < N; ++i)
            sum += (long long)y[i] * (i % 11 + 1);
        std::printf("%lld %d %d %d\n", sum, y[0], y[13], y[31]);
    }
}
