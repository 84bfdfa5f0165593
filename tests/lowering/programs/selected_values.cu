// What neighbours keep in a strip is selected, in types of all kinds.
#include <cstdio>
struct Best { float d; int at; };
__global__ void nearest(const float *x, int *y, const float *v, float *z, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = 0, at = -1;
    float best = 1e30f, sum = 0;
    unsigned u = 7;
    unsigned char b = 3;
    double w = 0;
    long long l = 5;
    bool any = false;
    Best own = {0, 0};
    for (int j = 0; j < m; ++j) {
        float d = v[j * n + i] - x[i];
        if (d * d < best) { best = d * d; at = j; }
        if (d > 0) c = !c;
        if (d > 3) c += 2;
        if (d < 1) u = -1;
        if (d > 2) u += j;
        if (c & 1) { b += 200; w = d; l -= 3; }
        if (d > 4) any = true;
        if (d < -4) sum = w / d;
        if (d > own.d) { own.d = d; own.at = j; }
        if (d > -1 && v[at * n + i] > 1) sum += 0.5;
    }
    y[i] = c + at * 3 + int(u % 1000) + b + int(l) + any + own.at;
    z[i] = best + sum + w + own.d;
}
int main() {
    const int n = 300, m = 40;
    float *x, *v, *z;
    int *y;
    cudaMallocManaged(&x, n * 4);
    cudaMallocManaged(&z, n * 4);
    cudaMallocManaged(&y, n * 4);
    cudaMallocManaged(&v, n * m * 4);
    for (int i = 0; i < n; i++) x[i] = i * 37 % 19 * 0.25f;
    for (int i = 0; i < n * m; i++) v[i] = i * 71 % 83 * 0.125f;
    nearest<<<3, 128>>>(x, y, v, z, n, m);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) printf("%d %g\n", y[i], z[i]);
}
