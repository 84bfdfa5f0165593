// Types of functions, and types without a name, for what only the runtime library defines.
#include <cstdio>

__constant__ struct {
    int a;
    float b[2];
} numbers;

__global__ void use(int *out) { out[threadIdx.x] = numbers.a * threadIdx.x + int(numbers.b[1]); }

int main()
{
    struct Pair {
        int x, y;
    };
    Pair h[8], *d;
    int a = 5;
    float b[2] = {1, 2};
    cudaMemcpyToSymbol(numbers, &a, sizeof a);
    cudaMemcpyToSymbol(numbers, b, sizeof b, sizeof a);
    cudaMalloc(&d, sizeof h);
    use<<<1, 16>>>(&d->x);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (const Pair &pair : h)
        printf(" %d,%d", pair.x, pair.y);
    printf("\n");
}
