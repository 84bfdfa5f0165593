// out: 6 9 12 15 18 21 24 27
#define LENGTH n
#define WEIGHTS c_weights
__constant__ int c_weights[2] = {2, 3};
__device__ int add(int left, int right)
{
#define first left
#define also_first first
    return also_first + right;
}
__global__ void k(int *out, int n)
{
    __shared__ int tile[4];
#define cells tile
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum;
#define total sum
    cells[threadIdx.x] = i;
    __syncthreads();
    total = add(tile[threadIdx.x], 1) * WEIGHTS[1];
    total += WEIGHTS[0] + (LENGTH - 7);
    if (i < LENGTH)
        out[i] = sum;
}
