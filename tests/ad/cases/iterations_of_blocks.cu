// Threads of a block share out a loop: each iteration is gone back over as soon as it has run, where
// those of one thread do not depend on each other.
// g2o-verify: nearest_in_block<<<3, 4>>>(n = 11, m = 5, points = [66], centres = [30], distance = [33])
// g2o-verify: nearest_in_block<<<2, 32>>>(n = 7, m = 3, points = [28], centres = [12], distance = [14])
// g2o-verify: waves_in_block<<<2, 4>>>(n = 15, x = [30], y = [30])
// g2o-verify: rows_of_lanes<<<2, 8>>>(n = 20, x = [40], w = [8], y = [40])
// g2o-verify: skipped_in_block<<<3, 4>>>(n = 9, x = [27], y = [27])
// g2o-verify: moved_in_front<<<2, 4>>>(n = 9, x = [40], y = [40])
// g2o-verify: shared_weights<<<3, 4>>>(n = 9, x = [27], w = [5], y = [27])
__global__ void nearest_in_block(int n, int m, const double *points, const double *centres,
                                 double *distance)
{
    int batch = blockIdx.x;
    points += batch * n * 2;
    centres += batch * m * 2;
    distance += batch * n;
    int index = threadIdx.x;
    int stride = blockDim.x;
    for (int j = index; j < n; j += stride) {
        double x = points[j * 2 + 0], y = points[j * 2 + 1];
        double best = 1e30;
        for (int k = 0; k < m; ++k) {
            double u = centres[k * 2 + 0] - x, v = centres[k * 2 + 1] - y;
            double d = u * u + v * v;
            if (d < best)
                best = d;
        }
        distance[j] = best;
    }
}

// What an iteration reads one of the same thread has stored.
__global__ void waves_in_block(int n, const double *x, double *y)
{
    int row = blockIdx.x * n;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[row + j] = sin(x[row + j]) * (j >= blockDim.x ? y[row + j - blockDim.x] : 1.0);
}

// The thread counts by itself, too.
__global__ void rows_of_lanes(int n, const double *x, const double *w, double *y)
{
    int row = blockIdx.x * n;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[row + j] = x[row + j] * x[row + j] * w[threadIdx.x];
}

__global__ void skipped_in_block(int n, const double *x, double *y)
{
    int row = blockIdx.x * n;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        if (j % 3 == 1)
            continue;
        double v = exp(x[row + j]);
        y[row + j] = v * v + x[row + j];
    }
}

// All blocks add to the weights.
__global__ void shared_weights(int n, const double *x, const double *w, double *y)
{
    int row = blockIdx.x * n;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[row + j] = x[row + j] * w[j % 5] * w[2];
}

// Both lead into one array: an iteration reads what one of the same thread has stored.
__global__ void moved_in_front(int n, double *x, double *y)
{
    x += blockIdx.x * 20;
    y = x + blockDim.x;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        y[j] = sin(x[j]) + y[j] * x[j];
}
