// Values that the lanes of a warp exchange with partners whose numbers differ in one bit.
#include <cstdio>
#include <cuda_runtime.h>
#define FULL 0xffffffffu

// Operations that commute, over the whole warp: all lanes come to the same result.
__global__ void commute(const float *x, const int *k, float *y, int *z) {
  int t = threadIdx.x;
  float sum = x[t], most = x[t], product = 1.0f + x[t] / 64;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(FULL, sum, offset);
  for (int offset = 16; offset > 0; offset >>= 1)
    most = fmaxf(__shfl_xor_sync(FULL, most, offset), most);
  for (int offset = 16; offset > 0; offset >>= 1)
    product = product * __shfl_xor_sync(FULL, product, offset);
  int bits = 1 << k[t], least = k[t];
  for (int offset = 16; offset > 0; offset /= 2)
    bits |= __shfl_xor_sync(FULL, bits, offset);
  for (int offset = 16; offset > 0; offset /= 2)
    least = min(least, __shfl_xor_sync(FULL, least, offset));
  y[t] = sum + t;
  y[64 + t] = most - t;
  y[128 + t] = product;
  z[t] = bits;
  z[64 + t] = least;
}

// Halves of a warp, the first turn left out, and operations whose operands have an order.
__global__ void keep(const float *x, const int *k, float *y, int *z) {
  int t = threadIdx.x;
  float part = x[t], last = x[t], difference = x[t];
  for (int offset = 8; offset > 0; offset /= 2)
    part += __shfl_xor_sync(FULL, part, offset);
  for (int offset = 16; offset > 2; offset /= 2)
    last += __shfl_xor_sync(FULL, last, offset);
  for (int offset = 16; offset > 0; offset /= 2)
    difference -= __shfl_xor_sync(FULL, difference, offset);
  int cut = k[t], scaled = k[t];
  for (int offset = 16; offset > 0; offset /= 2) {
    float other = __shfl_xor_sync(FULL, cut, offset);
    cut = cut + (int)(other / 2);
  }
  for (int offset = 16; offset > 0; offset /= 2)
    scaled = scaled + offset * __shfl_xor_sync(FULL, scaled, offset);
  y[t] = part;
  y[64 + t] = last;
  y[128 + t] = difference;
  z[t] = cut;
  z[64 + t] = scaled;
}

// Only some lanes are there, and the last warp is not full.
__global__ void some(const int *k, int *z) {
  int t = threadIdx.x, sum = k[t], partial = k[t];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(__activemask(), sum, offset, 16);
  if (t < 32)
    for (int offset = 16; offset > 0; offset /= 2)
      partial += __shfl_xor_sync(FULL, partial, offset);
  z[t] = sum;
  z[64 + t] = partial;
}

// Masks and distances of more than a lane: shuffles take the low five bits. Lanes behind the segment give
// nothing, a lane keeps its own.
__global__ void masked(const int *k, int *z, int mask) {
  int t = threadIdx.x, sum = k[t];
  int v = __shfl_xor_sync(FULL, k[t], mask) * 100 + __shfl_xor_sync(FULL, k[t], mask, 16);
  for (int m = 1; m < 32; m += m)
    sum = sum * 3 + __shfl_xor_sync(FULL, sum, m);
  for (int m = 1; m <= mask; m *= 2)
    sum += __shfl_xor_sync(FULL, sum, m);
  v += __shfl_up_sync(FULL, k[t], mask) * 7 + __shfl_down_sync(FULL, k[t], mask, 16) * 5;
  z[t] = v + sum + __shfl_xor_sync(FULL, t, 40);
}

int main() {
  float *x, *y;
  int *k, *z;
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&k, 64 * sizeof(int));
  cudaMallocManaged(&y, 192 * sizeof(float));
  cudaMallocManaged(&z, 128 * sizeof(int));
  for (int i = 0; i < 64; ++i) {
    x[i] = (i * 37 % 64) / 7.0f - 3.0f;
    k[i] = i * 11 % 23 + i / 32;
  }
  for (int round = 0; round < 2; ++round) {
    if (round == 0)
      commute<<<1, 64>>>(x, k, y, z);
    else
      keep<<<1, 64>>>(x, k, y, z);
    cudaDeviceSynchronize();
    for (int i = 0; i < 192; ++i)
      printf("%a ", y[i]);
    for (int i = 0; i < 128; ++i)
      printf("%d ", z[i]);
    printf("\n");
  }
  for (int threads = 64; threads >= 48; threads -= 16) {
    some<<<1, threads>>>(k, z);
    cudaDeviceSynchronize();
    for (int i = 0; i < threads; ++i)
      printf("%d %d ", z[i], z[64 + i]);
    printf("\n");
  }
  for (int mask = -1; mask < 80; mask += 17) {
    masked<<<1, 64>>>(k, z, mask);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
      printf("%d ", z[i]);
    printf("\n");
  }
}
