// Neighbours at the edges of rows: clamped, wrapped around, chosen; also where rows are all edge.
#include <cstdio>
#include <cuda_runtime.h>

#define CLAMP(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))

__global__ void blur(const float *in, float *out, int w, int h, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float sum = 0.0f;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            int xx = min(max(x + dx, 0), w - 1);
            int yy = min(max(y + dy, 0), h - 1);
            sum += in[yy * w + xx] * (1 + dx * dx + dy);
        }
    out[y * w + x] = sum;
}

__global__ void torus(const float *u, float *v, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx && j < ny) {
        int left = (i == 0) ? nx - 1 : i - 1;
        int right = i + 1 == nx ? 0 : i + 1;
        int up = (j == 0) ? ny - 1 : j - 1;
        int down = j - 1;
        if (down < 0)
            down += ny;
        int far = i + 3;
        if (far >= nx)
            far -= nx; // may still be too far
        v[j * nx + i] = u[j * nx + left] + 2 * u[j * nx + right] + 3 * u[up * nx + i] +
                        5 * u[down * nx + i] + u[far];
    }
}

__global__ void remainders(const float *u, float *v, int n, int back, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = (i - back + 5 * n) % n;
        int right = (i + 2) % n;
        int both = (i - 20) % m; // also below 0
        v[i] = u[left] + 2 * u[right] + 3 * u[both + 40];
    }
}

__global__ void sides(const float *u, float *v, int n, int from, int to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = i > from && i < to ? i - 1 : 7;   // one outside
    int b = i <= from || i > to ? i : i + 1;  // beside on both sides
    int c = CLAMP(i - 2, from, to);
    int d = !(i >= to) ? i + 2 : n - 1;
    int e = i ? i - 1 : n;
    int f = (i < from) != (i < to) ? i + 1 : i; // no such condition
    v[i] = u[a] + 2 * u[b] + 3 * u[c] + 5 * u[d] + 7 * u[e] + 11 * u[f];
}

__global__ void tile(const float *u, float *v, int n)
{
    __shared__ float s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    int left = max(x - 1, 0), right = min(x + 1, 15), up = max(y - 2, 1);
    s[y][x] = row < n && col < n ? u[row * n + col] : 0.0f;
    __syncthreads();
    float sum = s[y][left] + 2 * s[y][right] + 3 * s[up][x] + s[(x + 1) % 16][(y + 5) % 16];
    if (row < n && col < n)
        v[row * n + col] = sum;
}

// Not the numbers that they look like: of other types, changed, or chosen by what memory says.
__global__ void others(const float *u, float *v, const int *mask, int n, unsigned wide)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    short narrow = i * 0 + 32767 + (i > 2 ? i - 1 : 3);
    int byte = (unsigned char)(i > 4 ? i + 250 : 0);
    int masked = mask[i] ? i + 1 : i;
    int changed = i == 0 ? n - 1 : i - 1;
    if (mask[i] > 0)
        changed = i;
    unsigned without = min(i + wide, (unsigned)n + 3u);
    v[i] = u[narrow + 32768] + u[byte] + 2 * u[masked] + 3 * u[changed] + 5 * u[without];
}

// Declarations that change what others are made of.
__global__ void between(const float *u, float *v, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = m;
    int left = i - k + 9;
    int t = k++;
    if (left < 0)
        left = k;
    int right = i == n - 1 ? 0 : i + 1;
    int other = i == 0 ? 3 : i - 1;
    int &same = other;
    if (i == 2)
        same = 7;
    int most = k > 1 ? k : 1;
    int more = most++;
    v[i] = u[left] + 2 * u[right] + t + k + 3 * u[other] + 5 * u[i + most] + more;
}

__global__ void counted(const float *u, float *v, unsigned n, unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned k = m;
    unsigned place = i + k, t = k++;
    v[i] = u[place] + 2 * u[i + k] + t;
}

static float u[5000], v[5000];

static void show(const char *what, int count)
{
    double sum = 0, weighted = 0;
    for (int i = 0; i < count; ++i) {
        sum += v[i];
        weighted += v[i] * (i % 31);
        v[i] = 0;
    }
    std::printf("%s %.9g %.9g\n", what, sum, weighted);
}

int main()
{
    float *a, *b;
    int *m, mask[5000];
    for (int i = 0; i < 5000; ++i) {
        u[i] = (i * 37 % 101) / 8.0f;
        mask[i] = i % 7 == 3;
    }
    cudaMalloc(&a, sizeof u);
    cudaMalloc(&b, sizeof v);
    cudaMalloc(&m, sizeof mask);
    cudaMemcpy(a, u, sizeof u, cudaMemcpyHostToDevice);
    cudaMemcpy(m, mask, sizeof mask, cudaMemcpyHostToDevice);
    const auto take = [&](const char *what, int count) {
        cudaMemcpy(v, b, sizeof v, cudaMemcpyDeviceToHost);
        show(what, count);
    };
    const dim3 block(16, 4);
    for (int w : {1, 2, 5, 67, 300})
        for (int h : {1, 3, 13}) {
            const dim3 grid((w + 15) / 16, (h + 3) / 4);
            for (int radius : {0, 1, 4}) {
                blur<<<grid, block>>>(a, b, w, h, radius);
                take("blur", w * h);
            }
            torus<<<grid, block>>>(a, b, w, h);
            take("torus", w * h);
        }
    for (int n : {1, 2, 6, 129, 700})
        for (int other : {0, 1, 5, 300}) {
            remainders<<<(n + 31) / 32, 32>>>(a, b, n, other < 5 * n ? other : 5 * n, 17 + other);
            take("remainders", n);
            sides<<<(n + 31) / 32, 32>>>(a, b, n, other, other + 3);
            take("sides", n);
            sides<<<(n + 31) / 32, 32>>>(a, b, n, 130, 128);
            take("sides", n);
            others<<<(n + 31) / 32, 32>>>(a, b, m, n, other);
            take("others", n);
            between<<<(n + 31) / 32, 32>>>(a, b, n, other % 9);
            take("between", n);
            counted<<<(n + 31) / 32, 32>>>(a, b, n, other);
            take("counted", n);
        }
    tile<<<dim3(3, 3), dim3(16, 16)>>>(a, b, 41);
    take("tile", 41 * 41);
}
