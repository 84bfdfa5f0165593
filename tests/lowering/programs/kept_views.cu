// Objects that hold pointers and references to what each thread has for itself.
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

struct View { float *data; int n; };

__global__ void in_struct(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[4] = {in[t], 1, 2, 3};
    View v{a, 4};
    v.data[1] += 1;
    s[t] = v.data[0];
    __syncthreads();
    v.data[2] += s[31 - t];
    __syncthreads();
    float r = 0;
    for (int k = 0; k < v.n; ++k)
        r += v.data[k] * (k + 1);
    out[blockIdx.x * 32 + t] = r;
}

struct Acc {
    float &r;
    __device__ void add(float v) { r += v; }
};

__global__ void holder(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float x = in[t];
    Acc acc{x};
    acc.add(1);
    s[t] = x;
    __syncthreads();
    acc.add(s[31 - t]);
    __syncthreads();
    acc.add(1);
    out[blockIdx.x * 32 + t] = acc.r + s[(t + 1) % 32];
}

struct Cur {
    float *p;
    __device__ void set(float *q) { p = q; }
    __device__ float get() const { return *p; }
};

__global__ void set_method(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float x = in[t], y = 5;
    Cur c;
    c.set(t & 1 ? &x : &y);
    s[t] = c.get();
    __syncthreads();
    float r = c.get() + s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = r + c.get();
}

struct Self { float v[2]; float *cur; };

__global__ void self_ref(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    Self c;
    c.v[0] = in[t]; c.v[1] = 2;
    c.cur = &c.v[t & 1];
    s[t] = *c.cur;
    __syncthreads();
    *c.cur += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = *c.cur + c.v[0];
}

__global__ void lambda_cap(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[2] = {in[t], 1};
    auto add = [&](float v) { a[0] += v; a[1] += 2 * v; };
    add(1);
    s[t] = a[0];
    __syncthreads();
    add(s[31 - t]);
    __syncthreads();
    add(2);
    out[blockIdx.x * 32 + t] = s[(t + 3) % 32];
}

__global__ void lambda_cap2(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[2] = {in[t], 1};
    float *p = a;
    auto get = [p](int i) { return p[i]; };
    s[t] = get(0);
    a[1] += 1;
    __syncthreads();
    float r = get(1) + s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = r + get(0);
}

struct P { float w[4]; };

__global__ void param_copy(float *out, const float *in, P p) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float *q = p.w;
    q[t % 4] += in[t];
    s[t] = q[1];
    __syncthreads();
    q[0] += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = q[0] + q[1] + q[2] * 10;
}

int main() {
    float *in = filled(64, 5, 11, 1);
    float *out = filled(64, 7, 13, -3);
    in_struct<<<2, 32>>>(out, in);
    show("in_struct", out);
    holder<<<2, 32>>>(out, in);
    show("holder", out);
    set_method<<<2, 32>>>(out, in);
    show("set_method", out);
    self_ref<<<2, 32>>>(out, in);
    show("self_ref", out);
    lambda_cap<<<2, 32>>>(out, in);
    show("lambda_cap", out);
    lambda_cap2<<<2, 32>>>(out, in);
    show("lambda_cap2", out);
    param_copy<<<2, 32>>>(out, in, P{{1, 2, 3, 4}});
    show("param_copy", out);
    return 0;
}
