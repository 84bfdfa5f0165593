// A struct with a method and a constructor, made from active values in the kernel.
// g2o-verify: lines<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: turn<<<2, 9>>>(n = 16, q = [n], v = [n])
// g2o-verify: angles<<<2, 9>>>(n = 16, x = [n], y = [n])
// g2o-verify: chained<<<2, 9>>>(n = 16, x = [n], y = [n])
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

struct Quaternion {
    double w, x, y, z;
    __device__ Quaternion operator*(const Quaternion &b) const
    {
        return Quaternion{w * b.w - x * b.x - y * b.y - z * b.z, w * b.x + x * b.w + y * b.z - z * b.y,
                          w * b.y - x * b.z + y * b.w + z * b.x, w * b.z + x * b.y - y * b.x + z * b.w};
    }
    __device__ Quaternion conjugate() const { return {w, -x, -y, -z}; }
    __device__ void normalize()
    {
        double n = 1 / sqrt(w * w + x * x + y * y + z * z);
        w *= n;
        x *= n;
        y *= n;
        z *= n;
    }
};

// A method that changes its object and takes nothing, and objects that have no name.
__global__ void turn(Quaternion *q, double3 *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    q[i] = Quaternion{1, v[i].x, 0, v[i].y} * q[i];
    q[i].normalize();
    Quaternion turned = q[i] * Quaternion{0, v[i].x, v[i].y, v[i].z} * q[i].conjugate();
    v[i] = make_double3(turned.x, turned.y, turned.z);
}

struct Angle {
    double radians;
    __device__ explicit Angle(double degrees) : radians(degrees * 0.0174532925) {}
    __device__ operator double() const { return radians; }
};

// An object that is converted to a number.
__global__ void angles(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Angle angle(50.0 * x[i]);
    y[i] = sin(angle) * angle;
}

struct Total {
    double sum;
    __device__ Total &add(double v)
    {
        sum += v * v;
        return *this;
    }
    __device__ Total &scale(double by)
    {
        sum *= by;
        return *this;
    }
};

// Methods of what other methods give back: it is the object itself.
__global__ void chained(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Total total{x[i]};
    total.add(x[i]).scale(2.0).add(total.sum);
    total.scale(x[(i + 1) % n]).sum += x[i];
    y[i] = total.sum;
}
