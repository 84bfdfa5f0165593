// What is stored as structures of real numbers leaves integers as they are: lists are read again.
// g2o-verify: pulled<<<2, 8>>>(n = 16, pos = [n], list = [3 * n : (5 * i + 3) % 16], counts = [n : i % 4], force = [n])

__global__ void pulled(const double3 *pos, const int *list, const int *counts, double3 *force,
                       int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double3 sum = make_double3(0.0, 0.0, 0.0);
    for (int k = 0; k < counts[i]; ++k) {
        const int j = list[k * n + i];
        const double dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y;
        const double w = 1.0 / (1.0 + dx * dx + dy * dy);
        sum.x += w * dx;
        sum.y += w * dy;
        sum.z += w * w;
    }
    force[i] = sum;
}
