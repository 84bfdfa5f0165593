// Pointers that live across barriers, to what each thread has for itself.
#include <cstdio>

static float *filled(int n, int factor, int modulus, int offset) {
    float *p;
    cudaMallocManaged(&p, n * sizeof(float));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<float>(i * factor % modulus + offset);
    return p;
}

static void show(const char *what, const float *p) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < 64; ++i)
        printf(" %g", p[i]);
    printf("\n");
}

__global__ void ptr_array(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[3] = {in[t], 2, in[t + 1]};
    float *q = a;
    q += 1;
    s[t] = *q + a[0];
    __syncthreads();
    *q += s[31 - t];
    q[-1] *= 2;
    __syncthreads();
    out[blockIdx.x * 32 + t] = q[0] + q[-1] * 10 + q[1] * 100;
}

struct V { float x, y; };

__global__ void ptr_struct(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    V a = {in[t], 1};
    V *q = &a;
    q->x += 1;
    s[t] = q->x;
    __syncthreads();
    q->y += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = q->x + q->y * 10;
}

__global__ void chosen(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    V a = {in[t], 1}, b = {2, in[t]};
    V *q = in[t] > 3 ? &a : &b;
    s[t] = q->x;
    __syncthreads();
    q->y += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = q->y + 10 * q->x;
}

__global__ void switched(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a = in[t], b = 2, c = 3;
    float *q;
    switch (t % 3) {
    case 0:
        q = &a;
        break;
    case 1:
        q = &b;
        break;
    default:
        q = &c;
    }
    s[t] = *q;
    __syncthreads();
    *q += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = *q;
}

__global__ void scoped(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float x = in[t];
    float *q = &x;
    if (in[33] > -100) {
        float y[2] = {x, 3};
        q = y;
        s[t] = *q;
        __syncthreads();
        q[1] += s[31 - t];
        x += q[1];
        __syncthreads();
        q = &x;
    }
    out[blockIdx.x * 32 + t] = *q;
}

__device__ float *bigger(float *a, float *b) { return *a > *b ? a : b; }

__global__ void returned(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a = in[t], b = 2;
    float *q = bigger(&a, &b);
    s[t] = *q;
    __syncthreads();
    *q += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = *q + s[(t + 3) % 32];
}

__device__ void pick(float **q, float *a, float *b, bool c) { *q = c ? a : b; }

__global__ void out_ptr(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a = in[t], b = 2;
    float *q;
    pick(&q, &a, &b, t & 1);
    s[t] = *q;
    __syncthreads();
    *q += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = *q + s[(t + 3) % 32];
}

__device__ void pick2(float *&q, float *a, float *b, bool c) { q = c ? a : b; }

__global__ void ref_ptr(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a = in[t], b = 2;
    float *q = nullptr;
    pick2(q, &a, &b, t & 1);
    s[t] = *q;
    __syncthreads();
    *q += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = *q + s[(t + 3) % 32];
}

__global__ void ptr_ptr(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[2] = {in[t], 1}, b[2] = {3, 4};
    float *rows[2] = {a, b};
    s[t] = rows[t % 2][0];
    __syncthreads();
    rows[t % 2][1] += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = rows[0][1] + 10 * rows[1][1] + rows[1 - t % 2][0];
}

__global__ void loop_carried(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[4] = {in[t], in[t + 1], 2, 3}, b[4] = {};
    float *src = a, *dst = b;
    for (int k = 0; k < 3; ++k) {
        s[t] = src[k];
        __syncthreads();
        for (int j = 0; j < 4; ++j) dst[j] = src[j] + s[31 - t] * j;
        __syncthreads();
        float *tmp = src; src = dst; dst = tmp;
    }
    out[blockIdx.x * 32 + t] = src[0] + 10 * src[1] + 100 * src[3] + dst[2];
}

__global__ void loop_local(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
        float a[2] = {in[t] + k, 1.f * k};
        float *q = &a[k & 1];
        s[t] = *q;
        __syncthreads();
        *q += s[31 - t];
        __syncthreads();
        sum += *q;
    }
    out[blockIdx.x * 32 + t] = sum;
}

__global__ void cast_vec(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float4 v = {in[t], 1, 2, 3};
    float *p = reinterpret_cast<float *>(&v);
    s[t] = p[t % 4];
    __syncthreads();
    p[1] += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = p[0] + p[1] * 10 + p[3];
}

__global__ void syncwarp(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[3] = {in[t], 2, in[t + 1]};
    float *q = a + t % 3;
    s[t] = *q;
    __syncwarp();
    *q += s[31 - t];
    __syncwarp();
    out[blockIdx.x * 32 + t] = *q;
}

int main() {
    float *in = filled(64, 5, 11, 1);
    float *out = filled(64, 7, 13, -3);
    ptr_array<<<2, 32>>>(out, in);
    show("ptr_array", out);
    ptr_struct<<<2, 32>>>(out, in);
    show("ptr_struct", out);
    chosen<<<2, 32>>>(out, in);
    show("chosen", out);
    switched<<<2, 32>>>(out, in);
    show("switched", out);
    scoped<<<2, 32>>>(out, in);
    show("scoped", out);
    returned<<<2, 32>>>(out, in);
    show("returned", out);
    out_ptr<<<2, 32>>>(out, in);
    show("out_ptr", out);
    ref_ptr<<<2, 32>>>(out, in);
    show("ref_ptr", out);
    ptr_ptr<<<2, 32>>>(out, in);
    show("ptr_ptr", out);
    loop_carried<<<2, 32>>>(out, in);
    show("loop_carried", out);
    loop_local<<<2, 32>>>(out, in);
    show("loop_local", out);
    cast_vec<<<2, 32>>>(out, in);
    show("cast_vec", out);
    syncwarp<<<2, 32>>>(out, in);
    show("syncwarp", out);
    return 0;
}
