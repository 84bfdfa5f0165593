// What the head of a switch declares.
// g2o-verify: switched<<<2, 8>>>(x = [16], y = [16])
constexpr int k = 1;
__global__ void switched(const double *x, double *y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r = x[i];
    switch (int k = i % 3; k) {
    case 0:
        r *= 2;
        break;
    case 1:
        r = r * r;
        break;
    default:
        r += 1;
    }
    y[i] = r;
}
