// The first and the last of a row are neighbours; rows outside are those at the edge.
__global__ void rows_around(const double *u, double *v, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    int left = i == 0 ? nx - 1 : i - 1;
    int right = (i + 1) % nx;
    int up = max(j - 1, 0);
    int down = j + 1;
    if (down == ny)
        down = j;
    v[j * nx + i] = u[j * nx + left] + u[j * nx + right] + u[up * nx + i] + u[down * nx + i];
}
