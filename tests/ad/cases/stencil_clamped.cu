// Neighbours that are clamped to the rim: rim cells are read several times.
// g2o-verify: clamped<<<(2, 2), (8, 4)>>>(w = 13, h = 7, u = [w * h], v = [w * h])
__global__ void clamped(const double *u, double *v, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int xl = max(x - 1, 0), xr = min(x + 1, w - 1), yu = y > 0 ? y - 1 : 0,
        yd = y < h - 1 ? y + 1 : y;
    v[y * w + x] = u[y * w + xl] * u[y * w + xr] - u[yu * w + x] * u[yd * w + x] * u[y * w + x];
}
