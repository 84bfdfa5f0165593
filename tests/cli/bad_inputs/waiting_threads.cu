#include <cub/cub.cuh>

// Loops that only end when blocks, or threads, have written that may come later.
__device__ unsigned arrived;

__device__ void meet(volatile int *count, int goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd((int *)count, 1);
    while (*count < goal)
      ;
  }
  __syncthreads();
}

__device__ void wait_for(volatile int *flag) {
  while (*flag == 0)
    ;
}

__global__ void all_flags(int *flag, float *x) {
  if (threadIdx.x == 0) {
    flag[blockIdx.x] = 1;
    for (int b = 0; b < gridDim.x; ++b)
      while (((volatile int *)flag)[b] == 0)
        ;
  }
  __syncthreads();
  x[threadIdx.x] += 1;
}

__global__ void counted(float *x) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x)
      ;
  }
  __syncthreads();
  x[threadIdx.x] += 1;
}

__global__ void in_functions(int *count, int *flag, float *x) {
  meet(count, gridDim.x);
  wait_for(flag);
  x[threadIdx.x] += 1;
}

__global__ void until_done(volatile int *flag, float *x) {
  bool done = false;
  while (!done) {
    if (flag[blockIdx.x + 1] == 1) {
      x[0] = 1;
      done = true;
    }
  }
  flag[blockIdx.x] = 1;
}

__global__ void one_after_the_other(volatile int *flag) {
  int b = 0;
  while (b < gridDim.x) {
    if (flag[b])
      ++b;
  }
  flag[blockIdx.x] = 1;
}

__global__ void all_at_once(volatile int *flag) {
  int all;
  flag[blockIdx.x] = 1;
  do {
    all = 1;
    for (int b = 0; b < gridDim.x; ++b)
      all &= flag[b];
  } while (!all);
}

__global__ void handed_over(int *slot, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x % 2 == 0) {
    while (atomicCAS(&slot[blockIdx.x], 1, 0) != 1)
      ;
    out[blockIdx.x] = 1;
  } else {
    atomicExch(&slot[blockIdx.x - 1], 1);
  }
}

__global__ void backwards(volatile int *status) {
  if (threadIdx.x == 0) {
    while (status[blockIdx.x - 1] == 0)
      ;
    status[gridDim.x - 1 - blockIdx.x] = 1;
  }
}

__global__ void by_data(volatile int *solved, const int *column, const int *row, float *x) {
  int i = blockIdx.x;
  for (int j = row[i]; j < row[i + 1]; ++j) {
    while (solved[column[j]] == 0)
      ;
    x[i] += x[column[j]];
  }
  solved[i] = 1;
}

__global__ void plainly(int *flag, float *x) {
  while (flag[0] == 0)
    __threadfence();
  x[0] = 1;
}

__global__ void in_a_block(float *x) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (ready == 0)
      ;
  } else {
    ready = 1;
  }
  x[threadIdx.x] = ready;
}

__global__ void together(volatile int *flag, float *x) {
  __shared__ int seen;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      seen = flag[7];
    __syncthreads();
  } while (seen == 0);
  x[threadIdx.x] = seen;
}

union Word {
  unsigned long long whole;
  struct {
    unsigned status;
    int value;
  } parts;
};

__global__ void for_the_next_word(volatile unsigned long long *words, int *out) {
  if (threadIdx.x == 0) {
    Word word;
    do
      word.whole = words[(blockIdx.x + 1) % gridDim.x];
    while (word.parts.status == 0);
    out[blockIdx.x] = word.parts.value;
    words[blockIdx.x] = word.whole;
  }
}

__device__ unsigned look(unsigned *flag) {
  return cub::ThreadLoad<cub::LOAD_CG>(flag);
}

__global__ void for_all_blocks(unsigned *flags) {
  flags[blockIdx.x] = 1;
  __threadfence();
  for (int other = 0; other < gridDim.x; ++other)
    while (look(flags + other) == 0)
      ;
}
