// Flags and numbers that a condition decides on, kept over barriers; counters of loops in values.
#include <cstdio>
#include <cuda_runtime.h>

#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

// The last value is looked at behind the loop, too.
__global__ void shrinking(const int *x, int *y, int steps) {
  __shared__ int now[64], next[64];
  int t = threadIdx.x;
  now[t] = x[t];
  next[t] = -1;
  __syncthreads();
  bool computed = false;
  for (int step = 0; step < steps; step++) {
    computed = false;
    if (IN_RANGE(t, step + 1, 62 - step)) {
      computed = true; // said for all steps
      next[t] = now[t - 1] + 2 * now[t + 1] % 1000;
    }
    __syncthreads();
    if (step == steps - 1)
      break;
    if (computed)
      now[t] = next[t];
    __syncthreads();
  }
  if (computed)
    y[t] = next[t];
}

// Numbers, the other way round, with another branch; the condition is asked once.
__global__ void numbers(const int *x, int *y, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int kind = 3;
  bool left = true;
  unsigned char none = 1;
  if (t < n) {
    kind = 5;
    s[t] = x[t];
  } else
    s[t] = -x[t];
  if (t % 3 == 0) {
    left = false;
    s[t] *= 2;
  }
  if (s[t] > 0) {
    none = 0;
    s[t] += 1;
  }
  __syncthreads();
  int sum = s[(t + 1) % 64] * kind + left;
  __syncthreads();
  s[t] = sum - none;
  __syncthreads();
  y[t] = s[63 - t] + kind * (left ? 10 : 20);
}

// What is read, changed or left in between decides nothing.
__global__ void between(const int *x, int *y, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, bound = n;
  for (int k = 0; k < 3; ++k) {
    bool low = false, seen = false, late = false;
    bool *where = &seen;
    low = t > 60;
    s[t] = x[t] + low;
    if (t < bound) {
      low = true;
      *where = true;
    }
    bound -= 5;
    if (t < bound)
      late = true;
    bound += 2;
    __syncthreads();
    int found = s[(t + k) % 64];
    if (low)
      found += 100;
    if (seen)
      found += 1000;
    __syncthreads();
    y[64 * k + t] = found + 10000 * late + 100000 * low;
    if (late)
      s[t] = found;
    __syncthreads();
  }
}

// A counter that the body changes, one of a loop around, and one that is used again further down.
__global__ void counters(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0, k;
  for (k = 0; k < 6; ++k) {
    int at = (t + 5 * k) % 64;
    s[at] = x[t] + k;
    __syncthreads();
    sum += s[t] * at;
    if (sum == -1)
      sum = k;
    k += 1;
    __syncthreads();
    sum += at;
  }
  for (k = 0; k < 3; ++k) {
    int row = 7 * k + t;
    for (int j = 0; j < 2; ++j) {
      int both = row + 3 * j;
      bool odd = both % 2 == 1;
      s[t] = sum + both;
      __syncthreads();
      if (odd)
        sum += s[(t + 1) % 64] - both;
      __syncthreads();
      sum ^= row + (odd ? j : k);
    }
  }
  y[t] = sum + k;
}

// Threads that have left, and turns that go on early.
__global__ void leaving(const int *x, int *y, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    bool mine = false;
    if (x[t] % 4 == k)
      mine = true;
    bool other = false;
    for (int j = 0; j < 5; ++j) {
      other = false;
      if (j < k)
        continue;
      if (t + j < n)
        other = true;
    }
    __syncthreads();
    if (mine)
      s[t] += k + 1;
    if (other)
      s[t] += 10;
    __syncthreads();
  }
  y[t] = s[63 - t];
}

// Who comes to the second case from elsewhere has not asked the condition.
__global__ void cases(const int *x, int *y, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  bool mine = t % 2 == 0;
  switch (n % 3) {
  case 0:
    s[t] = x[t];
    mine = false;
    if (t > 40)
      mine = true;
    __syncthreads();
  case 1:
    s[t] = mine ? 2 * x[63 - t] : 5;
    __syncthreads();
    break;
  default:
    s[t] = t;
  }
  __syncthreads();
  y[t] = s[(t + 9) % 64] + mine;
}

static void show(const char *name, const int *y, int n) {
  int h[192];
  cudaMemcpy(h, y, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (int i = 0; i < n; ++i)
    printf(" %d", h[i]);
  printf("\n");
}

int main() {
  int h[64], *x, *y;
  for (int i = 0; i < 64; ++i)
    h[i] = i * 37 % 23 - 8;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 3 * sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  for (int steps = 0; steps < 40; steps += 13) {
    cudaMemset(y, 0, 3 * sizeof h);
    shrinking<<<1, 64>>>(x, y, steps);
    show("shrinking", y, 64);
    numbers<<<1, 64>>>(x, y, steps);
    show("numbers", y, 64);
    between<<<1, 64>>>(x, y, 2 * steps);
    show("between", y, 192);
    cases<<<1, 64>>>(x, y, steps);
    show("cases", y, 64);
    leaving<<<1, 64>>>(x, y, steps);
    show("leaving", y, 64);
  }
  counters<<<1, 64>>>(x, y);
  show("counters", y, 64);
  return 0;
}
