// References that functions give back: what is only a value to these stays one, and no array.
#include <cstdio>
struct Cell { float mass, speed; };
__device__ Cell &at(Cell *cells, int i) { return cells[i]; }
__device__ float &part(Cell &cell, bool fast) { return fast ? cell.speed : cell.mass; }
__global__ void k(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    Cell own[2] = {{in[t], 1}, {2, in[t + 1]}};
    Cell &me = at(own, t & 1);
    float &f = part(me, t & 2);
    f += t;
    s[t] = f;
    __syncthreads();
    f += s[63 - t];
    me.mass *= 2;
    __syncthreads();
    out[t] = own[0].mass + 10 * own[1].mass + 100 * own[0].speed + 1000 * own[1].speed + f;
}
int main() {
    float *in, *out;
    cudaMallocManaged(&in, 65 * 4); cudaMallocManaged(&out, 64 * 4);
    for (int i = 0; i < 65; ++i) in[i] = i % 7 * 0.5f;
    k<<<1, 64>>>(out, in); cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) printf("%g ", out[i]);
    printf("\n");
}
