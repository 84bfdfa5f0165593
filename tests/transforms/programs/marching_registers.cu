// Registers that hand elements on while threads march through memory, those that only seem to, and tiles filled from them.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define TX 16
#define TY 4
// planes in registers, neighbours in the plane through a tile that is filled again and again
__global__ void planes_and_tile(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float tile[TY + 2][TX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int i = blockIdx.x * TX + threadIdx.x, j = blockIdx.y * TY + threadIdx.y;
    const bool inside = i < nx && j < ny;
    const bool interior = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
    const int plane = nx * ny;
    int idx = j * nx + i;
    float below = 0.0f, here = inside ? in[idx] : 0.0f, above = inside ? in[idx + plane] : 0.0f;
    for (int k = 1; k < nz - 1; ++k) {
        below = here;
        here = above;
        idx += plane;
        above = inside ? in[idx + plane] : 0.0f; // the plane to come
        __syncthreads();
        tile[ty][tx] = here;
        if (inside) {
            if (threadIdx.x == 0 && i > 0)
                tile[ty][0] = in[idx - 1];
            if (threadIdx.x == TX - 1 && i < nx - 1)
                tile[ty][TX + 1] = in[idx + 1];
            if (threadIdx.y == 0 && j > 0)
                tile[0][tx] = in[idx - nx];
            if (threadIdx.y == TY - 1 && j < ny - 1)
                tile[TY + 1][tx] = in[idx + nx];
        }
        __syncthreads();
        if (interior)
            out[idx] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + above + below - 6.0f * here;
    }
}
// places told by the turn, a sum over a row of the tile, handed on at the end of the turn
__global__ void sums_of_rows(const float *in, float *out, int n, int nz)
{
    __shared__ float row[TX + 4];
    const int t = threadIdx.x, i = blockIdx.x * TX + t;
    const bool inside = i >= 2 && i < n - 2;
    float before = i < n ? in[i] : 0.0f;
    for (int k = 1; k < nz; ++k) {
        row[t + 2] = i < n ? in[k * n + i] : 0.0f;
        if (t < 2)
            row[t] = i >= 2 && i < n ? in[k * n + i - 2] : 0.0f;
        if (t >= TX - 2)
            row[t + 4] = i + 2 < n ? in[k * n + i + 2] : 0.0f;
        __syncthreads();
        float sum = 0.0f;
        if (inside) {
            for (int d = -2; d <= 2; ++d)
                sum += row[t + 2 + d];
            out[k * n + i] = sum - before;
        }
        __syncthreads();
        before = i < n ? in[k * n + i] : 0.0f;
    }
}
// named in front of the loop and behind it, where it may have had no turn
__global__ void named_around(const float *x, float *y, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    int c = i;
    float last, now, next;
    last = now = x[c];
    next = x[c + plane];
    y[c] = last + 2.0f * now + 3.0f * next;
    for (int k = 1; k < nz - 1; ++k) {
        c += plane;
        last = now;
        now = next;
        next = x[c + plane];
        y[c] = last + 2.0f * now + 3.0f * next;
    }
    y[c + plane] = now * 5.0f + 7.0f * next;
}
// begins with another element than the one in front of the first
__global__ void begun_otherwise(const float *x, float *y, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    float before = x[i + plane], last = x[i];
    for (int k = 1; k < nz; ++k) {
        const float now = x[i + k * plane];
        y[i + k * plane] = now - before + 3.0f * last;
        before = now;
        last = now;
    }
}
// two steps at a time, backwards; steps between what is set and what is read
__global__ void steps_between(const float *x, float *y, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    int c = i + (nz - 1) * plane;
    float one = x[c], two = x[c - plane];
    for (int k = nz - 3; k >= 0; k -= 2) {
        const int there = c - 2 * plane;
        y[c] = one - two;
        c -= 2 * plane;
        one = x[there];
        y[there] += 0.5f * one + two;
        two = x[c - plane * (k > 0 ? 1 : 0)];
    }
}
// over what it loads from: nothing is loaded again
__global__ void over_itself(float *x, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    float before = x[i];
    for (int k = 1; k < nz; ++k) {
        const float now = x[i + k * plane];
        x[i + k * plane] = now + before;
        before = now;
    }
}
// sets what it hands on in some turns only, and leaves early
__global__ void some_turns(const float *x, float *y, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    float kept = x[i], before = x[i];
    for (int k = 1; k < nz; ++k) {
        const float now = x[i + k * plane];
        y[i + k * plane] = now - kept - before;
        if (now > 20.0f)
            kept = now;
        before = now;
        if (now > 45.0f)
            break;
    }
}
// arrays through which elements are handed on, told by numbers once their loops are unrolled
__global__ void queues(const float *x, float *y, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    float ahead[2], past[2], now;
    int c = i;
    past[0] = x[c];
    c += plane;
    now = x[c];
    for (int q = 0; q < 2; ++q)
        ahead[q] = x[c + (q + 1) * plane];
    for (int k = 2; k < nz - 2; ++k) {
        for (int q = 1; q > 0; --q)
            past[q] = past[q - 1];
        past[0] = now;
        now = ahead[0];
        ahead[0] = ahead[1];
        c += plane;
        ahead[1] = x[c + 2 * plane];
        float sum = 3.0f * now;
        for (int q = 0; q < 2; ++q)
            sum += (q + 0.5f) * (past[q] + ahead[q]);
        y[c] = sum;
    }
}
// an element that the turn decides: the array stays
__global__ void chosen_by_turns(const float *x, float *y, int plane, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= plane)
        return;
    float past[2] = {x[i], x[i]};
    for (int k = 1; k < nz; ++k) {
        y[i + k * plane] = past[k % 2] - past[1];
        past[1] = past[0];
        past[0] = x[i + k * plane];
    }
}
static void show(const char *name, const float *y, int n)
{
    std::vector<float> h(n);
    cudaMemcpy(h.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += h[i] * (1 + i % 11);
    std::printf("%s %.9g\n", name, sum);
}
int main()
{
    const int most = 40 * 13 * 7;
    std::vector<float> h(most), zero(most);
    for (int i = 0; i < most; ++i)
        h[i] = float(i * 37 % 101) * 0.5f;
    float *x, *y;
    cudaMalloc(&x, most * sizeof(float));
    cudaMalloc(&y, most * sizeof(float));
    for (int nz = 7; nz >= 3; nz -= 2) {
        const int nx = nz == 5 ? 32 : 37, ny = nz == 5 ? 8 : 13, plane = nx * ny;
        const dim3 block(TX, TY), grid((nx + TX - 1) / TX, (ny + TY - 1) / TY);
        const int blocks = (plane + TX - 1) / TX, n = plane * nz;
        cudaMemcpy(x, h.data(), most * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(y, zero.data(), most * sizeof(float), cudaMemcpyHostToDevice);
        planes_and_tile<<<grid, block>>>(x, y, nx, ny, nz);
        show("planes_and_tile", y, n);
        sums_of_rows<<<blocks, TX>>>(x, y, plane, nz);
        show("sums_of_rows", y, n);
        named_around<<<blocks, TX>>>(x, y, plane, nz == 3 ? 2 : nz);
        show("named_around", y, n);
        begun_otherwise<<<blocks, TX>>>(x, y, plane, nz);
        show("begun_otherwise", y, n);
        steps_between<<<blocks, TX>>>(x, y, plane, nz);
        show("steps_between", y, n);
        queues<<<blocks, TX>>>(x, y, plane, nz);
        show("queues", y, n);
        chosen_by_turns<<<blocks, TX>>>(x, y, plane, nz);
        show("chosen_by_turns", y, n);
        some_turns<<<blocks, TX>>>(x, y, plane, nz);
        show("some_turns", y, n);
        over_itself<<<blocks, TX>>>(x, plane, nz);
        show("over_itself", x, n);
    }
    cudaFree(x);
    cudaFree(y);
}
