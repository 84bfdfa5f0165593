// Threads that wait for each other and may: for locks, and for blocks that come before theirs.
// And loops that look like waits, but go on by themselves.
#include <cstdio>

const int BLOCKS = 6, THREADS = 40;

__device__ int total, order[BLOCKS], busy, tickets[2];
__device__ volatile int turn;

struct Lock {
  int *taken;
  __device__ void lock() {
    while (atomicCAS(taken, 0, 1) != 0)
      ;
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(taken, 0);
  }
};

__device__ bool try_lock(int *taken) { return atomicExch(taken, 1) == 0; }

// A lock that every lane of a warp takes: `volatile` does not say that they run in step.
__global__ void lane_locks(int *lock, volatile int *sum, const int *x) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  sum[0] = sum[0] + x[threadIdx.x];
  sum[1] = sum[0] * 2;
  sum[2] = sum[1] + sum[0];
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void block_lock(Lock lock, int *sum, const int *x) {
  if (threadIdx.x == 0) {
    lock.lock();
    for (int i = 0; i < THREADS; ++i)
      sum[0] += x[i];
    lock.unlock();
  }
}

__global__ void tried(int *lock, int *sum) {
  while (!try_lock(lock))
    ;
  sum[0]++;
  atomicSub(lock, 1);
}

__global__ void looked_at_first(int *lock, int *sum) {
  while (*(volatile int *)lock != 0 || atomicExch(lock, 1) != 0)
    ;
  sum[0]++;
  *(volatile int *)lock = 0;
}

__global__ void held_across_barriers(int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&busy, 0, 1))
      ;
  }
  __syncthreads();
  sum[threadIdx.x] += blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(&busy, 0);
}

__global__ void ticket_lock(volatile int *sum) {
  const int mine = atomicAdd(&tickets[0], 1);
  while (atomicAdd(&tickets[1], 0) != mine)
    ;
  sum[0] = sum[0] + mine;
  __threadfence();
  atomicAdd(&tickets[1], 1);
}

__global__ void in_turn(int *out) {
  if (threadIdx.x == 0) {
    while (turn != blockIdx.x)
      ;
    out[0] = out[0] * 3 + blockIdx.x;
    __threadfence();
    turn = blockIdx.x + 1;
  }
}

// A scan over blocks, each of which waits for the one before it.
__global__ void chained(volatile int *sums, volatile int *ready, int *x) {
  __shared__ int s[THREADS], before;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < THREADS; ++t)
      s[t] += s[t - 1];
    before = 0;
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0)
        ;
      before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + s[THREADS - 1];
    __threadfence();
    ready[blockIdx.x] = 1;
  }
  __syncthreads();
  x[i] = s[threadIdx.x] + before;
}

// The same in the order in which blocks have started, with a look further back.
__global__ void look_back(int *next, volatile int *status, volatile int *sums, int *x) {
  __shared__ int s[THREADS], before, number;
  if (threadIdx.x == 0)
    number = atomicAdd(next, 1);
  __syncthreads();
  const int b = number;
  s[threadIdx.x] = x[b * THREADS + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < THREADS; ++t)
      s[t] += s[t - 1];
    sums[2 * b] = s[THREADS - 1];
    __threadfence();
    status[b] = 1;
    before = 0;
    for (int p = b - 1; p >= 0; --p) {
      int found;
      while ((found = status[p]) == 0)
        ;
      before += sums[2 * p + found - 1];
      if (found == 2)
        break;
    }
    sums[2 * b + 1] = before + s[THREADS - 1];
    __threadfence();
    status[b] = 2;
  }
  __syncthreads();
  x[b * THREADS + threadIdx.x] = s[threadIdx.x] + before;
}

__global__ void looked_for(volatile int *sorted, int n, int *out) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < 3 * int(threadIdx.x))
      low = middle + 1;
    else
      high = middle;
  }
  out[threadIdx.x] = low;
}

__global__ void to_the_root(int *parent, int *out) {
  int child = threadIdx.x, p = ((volatile int *)parent)[child];
  while (p != child) {
    child = p;
    p = ((volatile int *)parent)[child];
  }
  out[threadIdx.x] = child;
}

__global__ void chained_buckets(int *next, int n) {
  int key = threadIdx.x % 4;
  while (true) {
    int found = atomicCAS(&next[key], -1, n + threadIdx.x);
    if (found == -1)
      break;
    else
      key = found;
  }
}

__global__ void until_nothing_changes(int *x, int n) {
  __shared__ bool again;
  volatile int *v = x;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      again = false;
    __syncthreads();
    if (threadIdx.x < n && v[threadIdx.x] > 0) {
      v[threadIdx.x] = v[threadIdx.x] - 1;
      again = true;
    }
    __syncthreads();
  } while (again);
}

union Word {
  unsigned long long whole;
  struct {
    unsigned status;
    int value;
  } parts;
};

__device__ void publish(volatile unsigned long long *words, int at, unsigned status, int value) {
  Word word;
  word.parts.status = status;
  word.parts.value = value;
  words[at] = word.whole;
}

// The state of a block and its value are one word, of which only the state is asked for.
__global__ void words_of_blocks(volatile unsigned long long *words, int *ticket, int *sums) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    const int mine = atomicAdd(ticket, 1);
    publish(words, mine, mine == 0 ? 2 : 1, mine + 1);
    int sum = 0;
    for (int look = mine - 1; look >= 0; --look) {
      Word word;
      do
        word.whole = words[look];
      while (word.parts.status == 0);
      sum += word.parts.value;
      if (word.parts.status == 2)
        break;
    }
    if (mine != 0)
      publish(words, mine, 2, sum + mine + 1);
    before = sum;
    sums[mine] = sum;
  }
  __syncthreads();
  atomicAdd(&sums[BLOCKS], before);
}

int main() {
  const int n = BLOCKS * THREADS;
  int *x, *y;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&y, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    x[i] = i % 7;
    y[i] = 0;
  }
  lane_locks<<<BLOCKS, THREADS>>>(y, y + 1, x);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", y[1], y[2], y[3]);
  block_lock<<<BLOCKS, THREADS>>>(Lock{y}, y + 4, x);
  tried<<<BLOCKS, THREADS>>>(y, y + 5);
  looked_at_first<<<BLOCKS, THREADS>>>(y, y + 6);
  held_across_barriers<<<BLOCKS, THREADS>>>(y + 10);
  ticket_lock<<<BLOCKS, THREADS>>>(y + 7);
  in_turn<<<BLOCKS, THREADS>>>(y + 8);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d %d\n", y[4], y[5], y[6], y[7], y[8], y[10]);
  cudaMemset(y, 0, n * sizeof(int));
  chained<<<BLOCKS, THREADS>>>(y, y + BLOCKS, x);
  look_back<<<BLOCKS, THREADS>>>(y + 100, y + 101, y + 120, x);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    printf("%d ", x[i]);
  cudaMemset(y, 0, n * sizeof(int));
  words_of_blocks<<<BLOCKS, THREADS>>>((unsigned long long *)y, y + 100, y + 110);
  cudaDeviceSynchronize();
  for (int i = 0; i <= BLOCKS; ++i)
    printf("%d ", y[110 + i]);
  looked_for<<<1, THREADS>>>(x, n, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < THREADS; ++i) {
    printf("%d ", y[i]);
    x[i] = i / 2;
  }
  to_the_root<<<1, THREADS>>>(x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    printf("%d ", y[i]);
    x[i] = -1;
  }
  chained_buckets<<<1, THREADS>>>(x, 4);
  cudaDeviceSynchronize();
  int free_places = 0;
  for (int i = 0; i < 4 + THREADS; ++i)
    free_places += x[i] == -1;
  for (int i = 0; i < n; ++i)
    x[i] = i % 5;
  until_nothing_changes<<<1, 64>>>(x, 50);
  cudaDeviceSynchronize();
  printf("\n%d %d %d\n", free_places, x[49], x[53]);
}
