// A recurrence whose state is in global memory: the loop reads what its last step has written.
// g2o-verify: recurrence<<<1, 4>>>(rows = 3, columns = 6, x = [18], h = [21])
__global__ void recurrence(const double *x, double *h, int rows, int columns)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    for (int k = 0; k < columns; ++k) {
        int here = r * (columns + 1) + k;
        h[here + 1] = tanh(x[r * columns + k] * h[here]) + h[here + 1];
    }
}
