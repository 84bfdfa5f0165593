// Structures and arrays of the kernel's own that hold pointers.
// g2o-verify: listed<<<2, 20>>>(x = [40], y = [40], z = [40], o = [40], n = 33)
// g2o-verify: views<<<2, 20>>>(x = [40 * 3], o = [40 * 3], n = 33)
// g2o-verify: rows<<<2, 20>>>(x = [40 * 3], o = [40 * 3], n = 33)
// g2o-verify: pairs<<<2, 20>>>(x = [40], y = [40], o = [40], n = 33)
// g2o-verify: either<<<2, 20>>>(x = [40], y = [40], z = [40], n = 33)

__global__ void either(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *outs[2];
    outs[0] = y;
    outs[1] = z;
    outs[i % 2][i] = 2.0 * x[i] * outs[0][i];
}

__global__ void listed(const double *x, const double *y, const double *z, double *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *from[3] = {x, y, z};
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (k + 1) * from[k][i] * from[(k + 1) % 3][i];
    o[i] = sum * from[1][i];
}

template <typename T>
struct View {
    T *start;
    int stride;
    __device__ T &operator[](int i) const { return start[i * stride]; }
    __device__ T &operator()(int i, int j) { return start[i * stride + j]; }
};

__global__ void views(const double *x, double *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    View<const double> column{x + i, n};
    View<double> all{o, 3};
    for (int c = 0; c < 3; ++c)
        all(i, c) = column[c] * column[(c + 1) % 3];
}

class Matrix {
  public:
    __device__ Matrix(double *data, int rows, int columns)
        : data_(data), rows_(rows), columns_(columns)
    {
    }
    __device__ double &at(int r, int c) { return data_[r * columns_ + c]; }
    __device__ double get(int r, int c) const
    {
        if (r >= rows_)
            r = 0;
        return data_[r * columns_ + c];
    }
    __device__ Matrix row(int r) const { return Matrix(data_ + r * columns_, 1, columns_); }
    __device__ int columns() const { return columns_; }

  private:
    double *data_;
    int rows_, columns_;
};

__device__ double length(const Matrix &row)
{
    double sum = 0;
    for (int c = 0; c < row.columns(); ++c)
        sum += row.get(0, c) * row.get(0, c);
    return sqrt(sum);
}

__device__ void scale(Matrix row, double by)
{
    for (int c = 0; c < row.columns(); ++c)
        row.at(0, c) *= by;
}

// A class whose objects are handed to functions and given back by one.
__global__ void rows(double *x, double *o, int n)
{
    Matrix from(x, n, 3), to(o, n, 3);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Matrix row = from.row(i);
    double l = length(row);
    scale(row, 1 / l);
    for (int c = 0; c < 3; ++c)
        to.at(i, c) = from.get(i, c) * l;
}

struct Pair {
    const double *first, *second;
    double weight;
};

// Structures that are set again and copied, one of them in a condition.
__global__ void pairs(const double *x, const double *y, double *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair one = {x, y, x[i]}, other;
    other = one;
    if (i % 3 == 0) {
        other.first = y;
        other.weight *= 2.0;
    }
    o[i] = one.first[i] * other.first[i] * one.weight + other.weight * other.second[i];
}

// Pointers in an array inside of a structure.
// g2o-verify: alternating<<<2, 8>>>(n = 14, x = [n], w = [n], y = [n])
__global__ void alternating(const double *x, const double *w, double *y, int n)
{
    struct {
        const double *from[2];
        double weights[2];
        int size;
    } all = {{x, w}, {2, 3}, n};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= all.size)
        return;
    all.weights[1] *= all.from[0][i];
    y[i] = all.from[i % 2][i] * all.weights[i % 2] + all.from[1][(i + 1) % n] * all.weights[1];
}

// A pointer of a structure is moved to another through the structure's address.
// g2o-verify: squares_by_address<<<2, 8>>>(x = [16], y = [16], n = 15)
struct BothWays {
    double *out;
    const double *in;
};
__global__ void squares_by_address(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    BothWays v = {y, x}, *which = &v;
    v.in = which->out;
    v.out[i] = v.in[i] * v.in[i] + x[i];
}

// g2o-verify: squares_of_a_copy<<<1, 16>>>(x = [16], y = [16])
struct Named {
    double &first;
    double second;
};
__global__ void squares_of_a_copy(const double *x, double *y)
{
    double a = x[threadIdx.x];
    Named p{a, 3};
    const Named *q = &p;
    a *= x[0];
    y[threadIdx.x] = q->first * q->second;
}
