// Neighbours of rows that are wrapped around or clamped: nothing there has to be atomic.
// g2o-verify: torus<<<(3, 9), (8, 4)>>>(nx = 19, ny = 33, u = [627], v = [627], k = 0.3)
// g2o-verify: torus<<<(1, 1), (8, 4)>>>(nx = 1, ny = 2, u = [2], v = [2], k = 0.3)
__global__ void torus(const double *u, double *v, int nx, int ny, double k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx && j < ny) {
        int left = (i == 0) ? nx - 1 : i - 1;
        int right = (i + 1) % nx;
        int up = (j == 0) ? ny - 1 : j - 1;
        int down = (j + 1) % ny;
        double c = u[j * nx + i];
        v[j * nx + i] = c + k * (u[j * nx + left] + u[j * nx + right] * c + u[up * nx + i] +
                                 u[down * nx + i] - 4.0 * c) * c;
    }
}

// g2o-verify: clamped<<<(3, 9), (8, 4)>>>(nx = 19, ny = 33, u = [627], v = [627])
// g2o-verify: clamped<<<(1, 1), (8, 4)>>>(nx = 3, ny = 1, u = [3], v = [3])
__global__ void clamped(const double *u, double *v, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    int c = j * nx + i;
    int left = max(i - 1, 0), right = min(i + 2, nx - 1);
    int up = j < 3 ? 0 : j - 3, down = j + 1;
    if (down >= ny)
        down = ny - 1;
    double sum = u[j * nx + left] * u[j * nx + right] + u[up * nx + i] * u[down * nx + left];
    if (i > 0)
        sum += u[c - 1] * u[c];
    if (i < nx - 1)
        sum += u[c] * u[c + 1];
    v[c] = sum;
}

// g2o-verify: planes<<<(2, 3, 5), (8, 4, 4)>>>(nx = 9, ny = 10, nz = 17, u = [1530], v = [1530])
__global__ void planes(const double *u, double *v, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= nx || j >= ny || k >= nz)
        return;
    int w = i == 0 ? i : i - 1, e = i == nx - 1 ? i : i + 1;
    int s = j == 0 ? j : j - 1, n = j == ny - 1 ? j : j + 1;
    int b = k == 0 ? k : k - 1, t = k == nz - 1 ? k : k + 1;
    v[(k * ny + j) * nx + i] = u[(k * ny + j) * nx + w] * u[(k * ny + j) * nx + e] +
                               u[k * ny * nx + s * nx + i] * u[(k * ny + n) * nx + i] +
                               u[(b * ny + j) * nx + i] * u[i + j * nx + t * nx * ny];
}

// g2o-verify: line<<<90, 64>>>(n = 5700, m = 7, u = [5700], v = [5700])
// g2o-verify: line<<<1, 64>>>(n = 2, m = 1, u = [2], v = [2])
__global__ void line(const double *u, double *v, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int left = i - m + n, right = i + 5;
    if (right >= n)
        right = right % n;
    v[i] = u[i] * u[(i + 3) % n] + u[right] * u[max(i - 7, 0)];
}

// g2o-verify: triples<<<80, 64>>>(n = 5000, x = [15000], y = [5000])
__global__ void triples(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int next = i == n - 1 ? 0 : i + 1;
    double sum = 0.0;
    for (int c = 0; c < 3; ++c)
        sum += x[3 * i + c] * x[3 * next + c];
    y[i] = sum * x[3 * next];
}

// g2o-verify: sweeps<<<5, 64>>>(n = 300, m = 11, x = [3300], y = [300])
__global__ void sweeps(const double *x, double *y, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    int above = j > 0 ? j - 1 : n - 1;
    double sum = 1.0;
    for (int k = 0; k < m; ++k)
        sum = sin(sum * x[j * m + k]) + x[above * m + k];
    y[j] = sum;
}

// g2o-verify: filtered<<<(3, 9), (8, 4)>>>(nx = 19, ny = 33, u = [805], w = [15], v = [627])
__global__ void filtered(const double *u, const double *w, double *v, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    double sum = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = 0; x < 5; ++x) {
            int column = i + x - 2;
            if (column >= 0 && column < nx)
                sum += u[(j + y + 1) * nx + column] * w[(y + 1) * 5 + x];
        }
    v[j * nx + i] = sum * sum;
}

// g2o-verify: halo<<<21, 16>>>(n = 330, u = [330], v = [330])
__global__ void halo(const double *u, double *v, int n)
{
    __shared__ double s[22];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    s[t + 3] = i < n ? u[i] : 0.0;
    if (t < 3) {
        s[t] = i - 3 >= 0 ? u[i - 3] : 1.0;
        s[t + 19] = i + 16 < n ? u[i + 16] : 2.0;
    }
    __syncthreads();
    if (i < n)
        v[i] = s[t] * s[t + 6] + s[t + 3];
}

// g2o-verify: box<<<(3, 9), (8, 4)>>>(nx = 19, ny = 33, k = 1, u = [627], v = [627])
__global__ void box(const double *u, double *v, int nx, int ny, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i == 0 || j == 0 || k == 0)
        return;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    int c = k * i % 3; // nothing to gather
    v[j * nx + i] = c * u[j * nx + (i - 1)] * u[j * nx + (i + 1)] +
                    u[(j - 1) * nx + i] * u[(j + 1) * nx + i] + u[(j - 1) * nx + (i + 1)];
}

// Rows that reach into each other, and that are not told apart.
// g2o-verify: overlapping<<<(2, 10), (8, 4)>>>(n = 9, h = 37, pitch = 5, u = [200], v = [333])
__global__ void overlapping(const double *u, double *v, int n, int h, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= h)
        return;
    int up = max(j - 1, 0);
    v[j * n + i] = u[up * pitch + i] * u[j * pitch + i];
}

// g2o-verify: beyond<<<(2, 10), (8, 4)>>>(n = 9, h = 37, u = [343], v = [333])
__global__ void beyond(const double *u, double *v, int n, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= h)
        return;
    int up = max(j - 1, 0);
    v[j * n + i] = u[up * n + i + 1] * u[j * n + i];
}
