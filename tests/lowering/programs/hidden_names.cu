// A name of an inner scope hides one of an outer scope: what is moved, kept or computed again means
// the same variable as before.
#include <algorithm>
#include <cstdio>
#define N 16

// The outer x, then one that is the same for all threads.
__global__ void inner_uniform(int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int x = n * 5;
    s[t] = y[blockIdx.x * N + t];
    __syncthreads();
    {
        s[t] += x;
        int x = 7;
        s[t] ^= x;
        __syncthreads();
        s[t] += s[(t + 1) % N] * 0 + x;
    }
    __syncthreads();
    y[blockIdx.x * N + t] = s[(t + 3) % N] + x;
}

// What is computed again stands in a loop over another k.
__global__ void remat_loop(int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int k = n & 3;
    s[t] = y[blockIdx.x * N + t];
    for (int i = 0; i < n; ++i) {
        int v = k * 5 + t;
        __syncthreads();
        int a = s[(t + 1) % N];
        __syncthreads();
        for (int k = 0; k < 2; ++k) {
            s[t] += v + k + a;
            __syncthreads();
            s[t] ^= s[(t + 2) % N] * 0 + v;
        }
    }
    __syncthreads();
    y[blockIdx.x * N + t] = s[t];
}

// Both names are given again in the loop, after they have been used.
__global__ void hoist_block(int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int a = n * 2;
    int b = a + 1;
    s[t] = y[blockIdx.x * N + t];
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        s[t] += a + b;
        int a = b * i;
        s[t] += a;
        int b = a + i;
        __syncthreads();
        int u = s[(t + a) % N];
        __syncthreads();
        s[t] ^= u + b;
        if (i % 2) {
            s[t] += a;
            int a = i + b;
            s[t] ^= a;
            __syncthreads();
            s[t] += a + s[(t + 1) % N] * 0;
            __syncthreads();
        }
    }
    __syncthreads();
    y[blockIdx.x * N + t] = s[t] + a * b;
}

// Variables of one name and several types, all of them kept.
__global__ void two_arrays(int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = y[blockIdx.x * N + t];
    __syncthreads();
    {
        unsigned ddd[3] = {1u, 2u, s[(t + 1) % N] + 3u};
        __syncthreads();
        s[t] += ddd[2] + ddd[n % 2];
    }
    __syncthreads();
    {
        unsigned ddd = s[(t + 5) % N];
        __syncthreads();
        s[t] ^= ddd;
    }
    __syncthreads();
    unsigned ddd = s[(t + 7) % N];
    {
        float ddd = s[(t + 2) % N] * 0.5f;
        __syncthreads();
        s[t] += (int)ddd;
    }
    __syncthreads();
    y[blockIdx.x * N + t] = s[t] + ddd;
}

// Variables that are called like a function, a type, a variable of the file.
struct point { int x, y; };
__device__ int helper(int a) { return a * 3 + 1; }
__device__ int depth = 4;
#define WIDTH 5
__device__ int viashadow(int v) { return v + depth + WIDTH; }
__global__ void names_of_things(int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = y[blockIdx.x * N + t] + helper(t);
    __syncthreads();
    {
        int helper = s[(t + 1) % N];
        int depth = helper + 1;
        __syncthreads();
        s[t] += helper + depth;
    }
    __syncthreads();
    s[t] += helper(depth);
    __syncthreads();
    {
        int point = s[(t + 1) % N], min = 3, i = t, block = 2, grid = 1, j = 2;
        __syncthreads();
        s[t] += point + min + i + block + grid + j;
    }
    __syncthreads();
    point p = {s[(t + 1) % N], 2};
    __syncthreads();
    s[t] += p.x + p.y + std::min(p.x, n) + viashadow(t);
    y[blockIdx.x * N + t] = s[t];
}

// Parameters and variables of functions, lambdas and conditions.
#define SQ(v) ((v) * (v))
__device__ int f(int a, int &b)
{
    int c = a + threadIdx.x;
    __syncthreads();
    for (int a = 0; a < 2; ++a)
        c += a * b;
    b += 1;
    return c;
}
__device__ int g(int *s, int a)
{
    int b = a;
    int c = f(b, a);
    {
        int a = c + b;
        s[threadIdx.x] += a;
        c = f(a, b);
    }
    return c + b + a;
}
__global__ void inlined(int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int a = n, b = 3, c = t;
    s[t] = y[blockIdx.x * N + t];
    __syncthreads();
    for (int a = 0; a < 2; ++a) {
        int c = g(s, b + a);
        b += SQ(c & 7);
        __syncthreads();
        auto h = [&](int b) { int a = b * c; return a + b; };
        s[t] ^= h(a) + b;
        __syncthreads();
    }
    if (int a = s[(t + 1) % N] & 7; a > 2) {
        b += a;
        int c = a * 2;
        b -= c;
    } else {
        c += a;
    }
    __syncthreads();
    y[blockIdx.x * N + t] = s[t] + a + b + c;
}

void show(const char *name, int *x)
{
    int host[2 * N];
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s", name);
    for (int i = 0; i < 2 * N; ++i) {
        printf(" %d", host[i]);
        host[i] = i * i % 7;
    }
    printf("\n");
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
}

int main()
{
    int *x;
    cudaMalloc(&x, 2 * N * sizeof(int));
    cudaMemset(x, 0, 2 * N * sizeof(int));
    inner_uniform<<<2, N>>>(x, 3);
    show("inner_uniform", x);
    remat_loop<<<2, N>>>(x, 4);
    show("remat_loop", x);
    hoist_block<<<2, N>>>(x, 3);
    show("hoist_block", x);
    two_arrays<<<2, N>>>(x, 4);
    show("two_arrays", x);
    names_of_things<<<2, N>>>(x, 3);
    show("names_of_things", x);
    inlined<<<2, N>>>(x, 4);
    show("inlined", x);
}
