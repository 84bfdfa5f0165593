// Variables that C programmers declare in front of all: those of one turn, those that only some turns set, and those that
// go on to the next one.
// g2o-verify: of_one_turn<<<2, 8>>>(n = 20, x = [2 * n], y = [2 * n])
// g2o-verify: of_some_turns<<<1, 8>>>(n = 5, x = [8 * n], y = [8])
// g2o-verify: behind_barriers<<<2, 8>>>(n = 3, x = [16 * n], y = [16])
__global__ void of_one_turn(int n, const float *x, float *y) {
  float value, square;
  float both[2];
  int i;
  for (i = threadIdx.x; i < n; i += blockDim.x) {
    value = x[blockIdx.x * n + i];
    square = value * value;
    both[0] = sinf(square);
    both[1] = both[0] * value;
    y[blockIdx.x * n + i] = both[0] * both[1] + square;
  }
}

__global__ void of_some_turns(int n, const float *x, float *y) {
  float last, pair[2], sum = 0;
  last = 1;
  pair[0] = 2;
  for (int i = 0; i < n; ++i) {
    const float v = x[threadIdx.x * n + i];
    if (v > 0)
      last = v * v;
    pair[1] = last * v;
    sum += pair[0] * pair[1];
    pair[0] = pair[1] + v;
  }
  y[threadIdx.x] = sum * last;
}

__global__ void behind_barriers(int n, const float *x, float *y) {
  __shared__ float s[8];
  float mine, other, turned[3];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    mine = x[(blockIdx.x * n + k) * 8 + threadIdx.x];
    s[threadIdx.x] = mine * mine;
    __syncthreads();
    other = s[(threadIdx.x + 3) % 8];
    for (int q = 2; q >= 0; --q)
      turned[q] = other * s[q] + mine;
    for (int q = 0; q < 3; ++q)
      sum += turned[q] * other;
    __syncthreads();
  }
  y[blockIdx.x * 8 + threadIdx.x] = sum;
}
