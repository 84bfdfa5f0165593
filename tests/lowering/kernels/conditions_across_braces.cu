// A branch that the preprocessor begins inside of one condition and ends inside of another.
#define FUSED

__global__ void average(const int *first, const double *part, double *whole, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
#ifdef FUSED
  int cell = first[i];
  if (cell <= 0) {
#ifdef LINKED
    whole[i] = part[cell];
#else
    whole[i] = part[-cell] * 2;
#endif
  } else {
#endif
    // Of a pure cell.
    whole[i] = part[i];
#ifdef FUSED
  }
#endif
}

void launch(const int *first, double *part, int n) { average<<<n, 64>>>(first, part, part, n); }
