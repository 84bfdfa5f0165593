// In blocks of one warp its votes choose the case that waits for the whole block.
#include <cstdio>
#define FULL 0xffffffffu
__global__ void chosen(const int *x, int *y, int m) {
  __shared__ int s[32];
  int t = threadIdx.x, v = x[32 * blockIdx.x + t];
  s[t] = v;
  unsigned below = __ballot_sync(FULL, v < 4);
  switch ((__popc(below) + m) % 3) {
  case 0:
    v += 100;
    [[fallthrough]];
  case 1:
    __syncthreads();
    v += s[(t + 1) % 32];
    break;
  default:
    v = -v;
  }
  y[32 * blockIdx.x + t] = v;
}
int main() {
  int h[64], *x, *y;
  for (int i = 0; i < 64; i++)
    h[i] = i * 5 % 11 + i / 32;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  for (int m = 0; m < 3; m++) {
    chosen<<<2, 32>>>(x, y, m);
    int r[64];
    cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
      printf("%d%c", r[i], i % 32 == 31 ? '\n' : ' ');
  }
}
