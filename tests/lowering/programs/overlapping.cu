// Pointers that overlap: what a barrier orders must stay in order.
#include <cstdio>

struct Pair {
    float *a;
    const float *b;
    int n;
};
__global__ void shift(float *x, const float *y) {
    int t = threadIdx.x;
    float v = y[t];
    __syncthreads();
    x[t] = v;
}

__global__ void shift2(float *x, const float *y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = y[i] + 1;
        __syncthreads();
        x[i] = v;
        __syncthreads();
    }
}

__global__ void pair(Pair p) {
    int t = threadIdx.x;
    if (t < p.n)
        p.a[t] += 1;
    __syncthreads();
    float v = t < p.n ? p.b[t] : 0;
    __syncthreads();
    if (t < p.n)
        p.a[p.n - 1 - t] = v;
}

// Every thread may change what all read.
__global__ void uniform(float *x, const float *scale, const int *count) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < *count; ++k) {
        float f = scale[0];
        __syncthreads();
        s[t] += f;
        x[t] = s[t];
        __syncthreads();
    }
    float g = scale[1];
    __syncthreads();
    x[t] = s[63 - t] + g;
}

__global__ void chain(float *a, float *b, float *c) {
    int t = threadIdx.x;
    float v = b[t] + 1;
    __syncthreads();
    a[t] = v;
    __syncthreads();
    v = a[t] * 2;
    __syncthreads();
    b[63 - t] = v;
    __syncthreads();
    v = a[t] + b[t];
    __syncthreads();
    c[t] = v;
}

__global__ void sums(const float *x, float *out, int n) {
    __shared__ float s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&s, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = s;
    __syncthreads();
    out[threadIdx.x + 1] = x[threadIdx.x] / s;
}

__global__ void rows(float *m, int n) {
    int j = threadIdx.x;
    for (int i = 1; i < n; ++i) {
        float up = m[(i - 1) * 32 + (j + 1) % 32];
        m[i * 32 + j] += up;
        __syncthreads();
    }
}

__global__ void gauss(float *m, int n) {
    int j = threadIdx.x;
    for (int k = 0; k < n - 1; ++k) {
        if (j > k && j < n)
            m[j * n + k] /= m[k * n + k];
        __syncthreads();
        for (int i = k + 1; i < n; ++i)
            if (j > k && j < n)
                m[j * n + i] -= m[j * n + k] * m[k * n + i];
        __syncthreads();
    }
}

__global__ void through(float **rows_, int n) {
    int t = threadIdx.x;
    float *a = rows_[0], *b = rows_[1];
    for (int k = 0; k < n; ++k) {
        float v = a[(t + 1) % 64];
        __syncthreads();
        b[t] = v + k;
        __syncthreads();
        float *c = a;
        a = b;
        b = c;
    }
}

__global__ void bytes(unsigned char *c, int *w) {
    int t = threadIdx.x;
    c[t] = t;
    __syncthreads();
    if (t < 16)
        w[t] = (w[t] ^ 3 * t) / 3;
    __syncthreads();
    int even = c[t] & 1 ? 0 : 1;
    __syncthreads();
    c[63 - t] += even;
}

__global__ void punned(float *o) {
    __shared__ float4 v[16];
    float *f = (float *)v;
    int t = threadIdx.x;
    f[t] = t;
    __syncthreads();
    if (t < 16) {
        float4 q = v[(t + 1) & 15];
        v[t].x = q.y;
    }
    __syncthreads();
    o[t] = f[t ^ 1] + ((int *)v)[t & 3];
}

__global__ void members(float2 *p, float *q) {
    int t = threadIdx.x;
    p[t].x = t;
    __syncthreads();
    float v = q[2 * ((t + 5) % 64)];
    __syncthreads();
    p[t].y = v;
    __syncthreads();
    v = p[(t + 1) % 64].y;
    __syncthreads();
    q[2 * t] += v;
}

__device__ float scratch[64];
__global__ void global_alias(float *p) {
    int t = threadIdx.x;
    scratch[t] = t;
    __syncthreads();
    float v = p[63 - t];
    __syncthreads();
    p[t] = v + 1;
    __syncthreads();
    v = scratch[(t + 2) % 64];
    __syncthreads();
    p[t] += v;
}

int main() {
    float *x;
    cudaMallocManaged(&x, 4096);
    int *cnt = (int *)(x + 900);
    auto reset = [&] {
        for (int i = 0; i < 800; ++i)
            x[i] = i * 7 % 13;
        *cnt = 3;
    };
    auto show = [&](const char *n) {
        cudaDeviceSynchronize();
        double s = 0;
        for (int i = 0; i < 800; ++i)
            s += (double)x[i] * (i % 37 + 1);
        printf("%s %.10g\n", n, s);
        reset();
    };
    reset();
    shift<<<1, 64>>>(x + 1, x);
    show("shift");
    shift<<<1, 64>>>(x, x + 1);
    show("shift back");
    shift2<<<1, 64>>>(x + 1, x, 256);
    show("shift2");
    shift2<<<1, 64>>>(x + 65, x, 256);
    show("shift2 far");
    shift2<<<1, 64>>>(x, x + 3, 256);
    show("shift2 back");
    pair<<<1, 64>>>(Pair{x, x + 1, 50});
    show("pair");
    pair<<<1, 64>>>(Pair{x, x, 64});
    show("pair same");
    uniform<<<1, 64>>>(x, x + 5, cnt);
    show("uniform");
    uniform<<<1, 64>>>(x, x, (int *)cnt);
    show("uniform 0");
    chain<<<1, 64>>>(x, x, x + 10);
    show("chain");
    chain<<<1, 64>>>(x, x + 1, x);
    show("chain 2");
    chain<<<1, 64>>>(x, x + 64, x + 128);
    show("chain 3");
    sums<<<1, 64>>>(x + 100, x, 200);
    show("sums");
    rows<<<1, 32>>>(x, 9);
    show("rows");
    for (int i = 0; i < 20; ++i)
        x[i * 20 + i] += 50;
    gauss<<<1, 32>>>(x, 20);
    show("gauss");
    float **r;
    cudaMallocManaged(&r, 16);
    r[0] = x;
    r[1] = x + 64;
    through<<<1, 64>>>(r, 5);
    show("through");
    r[1] = x;
    through<<<1, 64>>>(r, 4);
    show("through same");
    bytes<<<1, 64>>>((unsigned char *)x, (int *)x);
    cudaDeviceSynchronize();
    unsigned s = 0;
    for (int i = 0; i < 64; ++i)
        s += ((unsigned char *)x)[i] * (i + 1);
    printf("bytes %u\n", s);
    reset();
    punned<<<1, 64>>>(x);
    show("punned");
    members<<<1, 64>>>((float2 *)x, x);
    show("members");
    members<<<1, 64>>>((float2 *)x, x + 1);
    show("members y");
    float *p;
    cudaGetSymbolAddress((void **)&p, scratch);
    global_alias<<<1, 64>>>(p);
    cudaMemcpy(x, p, 256, cudaMemcpyDeviceToHost);
    show("global alias");
}
