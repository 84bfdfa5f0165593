__global__ void k(float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  blockDim.x > 32 && (__syncthreads(), true);
  x[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void l(float *x) {
  int first = threadIdx.x == 0 ? (__syncwarp(), 1) : 0;
  x[threadIdx.x] = first;
}
