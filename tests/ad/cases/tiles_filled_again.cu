// Shared tiles that every turn of a loop fills: the reverse sweep fills them again where it sees the
// same, and has kept what they held elsewhere.
// g2o-verify: product<<<dim3(2, 3), dim3(8, 8)>>>(m = 21, n = 13, k = 19, a = [m * k], b = [k * n], c = [m * n])
// g2o-verify: convolved<<<3, 16>>>(n = 48, turns = 3, x = [n * turns + 32], y = [n])
// g2o-verify: either<<<2, 16>>>(n = 50, x = [n], y = [32])
// g2o-verify: scrolled<<<2, 16>>>(x = [160], y = [32])
// g2o-verify: in_place<<<1, 16>>>(x = [16], y = [16])
// g2o-verify: looked_back<<<2, 16>>>(x = [96], y = [32])

#define TILE 8

__global__ void product(const double *a, const double *b, double *c, int m, int n, int k) {
    __shared__ double left[TILE][TILE], right[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    double sum = 0.0;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        left[threadIdx.y][threadIdx.x] =
            row < m && k0 + threadIdx.x < k ? a[row * k + k0 + threadIdx.x] : 0.0;
        right[threadIdx.y][threadIdx.x] =
            col < n && k0 + threadIdx.y < k ? b[(k0 + threadIdx.y) * n + col] : 0.0;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            sum += left[threadIdx.y][j] * right[j][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum * sum;
}

// A tile of two parts, in a loop with the barrier in front.
__global__ void convolved(const double *x, double *y, int n, int turns) {
    __shared__ double tile[32];
    const int t = threadIdx.x;
    double v = 1.0;
    for (int turn = 0; turn < turns; ++turn) {
        __syncthreads();
        tile[t] = x[turn * n + blockIdx.x * 16 + t];
        tile[t + 16] = sin(x[turn * n + blockIdx.x * 16 + t + 16]);
        __syncthreads();
        for (int j = 0; j < 3; ++j)
            v = v * tile[t + j] + tile[t + 8 + j];
    }
    y[blockIdx.x * 16 + t] = v;
}

__global__ void either(const double *x, double *y, int n) {
    __shared__ double tile[16];
    double v = 0.0;
    for (int first = 0; first < n; first += 16) {
        const int i = first + threadIdx.x;
        if (i < n)
            tile[threadIdx.x] = x[i] * x[i];
        else
            tile[threadIdx.x] = 1.0;
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            v += tile[j] * tile[(j + threadIdx.x) % 16];
        __syncthreads();
    }
    y[blockIdx.x * 16 + threadIdx.x] = v;
}

// Another element in every turn: what a turn sees comes from turns before it.
__global__ void scrolled(const double *x, double *y) {
    __shared__ double ring[32];
    ring[threadIdx.x] = 0.5;
    ring[threadIdx.x + 16] = 0.25;
    __syncthreads();
    double v = 0.0;
    for (int turn = 0; turn < 5; ++turn) {
        ring[(threadIdx.x + 16 * turn) % 32] = x[blockIdx.x * 80 + turn * 16 + threadIdx.x];
        __syncthreads();
        v += ring[threadIdx.x] * ring[threadIdx.x + 16];
        __syncthreads();
    }
    y[blockIdx.x * 16 + threadIdx.x] = v;
}

// What is stored into the tile changes from turn to turn.
__global__ void in_place(double *x, double *y) {
    __shared__ double tile[16];
    for (int turn = 0; turn < 4; ++turn) {
        tile[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = 0.5 * tile[threadIdx.x] * tile[15 - threadIdx.x];
        y[threadIdx.x] += tile[threadIdx.x] * tile[threadIdx.x];
        __syncthreads();
    }
}

// Looks at the tile of the turn before, too.
__global__ void looked_back(const double *x, double *y) {
    __shared__ double tile[16];
    tile[threadIdx.x] = 1.5;
    double v = 0.0;
    for (int turn = 0; turn < 3; ++turn) {
        v += tile[threadIdx.x] * tile[threadIdx.x];
        tile[threadIdx.x] = x[blockIdx.x * 48 + turn * 16 + threadIdx.x];
        __syncthreads();
        v += tile[threadIdx.x] * tile[15 - threadIdx.x];
        __syncthreads();
    }
    y[blockIdx.x * 16 + threadIdx.x] = v;
}
