// Neighbours below are counted from the start of the row, too.

__global__ void flow(float *level, const float *__restrict__ terrain, int n, int m)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= m)
        return;
    float here = terrain[row * m + col];
    if (here > 0.0f && row > 0 && col > 0)
        level[row * m + col] =
            here + fminf(level[row * m + (col - 1)], level[(row - 1) * m + (col - 1)]);
}
