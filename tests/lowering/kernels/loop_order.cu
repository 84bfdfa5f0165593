// Rows along x: neighbours in memory are along y, which becomes the inner loop.
__global__ void rows_along_x(float *out, const float *in, int n, int m) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < m) {
        int at = row * m + col;
        out[at] = 2.0f * in[at];
    }
}

// The usual order stays.
__global__ void rows_along_y(float *out, const float *in, int n, int m) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= m)
        return;
    out[row * m + col] = 2.0f * in[row * m + col];
}

// Three axes: the two outer loops share out the work.
__global__ void volume(float *out, const float *in, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    out[(z * ny + y) * nx + x] = -in[(z * ny + y) * nx + x];
}
