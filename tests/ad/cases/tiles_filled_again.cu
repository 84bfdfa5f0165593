// Shared tiles that every turn of a loop fills: the reverse sweep fills them again where it sees the
// same, and has kept what they held elsewhere.
// g2o-verify: product<<<dim3(2, 3), dim3(8, 8)>>>(m = 21, n = 13, k = 19, a = [m * k], b = [k * n], c = [m * n])
// g2o-verify: convolved<<<3, 16>>>(n = 48, turns = 3, x = [n * turns + 32], y = [n])
// g2o-verify: either<<<2, 16>>>(n = 50, x = [n], y = [32])
// g2o-verify: scrolled<<<2, 16>>>(x = [160], y = [32])
// g2o-verify: in_place<<<1, 16>>>(x = [16], y = [16])
// g2o-verify: looked_back<<<2, 16>>>(x = [96], y = [32])
// g2o-verify: filled_by_loop<<<2, 16>>>(n = 40, taps = 5, in = [n + 4], w = [taps], out = [n])
// g2o-verify: wide_product<<<(2, 2), (8, 8)>>>(n = 16, a = [n * n], b = [n * n], c = [n * n])
// g2o-verify: both_in_one_loop<<<(2, 2), (8, 8)>>>(n = 16, a = [n * n], b = [n * n], c = [n * n])
// g2o-verify: scaled_rows<<<2, 16>>>(rows = 3, m = [rows * 32], s = [rows], y = [32])
// g2o-verify: with_rim<<<2, 16>>>(n = 100, x = [n], y = [32])
// g2o-verify: growing<<<2, 16>>>(x = [100], y = [32])
// g2o-verify: by_turns<<<2, 16>>>(x = [100], y = [32])

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

// Loops that count fill the tiles.
__global__ void filled_by_loop(const float *in, const float *w, float *out, int n, int taps)
{
    __shared__ float tile[16 + 16];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float sum = 0.0f;
    for (int k0 = 0; k0 < taps; k0 += 4) {
        for (int j = t; j < 20; j += blockDim.x) {
            int at = blockIdx.x * blockDim.x + k0 + j;
            tile[j] = at < n + 4 ? in[at] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 4 && k0 + k < taps; ++k)
            sum += w[k0 + k] * tile[t + k];
        __syncthreads();
    }
    if (i < n)
        out[i] = sum;
}

__global__ void wide_product(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][16];
    __shared__ float bs[16][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int j = tx; j < 16; j += 8)
            as[ty][j] = a[row * n + k0 + j];
        for (int j = ty; j < 16; j += 8)
            bs[j][tx] = b[(k0 + j) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void both_in_one_loop(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8 * 8];
    __shared__ float bs[8 * 8];
    int t = threadIdx.y * 8 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int e = t; e < 64; e += 64) {
            int r = e / 8, q = e % 8;
            as[e] = a[(blockIdx.y * 8 + r) * n + k0 + q];
            bs[e] = b[(k0 + r) * n + blockIdx.x * 8 + q];
        }
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            sum += as[threadIdx.y * 8 + k] * bs[k * 8 + threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void scaled_rows(const float *m, const float *s, float *y, int rows)
{
    __shared__ float row[32];
    int t = threadIdx.x;
    float acc = 0.0f;
    for (int r = 0; r < rows; ++r) {
        float scale = s[r];
        for (int j = t; j < 32; j += 16)
            row[j] = scale * m[r * 32 + j];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            acc += row[j] * row[(j + t) % 32];
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = acc;
}

// Some threads bring the rim.
__global__ void with_rim(const double *x, double *y, int n)
{
    __shared__ double tile[24];
    int t = threadIdx.x;
    double v = 1.0;
    for (int first = 0; first + 24 <= n; first += 30) {
        tile[t + 4] = x[first + t + 4];
        if (t < 4) {
            tile[t] = x[first + t];
            tile[t + 20] = x[first + t + 20] * x[first];
        }
        __syncthreads();
        v = v * tile[t] + tile[t + 8] * tile[t + 4];
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = v;
}

// What one turn leaves is there in the next: these are kept.
__global__ void growing(const double *x, double *y)
{
    __shared__ double tile[32];
    int t = threadIdx.x;
    double v = 1.0;
    tile[t] = x[t];
    tile[t + 16] = x[t + 16];
    __syncthreads();
    for (int turn = 1; turn < 4; ++turn) {
        for (int j = t; j < turn * 8; j += blockDim.x)
            tile[j] = x[turn * 20 + j];
        __syncthreads();
        v = v * tile[t + 8] + tile[(t + 16) % 32];
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = v;
}

__global__ void by_turns(const double *x, double *y)
{
    __shared__ double tile[32];
    int t = threadIdx.x;
    double v = 1.0;
    tile[t] = tile[t + 16] = 1.0;
    __syncthreads();
    for (int turn = 0; turn < 4; ++turn) {
        int at = turn % 2;
        for (int j = 0; j < 1; ++j)
            tile[t + 16 * at] = x[turn * 20 + t + j];
        if (t < turn)
            tile[t] = v;
        __syncthreads();
        v = v * tile[t] + tile[(t + 16) % 32];
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = v;
}
