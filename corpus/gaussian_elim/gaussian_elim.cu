/*
 * Solves A x = b by Gaussian elimination without pivoting.
 *
 * Per column two kernels: the first computes what multiple of the pivot row each row below
 * has to lose, the second takes it away, right-hand side included. The host substitutes back.
 *
 * usage: gaussian_elim [unknowns]
 */
#include "cuda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE 128 /* threads per block for a column */
#define TILE_X 32
#define TILE_Y 4

/* The system, as everything below sees it. */
typedef struct {
  int n;
  float *matrix; /* n x n, by rows */
  float *rhs;
} LinearSystem;

static void stop_on_error(const char *where)
{
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}

/* factor[row] = matrix[row][pivot] / matrix[pivot][pivot] for the rows below the pivot. */
__global__ void column_factors(const float *matrix, float *factor, int n, int pivot)
{
  int row = pivot + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    factor[row] = matrix[row * n + pivot] / matrix[pivot * n + pivot];
}

/* Every row below the pivot loses its multiple of the pivot row. */
__global__ void subtract_pivot_row(float *matrix, float *rhs, const float *factor, int n, int pivot)
{
  int col = pivot + blockIdx.x * blockDim.x + threadIdx.x;
  int row = pivot + 1 + blockIdx.y * blockDim.y + threadIdx.y;

  if (col >= n)
    return;
  if (row >= n)
    return;

  float f = factor[row];
  matrix[row * n + col] -= f * matrix[pivot * n + col];

  /* The threads of the pivot column take the right-hand side along. */
  if (col == pivot)
    rhs[row] -= f * rhs[pivot];
}

/* Brings the system on the device to triangular form; returns the time in milliseconds. */
static float eliminate(LinearSystem device, float *factor)
{
  cudaEvent_t begin, end;
  float ms = 0.0f;

  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, 0);
  for (int pivot = 0; pivot < device.n - 1; pivot++) {
    int rows = device.n - 1 - pivot;
    int cols = device.n - pivot;

    dim3 line_grid, tile_grid, tile_block(TILE_X, TILE_Y);
    line_grid.x = (rows + LINE - 1) / LINE;
    tile_grid.x = (cols + TILE_X - 1) / TILE_X;
    tile_grid.y = (rows + TILE_Y - 1) / TILE_Y;

    column_factors<<<line_grid, LINE>>>(device.matrix, factor, device.n, pivot);
    subtract_pivot_row<<<tile_grid,
                         tile_block>>>(device.matrix, device.rhs, factor, device.n, pivot);
  }
  stop_on_error("elimination");
  cudaEventRecord(end, 0);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&ms, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return ms;
}

static void substitute_back(LinearSystem s, float *x)
{
  for (int row = s.n - 1; row >= 0; row--) {
    float value = s.rhs[row];
    for (int col = row + 1; col < s.n; col++)
      value -= s.matrix[row * s.n + col] * x[col];
    x[row] = value / s.matrix[row * s.n + row];
  }
}

/* Largest residual of the original equations. */
static double residual(LinearSystem s, const float *x)
{
  double worst = 0.0;
  for (int row = 0; row < s.n; row++) {
    double sum = -(double)s.rhs[row];
    for (int col = 0; col < s.n; col++)
      sum += (double)s.matrix[row * s.n + col] * x[col];
    if (!(fabs(sum) <= worst))
      worst = fabs(sum);
  }
  return worst;
}

int main(int argc, char **argv)
{
  LinearSystem host, device, triangular;
  int n = argc > 1 ? atoi(argv[1]) : 48;
  if (n < 1) {
    fprintf(stderr, "usage: %s [unknowns]\n", argv[0]);
    return 2;
  }

  size_t matrix_bytes = sizeof(float) * n * n, vector_bytes = sizeof(float) * n;
  host.n = device.n = triangular.n = n;
  host.matrix = (float *)malloc(matrix_bytes);
  host.rhs = (float *)malloc(vector_bytes);
  triangular.matrix = (float *)malloc(matrix_bytes);
  triangular.rhs = (float *)malloc(vector_bytes);
  float *x = (float *)malloc(vector_bytes);

  /* Small off-diagonal elements keep the pivots away from zero. */
  unsigned int seed = 11u;
  for (int row = 0; row < n; row++) {
    for (int col = 0; col < n; col++) {
      seed = seed * 1103515245u + 12345u;
      host.matrix[row * n + col] = (float)((seed >> 16) & 0x7fff) / 32768.0f - 0.5f;
    }
    host.matrix[row * n + row] += n;
    host.rhs[row] = 1.0f + row % 7;
  }

  float *factor;
  cudaMalloc((void **)&device.matrix, matrix_bytes);
  cudaMalloc((void **)&device.rhs, vector_bytes);
  cudaMalloc((void **)&factor, vector_bytes);
  cudaMemcpy(device.matrix, host.matrix, matrix_bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device.rhs, host.rhs, vector_bytes, cudaMemcpyHostToDevice);
  stop_on_error("set-up");

  float ms = eliminate(device, factor);

  cudaMemcpy(triangular.matrix, device.matrix, matrix_bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(triangular.rhs, device.rhs, vector_bytes, cudaMemcpyDeviceToHost);
  stop_on_error("copy back");
  substitute_back(triangular, x);

  double worst = residual(host, x), sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += fabs((double)x[i]);

  int pass = worst < 1e-4;
  printf("unknowns %d\n", n);
  printf("sum %.4e\n", sum);
  printf("last_pivot %.4e\n", (double)triangular.matrix[n * n - 1]);
  printf("%s\n", pass ? "PASS" : "FAIL");
  printf("time_ms %.3f\n", ms);

  cudaFree(device.matrix);
  cudaFree(device.rhs);
  cudaFree(factor);
  free(host.matrix);
  free(host.rhs);
  free(triangular.matrix);
  free(triangular.rhs);
  free(x);
  return pass ? 0 : 1;
}
