// Rows that blocks of threads go through: which loops may run in their own order, and where blocks
// meet.
// g2o-verify: squares<<<6, 16>>>(columns = 21, x = [6 * 21], y = [6 * 21])
// g2o-verify: squares<<<3, 32>>>(columns = 5, x = [3 * 5], y = [3 * 5])
// g2o-verify: less_mean<<<6, 16>>>(columns = 21, x = [6 * 21], y = [6 * 21])
// g2o-verify: windows<<<6, 16>>>(columns = 21, x = [5 * 13 + 21], y = [6 * 21])
// g2o-verify: pairs<<<2, 8>>>(columns = 9, x = [2 * 8 * 9], y = [2 * 8 * 5])
// g2o-verify: turned<<<2, 8>>>(n = 5, x = [2 * 8 * 5], y = [2 * 8 * 5])
// g2o-verify: thirds<<<1, 4>>>(n = 9, x = [9 * 4], y = [4])
// g2o-verify: blocks_add<<<4, 8>>>(columns = 11, x = [4 * 11], y = [4 * 11])
// g2o-verify: changed_step<<<2, 8>>>(n = 7, x = [2 * 8 * 7], y = [2 * 8])
__global__ void squares(const double *x, double *y, int columns)
{
    const double *row = x + blockIdx.x * columns;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = row[j] * row[j];
}

__global__ void less_mean(const double *x, double *y, int columns)
{
    __shared__ double mean;
    const double *row = x + blockIdx.x * columns;
    if (threadIdx.x == 0) {
        double sum = 0.0;
        for (int j = 0; j < columns; ++j)
            sum += row[j] * row[j];
        mean = sum / columns;
    }
    __syncthreads();
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = sin(row[j]) * mean;
}

// Windows of neighbours overlap: blocks meet in x.
__global__ void windows(const double *x, double *y, int columns)
{
    const double *row = x + blockIdx.x * 13;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = row[j] * row[j];
}

// Two iterations write one element: the seed is the later one's.
__global__ void pairs(const double *x, double *y, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double *row = x + i * columns;
    for (int j = 0; j < columns; ++j)
        y[i * 5 + j / 2] = row[j] * row[j];
}

// Each iteration reads what the one before it has written.
__global__ void turned(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 1; j < n; ++j)
        y[i * n + j] = y[i * n + j - 1] * x[i * n + j];
}

// An element of the thread in every third iteration.
__global__ void thirds(const double *x, double *y, int n)
{
    double kept[3] = {1.0, 1.0, 1.0};
    for (int j = 0; j < n; ++j)
        kept[j % 3] = x[threadIdx.x * n + j] * x[threadIdx.x * n + j];
    y[threadIdx.x] = kept[0] * kept[1] * kept[2];
}

// Threads of one block add to one element, other blocks do not.
__global__ void blocks_add(const double *x, double *y, int columns)
{
    __shared__ double first;
    if (threadIdx.x == 0)
        first = x[blockIdx.x * columns] * x[blockIdx.x * columns + 1];
    __syncthreads();
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = x[blockIdx.x * columns + j % 4] * first;
}

// The step of the loop is another number when the reverse sweep goes through it again.
__global__ void changed_step(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = 1 + i % 2;
    double sum = 0.0;
    for (int j = 0; j < n; j += step)
        sum += x[i * n + j] * x[i * n + j];
    step = 3;
    y[i] = sum * step;
}
