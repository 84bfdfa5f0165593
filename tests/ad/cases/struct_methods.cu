// A struct with a method and a constructor, made from active values in the kernel.
// g2o-verify: lines<<<2, 16>>>(n = 30, x = [n], y = [n])
struct Line {
    double slope, offset;
    __device__ Line(double a, double b) : slope(a), offset(b) {}
    __device__ double at(double t) const { return slope * t + offset; }
    __device__ void tilt(double by) { slope *= by; }
};

__global__ void lines(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Line line(x[i], x[i] * x[i]);
    double before = line.at(x[(i + 1) % n]);
    line.tilt(before);
    y[i] = line.at(2.0) * before;
}
