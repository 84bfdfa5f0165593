// Pointers and references to what each thread has for itself, in tiles of a block.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
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
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Cell local[2] = {{in[i], 1}, {2, in[i + 1]}};
    Cell &me = local[i & 1];
    me.mass += i;
    s[threadIdx.x] = me.mass;
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    me.speed += x;
    local[0].mass *= 2;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(me.mass, k);
    block.sync();
    out[i] = me.mass + 10 * me.speed + 100 * local[0].mass + 1000 * local[1].mass + x;
}

__global__ void array(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[3] = {in[i], 2, in[i + 1]};
    float *q = a;
    ++q;
    *q += 1;
    s[threadIdx.x] = q[-1];
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    *q += x;
    q[1] *= 3;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(q[-1], k);
    block.sync();
    out[i] = a[0] + 10 * a[1] + 100 * a[2] + q[0] + x;
}

__global__ void instruct(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[4] = {in[i], 1, 2, in[i + 1]};
    View v{a, 4};
    v[i & 3] += 2;
    s[threadIdx.x] = v.last();
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    v.last() += x;
    v[0] -= 1;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(v.last(), k);
    block.sync();
    out[i] = a[0] + 10 * a[1] + 100 * a[2] + 1000 * a[3] + v[1] + x;
}

__global__ void returned(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Cell cells[2] = {{in[i], 1}, {2, in[i + 1]}};
    Cell &me = at(cells, (i >> 1) & 1);
    float u = in[i], w = 3;
    float &big = bigger(u, w);
    me.speed += 3;
    big += 1;
    s[threadIdx.x] = me.speed;
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    me.mass += x;
    big *= 2;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(me.speed, k);
    block.sync();
    out[i] = cells[0].mass + 10 * cells[1].mass + 100 * cells[0].speed + 1000 * u + w + x;
}

__global__ void conditional(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + 1], c[2] = {1, 2};
    float *q = i % 3 == 0 ? &a : i % 3 == 1 ? &b : c + 1;
    *q += 5;
    s[threadIdx.x] = *q;
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    *q += x;
    a += 1;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(*q, k);
    block.sync();
    out[i] = a + 10 * b + 100 * c[0] + 1000 * c[1] + *q + x;
}

__global__ void lambda(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i];
    float r[2] = {1, in[i + 1]};
    auto bump = [&](float y) { a += y; r[i & 1] -= y; return a; };
    bump(2);
    s[threadIdx.x] = a;
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    bump(x);
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(a, k);
    block.sync();
    out[i] = a + 10 * r[0] + 100 * r[1] + x;
}

__global__ void constructed(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = 2;
    Cur cur(i & 1 ? &a : &b);
    cur.add(3);
    s[threadIdx.x] = cur.get();
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    cur.add(x);
    a *= 2;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(cur.get(), k);
    block.sync();
    out[i] = a + 10 * b + 100 * cur.get() + x;
}

__global__ void pointertopointer(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + 1];
    float *q = &a;
    float **pp = &q;
    if (i & 1) *pp = &b;
    **pp += 1;
    s[threadIdx.x] = *q;
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    *q += x;
    **pp += 1;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(*q, k);
    block.sync();
    out[i] = a + 10 * b + 100 * **pp + x;
}

__global__ void row(float *out, const float *in) {
    __shared__ float s[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float m[2][3] = {{in[i], 1, 2}, {3, in[i + 1], 4}};
    float (&row)[3] = m[i & 1];
    row[i % 3] += 2;
    s[threadIdx.x] = row[1];
    tile.sync();
    float x = s[threadIdx.x ^ 3];
    tile.sync();
    row[2] += x;
    m[0][0] += 1;
    for (int k = 4; k > 0; k /= 2)
        x += tile.shfl_down(row[1], k);
    block.sync();
    out[i] = row[0] + 10 * m[0][1] + 100 * m[1][2] + 1000 * row[2] + x;
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
