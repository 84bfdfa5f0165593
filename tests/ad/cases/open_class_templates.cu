// Objects of class templates in functions that are templates: an operator on them is none on numbers.
// g2o-verify: turned<<<2, 20>>>(x = [40], y = [40], n = 33)
// g2o-verify: turned_as<double><<<2, 20>>>(x = [40], y = [40], n = 33)
template <typename T>
struct Quaternion {
    T w, x, y, z;
    __device__ Quaternion operator*(const Quaternion &b) const
    {
        return {w * b.w - x * b.x - y * b.y - z * b.z, w * b.x + x * b.w + y * b.z - z * b.y,
                w * b.y - x * b.z + y * b.w + z * b.x, w * b.z + x * b.y - y * b.x + z * b.w};
    }
};

template <typename T>
__device__ T mixed(const Quaternion<T> &a, const Quaternion<T> &b)
{
    Quaternion<T> c = a * b;
    Quaternion<T> d = c * a;
    return d.x + 2 * d.y + c.w * d.z;
}

__global__ void turned(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Quaternion<double> a{x[i], 1, x[i] * x[i], 0.5}, b{1, x[i], 2, x[(i + 1) % n]};
    y[i] = mixed(a, b);
}

template <typename T>
__global__ void turned_as(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Quaternion<T> a{x[i], 1, x[i] * x[i], T(0.5)}, b{1, x[i], 2, x[(i + 1) % n]};
    y[i] = mixed(a, b);
}

void start(const double *x, double *y)
{
    turned_as<double><<<2, 20>>>(x, y, 33);
}
