// References to parts of what each thread has for itself, which live across barriers.
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

struct Cell { float mass, charge; };

__global__ void elem_ref(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    Cell local[2] = {{s[t], 1}, {s[(t + 1) % 32], 2}};
    Cell &me = local[0];
    me.mass = me.mass * 2 + local[1].mass;
    __syncthreads();
    s[t] = me.mass;
    me.charge += s[t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = me.mass * 3 + s[31 - t] + me.charge;
}

__global__ void row_ref(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[2][4];
    for (int k = 0; k < 8; ++k)
        a[k / 4][k % 4] = in[t] + k;
    float (&row)[4] = a[1];
    s[t] = row[2];
    __syncthreads();
    row[1] += s[31 - t];
    __syncthreads();
    float r = 0;
    for (int k = 0; k < 4; ++k)
        r += row[k] * (k + 1);
    out[blockIdx.x * 32 + t] = r;
}

struct Mat {
    float v[4];
    __device__ float &at(int i) { return v[i]; }
};

__global__ void returned_ref(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    Mat m = {{in[t], 1, 2, 3}};
    float &e = m.at(t % 4);
    s[t] = e;
    __syncthreads();
    e += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = e;
}

struct In { float u[2]; };
struct Out { In in[2]; float w; };

__global__ void ref_of_ref(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    Out o = {{{{in[t], 1}}, {{2, 3}}}, 4};
    In &i = o.in[1];
    float &u = i.u[t & 1];
    s[t] = u;
    __syncthreads();
    u += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = u + o.w;
}

struct V { float x, y; };

__global__ void binding(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    V v = {in[t], 1};
    auto &[x, y] = v;
    s[t] = x;
    y += 1;
    __syncthreads();
    x += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = v.x + y;
}

__global__ void range_for(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[3] = {in[t], 1, 2};
    float sum = 0;
    for (float &e : a) {
        s[t] = e;
        __syncthreads();
        e += s[31 - t];
        __syncthreads();
        sum += e;
    }
    out[blockIdx.x * 32 + t] = sum + a[0] * 10 + a[2];
}

__device__ V mkv(float a) { return {a, 2 * a}; }

__global__ void const_ref_tmp(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    const V &v = mkv(in[t]);
    const float &f = in[t] * 2;
    s[t] = v.x;
    __syncthreads();
    out[blockIdx.x * 32 + t] = v.y + s[31 - t] + f;
}

__global__ void in_warp(float *out, const float *in) {
    int t = threadIdx.x;
    Cell local[2] = {{in[t], 1}, {in[t + 1], 2}};
    Cell &me = local[t & 1];
    float *q = &local[0].charge;
    me.mass += __shfl_down_sync(0xffffffff, me.mass, 1);
    *q += me.mass;
    *q += __shfl_xor_sync(0xffffffff, *q, 3);
    out[blockIdx.x * 32 + t] = me.mass + 10 * me.charge + *q;
}

__global__ void end_iter(float *out, const float *in) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float a[4] = {in[t], 1, 2, 3};
    s[t] = a[0];
    float sum = 0;
    for (float *p = a, *e = a + 4; p != e; ++p) {
        s[t] += *p;
        __syncthreads();
        *p += s[31 - t];
        sum += *p;
        __syncthreads();
    }
    out[blockIdx.x * 32 + t] = sum;
}

int main() {
    float *in = filled(64, 5, 11, 1);
    float *out = filled(64, 7, 13, -3);
    elem_ref<<<2, 32>>>(out, in);
    show("elem_ref", out);
    row_ref<<<2, 32>>>(out, in);
    show("row_ref", out);
    returned_ref<<<2, 32>>>(out, in);
    show("returned_ref", out);
    ref_of_ref<<<2, 32>>>(out, in);
    show("ref_of_ref", out);
    binding<<<2, 32>>>(out, in);
    show("binding", out);
    range_for<<<2, 32>>>(out, in);
    show("range_for", out);
    const_ref_tmp<<<2, 32>>>(out, in);
    show("const_ref_tmp", out);
    in_warp<<<2, 32>>>(out, in);
    show("in_warp", out);
    end_iter<<<2, 32>>>(out, in);
    show("end_iter", out);
    return 0;
}
