// A constructor that gives members their values in one statement of its body.
// g2o-verify: areas_of_pairs<<<2, 16>>>(n = 30, x = [60], y = [60], z = [n])
struct Point {
    float x, y;
    __device__ Point() {}
    __device__ Point(double a, double b) { x = a, y = b; }
    __device__ Point operator-(const Point &b) const { return Point(x - b.x, y - b.y); }
};

__device__ inline float cross(const Point &a, const Point &b) { return a.x * b.y - a.y * b.x; }

__device__ float area_of(const float *p, const float *q)
{
    Point a(p[0], p[1]), b(q[0], q[1]);
    return cross(a - b, b);
}

__global__ void areas_of_pairs(int n, const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = area_of(x + 2 * i, y + 2 * i);
}
