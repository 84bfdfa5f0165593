// Neighbours across two of three axes; rows that are interior as a whole.
// g2o-verify: cube<<<dim3(1, 2, 2), dim3(4, 4, 4)>>>(nx = 3, ny = 5, nz = 6, u = [90], v = [90])
// g2o-verify: cube<<<dim3(2, 2, 2), dim3(4, 4, 4)>>>(nx = 5, ny = 3, nz = 4, u = [90], v = [90])
__global__ void cube(const double *u, double *v, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < nx && j > 0 && j < ny - 1 && k < nz - 1) {
        int c = (k * ny + j) * nx + i;
        v[c] = u[c] * u[c + nx] * u[c - nx] + u[c + nx * ny] * u[c];
    }
}
