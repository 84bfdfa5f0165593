// Pointers and references to what a lane has for itself, over exchanges in its warp.
#include <cstdio>
struct Cell { float mass, speed; };
struct View {
    float *data;
    int n;
    __device__ float &operator[](int i) const { return data[i];
    }
    __device__ float &last() { return data[n - 1];
    }
};
struct Cur {
    float *p;
    __device__ Cur(float *q) : p(q) {}
    __device__ void add(float x) { *p += x;
    }
    __device__ float get() const { return *p;
    }
};
__device__ Cell &at(Cell *cells, int i) { return cells[i]; }

__device__ float &bigger(float &a, float &b) { return a > b ? a : b; }

static float *filled(int n) {
    float *p;
    cudaMallocManaged(&p, n * sizeof(float));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<float>((i * 7 + 3) % 13) * 0.5f;
    return p;
}

static void show(const char *what, const float *p, int n) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < n; ++i) printf(" %g", p[i]);
    printf("\n");
}

__global__ void part(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Cell local[2] = {{in[i], 1}, {2, in[i + 1]}};
    Cell &me = local[i & 1];
    me.mass += i;
    float x = __shfl_xor_sync(0xffffffff, me.mass, 5);
    me.speed += x;
    local[0].mass *= 2;
    float z = __shfl_down_sync(0xffffffff, me.mass, 1);
    out[i] = me.mass + 10 * me.speed + 100 * local[0].mass + 1000 * local[1].mass + 0.5f * z;
}

__global__ void array(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[3] = {in[i], 2, in[i + 1]};
    float *q = a;
    ++q;
    *q += 1;
    float x = __shfl_xor_sync(0xffffffff, q[-1], 5);
    *q += x;
    q[1] *= 3;
    float z = __shfl_down_sync(0xffffffff, q[-1], 1);
    out[i] = a[0] + 10 * a[1] + 100 * a[2] + q[0] + 0.5f * z;
}

__global__ void instruct(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[4] = {in[i], 1, 2, in[i + 1]};
    View v{a, 4};
    v[i & 3] += 2;
    float x = __shfl_xor_sync(0xffffffff, v.last(), 5);
    v.last() += x;
    v[0] -= 1;
    float z = __shfl_down_sync(0xffffffff, v.last(), 1);
    out[i] = a[0] + 10 * a[1] + 100 * a[2] + 1000 * a[3] + v[1] + 0.5f * z;
}

__global__ void returned(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Cell cells[2] = {{in[i], 1}, {2, in[i + 1]}};
    Cell &me = at(cells, (i >> 1) & 1);
    float u = in[i], w = 3;
    float &big = bigger(u, w);
    me.speed += 3;
    big += 1;
    float x = __shfl_xor_sync(0xffffffff, me.speed, 5);
    me.mass += x;
    big *= 2;
    float z = __shfl_down_sync(0xffffffff, me.speed, 1);
    out[i] = cells[0].mass + 10 * cells[1].mass + 100 * cells[0].speed + 1000 * u + w + 0.5f * z;
}

__global__ void conditional(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + 1], c[2] = {1, 2};
    float *q = i % 3 == 0 ? &a : i % 3 == 1 ? &b : c + 1;
    *q += 5;
    float x = __shfl_xor_sync(0xffffffff, *q, 5);
    *q += x;
    a += 1;
    float z = __shfl_down_sync(0xffffffff, *q, 1);
    out[i] = a + 10 * b + 100 * c[0] + 1000 * c[1] + *q + 0.5f * z;
}

__global__ void lambda(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i];
    float r[2] = {1, in[i + 1]};
    auto bump = [&](float y) { a += y; r[i & 1] -= y; return a; };
    bump(2);
    float x = __shfl_xor_sync(0xffffffff, a, 5);
    bump(x);
    float z = __shfl_down_sync(0xffffffff, a, 1);
    out[i] = a + 10 * r[0] + 100 * r[1] + 0.5f * z;
}

__global__ void constructed(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = 2;
    Cur cur(i & 1 ? &a : &b);
    cur.add(3);
    float x = __shfl_xor_sync(0xffffffff, cur.get(), 5);
    cur.add(x);
    a *= 2;
    float z = __shfl_down_sync(0xffffffff, cur.get(), 1);
    out[i] = a + 10 * b + 100 * cur.get() + 0.5f * z;
}

__global__ void pointertopointer(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + 1];
    float *q = &a;
    float **pp = &q;
    if (i & 1) *pp = &b;
    **pp += 1;
    float x = __shfl_xor_sync(0xffffffff, *q, 5);
    *q += x;
    **pp += 1;
    float z = __shfl_down_sync(0xffffffff, *q, 1);
    out[i] = a + 10 * b + 100 * **pp + 0.5f * z;
}

__global__ void row(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float m[2][3] = {{in[i], 1, 2}, {3, in[i + 1], 4}};
    float (&row)[3] = m[i & 1];
    row[i % 3] += 2;
    float x = __shfl_xor_sync(0xffffffff, row[1], 5);
    row[2] += x;
    m[0][0] += 1;
    float z = __shfl_down_sync(0xffffffff, row[1], 1);
    out[i] = row[0] + 10 * m[0][1] + 100 * m[1][2] + 1000 * row[2] + 0.5f * z;
}

int main() {
    float *in = filled(160), *out = filled(128);
    part<<<2, 64>>>(out, in);
    show("part", out, 128);
    array<<<2, 64>>>(out, in);
    show("array", out, 128);
    instruct<<<2, 64>>>(out, in);
    show("instruct", out, 128);
    returned<<<2, 64>>>(out, in);
    show("returned", out, 128);
    conditional<<<2, 64>>>(out, in);
    show("conditional", out, 128);
    lambda<<<2, 64>>>(out, in);
    show("lambda", out, 128);
    constructed<<<2, 64>>>(out, in);
    show("constructed", out, 128);
    pointertopointer<<<2, 64>>>(out, in);
    show("pointertopointer", out, 128);
    row<<<2, 64>>>(out, in);
    show("row", out, 128);
}
