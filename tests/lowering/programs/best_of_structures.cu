// A structure that is kept as its numbers gets a new value where no braces stand around that.
#include <cstdio>

struct Hit { int score, i; };

__global__ void best(const int *a, int *b, int n, Hit *hits) {
    const int i = threadIdx.x;
    Hit mine = {0, 0}, other = {0, 0}, last = {0, 0};
    for (int j = 0; j < n; ++j) {
        Hit c = {a[(i + j) & 31] * j, j};
        if (mine.score < c.score) mine = c;
        else other = c;
        if (c.score % 3 == 0)
            for (int k = c.i; k < 5; ++k)
                last = Hit{last.i + k, last.score + c.i};
    }
    for (int j = 0; j < n; ++j) b[i * n + j] = j;
    hits[3 * i] = mine;
    hits[3 * i + 1] = other;
    hits[3 * i + 2] = last;
}

int main() {
    int *a, *b;
    Hit *h;
    cudaMallocManaged(&a, 32 * sizeof(int));
    cudaMallocManaged(&b, 128 * sizeof(int));
    cudaMallocManaged(&h, 96 * sizeof(Hit));
    for (int i = 0; i < 32; ++i)
        a[i] = (i * 37) % 101 + 1;
    best<<<1, 32>>>(a, b, 4, h);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; ++i)
        printf("%d %d\n", h[i].score, h[i].i);
    cudaFree(a);
    cudaFree(b);
    cudaFree(h);
}
