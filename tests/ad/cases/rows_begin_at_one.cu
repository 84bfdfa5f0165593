// Rows of a tile behind an edge: the blocks reach into no others' rows, so that nobody takes turns.
// g2o-verify: rows_begin_at_one<<<3, (8, 8)>>>(input = [25], weights = [225], partial = [24], width = 8)
#define ROWS 8

__global__ void rows_begin_at_one(const double *input, double *weights, double *partial, int width)
{
    int row = blockIdx.x * ROWS + threadIdx.y + 1;
    int at = row * (width + 1) + threadIdx.x + 1;
    __shared__ double tile[ROWS][ROWS];
    tile[threadIdx.y][threadIdx.x] = weights[at] * input[row];
    __syncthreads();
    if (threadIdx.y == 0) {
        double sum = 0.0;
        for (int k = 0; k < ROWS; ++k)
            sum += tile[k][threadIdx.x] * tile[k][threadIdx.x];
        partial[blockIdx.x * ROWS + threadIdx.x] = sum;
    }
}

void run(const double *input, double *weights, double *partial, int width, int rows)
{
    rows_begin_at_one<<<rows / ROWS, dim3(ROWS, ROWS)>>>(input, weights, partial, width);
}
