// References inside of structures that are used as a whole: nobody knows which numbers they mean.
struct Scale {
    double &v;
    double w;
    __device__ Scale(double &a, double b) : v(a), w(b) {}
    __device__ void apply() { v *= w; }
};

__global__ void constructed(const double *x, double *y)
{
    double a = x[threadIdx.x];
    Scale s(a, x[0]);
    s.v *= s.w; // refused: reference 'v' inside of a structure
    y[threadIdx.x] = a;
}

struct Pair {
    const double &first;
    int second;
};

__global__ void listed(const double *x, double *y)
{
    double a = x[threadIdx.x], b = a * a;
    Pair p[2] = {{a, 1}, {b, 2}};
    y[threadIdx.x] = p[threadIdx.x % 2].first * p[0].second; // refused: reference 'first' inside
}
