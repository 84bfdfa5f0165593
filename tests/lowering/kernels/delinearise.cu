// Threads that find their row and column by division get a loop over rows and one inside.
#include <cstdio>
#include <cuda_runtime.h>

// Four digits, in a grid stride; the arrays may overlap.
__global__ void pool(int n, const float *in, int channels, int height, int width, int pooled_h,
                     int pooled_w, float *out) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n;
       index += blockDim.x * gridDim.x) {
    const int pw = index % pooled_w;
    const int ph = (index / pooled_w) % pooled_h; // from the top
    const int c = (index / pooled_w / pooled_h) % channels;
    const int b = index / pooled_w / pooled_h / channels;
    const float *plane = in + (b * channels + c) * height * width;
    float best = plane[ph * 2 * width + pw * 2];
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 2; ++x)
        best = max(best, plane[(ph * 2 + y) * width + pw * 2 + x]);
    out[index] = best;
  }
}

// The rest of a quotient, and a loop that changes places with the columns.
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= n * n)
    return;
  int row = e / n, col = e - row * n;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[e] = sum;
}

// What is left of a plane is taken apart again; the last row is not whole.
__global__ void planes(const int *x, int *y, long n, int width, int height) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long plane = i / (width * height);
  long inside = i % (width * height);
  long row = inside / width;
  long col = inside % width;
  y[i] = x[i] + 1000 * plane + 100 * row + col + inside;
}

// Guards become bounds.
__global__ void laplace(const float *u, float *v, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % width, y = i / width;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    v[i] = u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - 4 * u[i];
}

// Numbers without a sign. Where nothing is to be done nothing is divided by.
__global__ void bias(unsigned *y, const unsigned *b, unsigned n, unsigned width) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += b[i % width] - i / width;
}

// The threads of a block.
__global__ void transposed(const float *u, float *v, int pitch) {
  __shared__ float s[16][17];
  int t = threadIdx.x;
  int r = t / 16, c = t % 16;
  s[r][c] = u[(blockIdx.y * 16 + r) * pitch + blockIdx.x * 16 + c];
  __syncthreads();
  v[(blockIdx.x * 16 + r) * pitch + blockIdx.y * 16 + c] = s[c][r];
}

// Rows of a length that changes, of one that differs, of few elements, and of a whole plane stay;
// so does a division that not all threads do.
__global__ void other(int *y, const int *lengths, int n, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = i % lengths[i & 3] + i / 4 % 4;
  if (y[i] > 2)
    y[i] += i % width;
  y[i] += i / (width * height);
}

// Where guards say whether anything is divided, there may be nothing to divide by.
__global__ void guarded(int *y, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (width > 0 && i % width == 3)
    y[i] += 1;
  int column = width > 0 ? i % width : 0;
  if (y[i] > 500)
    return;
  y[i] += column + i % (width + 500) / 7;
}
__global__ void without_first_row(int *y, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int row = i / width, column = i % width;
    if (row == 0)
      return;
    int share = 5040 / row;
    y[i] += share + column;
  }
}

// A pointer that stays is found again behind the loop that changes places; one that walks is not.
__global__ void column_sums(const float *x, float *y, int n, int rows, int *own) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int *mine = &own[t * 3];
  float sum = 0;
  for (int r = 0; r < rows; ++r)
    sum += x[r * n + t];
  mine[t % 2] += int(sum);
  y[t] = sum;
}
__global__ void walked_sums(const float *x, float *y, int n, int rows) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  const float *at = x + t;
  float sum = 0;
  for (int r = 0; r < rows; ++r) {
    sum += *at;
    at += n;
  }
  y[t] = sum + at[-n];
}

// One thread alone may run what depends on the order of its iterations, through two names.
__global__ void running(const int *a, int *o, const int *before, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    o[i + 1] = before[i] + a[i];
}

int main() {
  const int n = 1152;
  float *a, *b, *c;
  int *i, *j;
  unsigned *u;
  cudaMallocManaged(&a, 4 * n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  cudaMallocManaged(&i, n * sizeof(int));
  cudaMallocManaged(&j, n * sizeof(int));
  cudaMallocManaged(&u, n * sizeof(unsigned));
  for (int e = 0; e < 4 * n; ++e)
    a[e] = e * 37 % 101 - 50;
  for (int e = 0; e < n; ++e) {
    b[e] = e * 29 % 31;
    c[e] = 0;
    i[e] = 3 + e % 5;
    j[e] = e;
    u[e] = 7 * e;
  }
  auto show = [&](const char *name) {
    cudaDeviceSynchronize();
    double sum = 0;
    for (int e = 0; e < n; ++e)
      sum += (e % 17 + 1) * (c[e] + j[e] % 1000 + u[e] % 1000);
    std::printf("%s %.1f\n", name, sum);
  };
  pool<<<3, 64>>>(2 * 3 * 6 * 32 - 5, a, 3, 12, 64, 6, 32, c);
  show("pool");
  multiply<<<5, 64>>>(a, b, c, 17);
  show("multiply");
  planes<<<18, 64>>>(i, j, 1100, 9, 16);
  show("planes");
  planes<<<1, 64>>>(i, j, 0, 0, 0);
  laplace<<<17, 64>>>(a, c, 33, 34);
  show("laplace");
  bias<<<18, 64>>>(u, (const unsigned *)i, 1150, 36);
  bias<<<1, 64>>>(u, u, 0, 0);
  show("bias");
  transposed<<<dim3(2, 2), 256>>>(a, c, 32);
  show("transposed");
  other<<<18, 64>>>(j, i, 1140, 30, 4);
  show("other");
  guarded<<<18, 64>>>(j, 1140, 0);
  guarded<<<18, 64>>>(j, 1140, 9);
  show("guarded");
  without_first_row<<<18, 64>>>(j, 1140, 31);
  show("without_first_row");
  column_sums<<<6, 64>>>(a, c, 380, 12, j);
  show("column_sums");
  walked_sums<<<6, 64>>>(a, c, 370, 11);
  show("walked_sums");
  const int one = i[0] - 2;
  running<<<one, one>>>(i, j, j, 600);
  show("running");
}

// Rows that may be long and few: their parts are shared out, also where they are no int.
__global__ void by_channel(float *y, const float *x, const float *scale, const float *bias, size_t n,
                           size_t channels, size_t plane) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  size_t channel = i / plane % channels;
  float value = x[i] * scale[channel] + bias[channel];
  y[i] = value > 0.0f ? value : 0.0f;
}

__global__ void by_plane(float *y, const float *x, const float *sums, int n, int height, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / sums[i / (height * width)];
}
