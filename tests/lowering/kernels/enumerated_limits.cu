// Limits that are enumerators: what `std::min` is to be cannot be deduced from them and a number.
enum { OCTANTS = 8 };
enum Last : unsigned { LAST = 7u };

__global__ void above(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < LAST)
    x[i] += 1;
}

__global__ void sweep(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int octant = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || octant >= OCTANTS)
    return;
  x[octant * n + i] = 1;
}

void launch(float *x, int n, dim3 grid, dim3 block) {
  above<<<grid.x, block.x>>>(x);
  sweep<<<grid, block>>>(x, n);
}
