// Objects that are made where they are handed over, and methods that hand over their own.
// g2o-verify: members_of_values<<<2, 16>>>(n = 30, x = [n : -1 .. 1], y = [n])
// g2o-verify: embedded<<<2, 8>>>(n = 10, pos = [n * 3 : 0.0 .. 2.0], nn = [n : 4], nl = [n * 8 : (i / 8 + 1 + i % 8) % 10], e = [n], cut = 2.5)
// g2o-verify: made_in_place<<<2, 8>>>(n = 10, pos = [n * 3], e = [n])

struct V3 {
    double x, y, z;
    __host__ __device__ V3(double a = 0, double b = 0, double c = 0) : x(a), y(b), z(c) {}
    __device__ V3 operator+(const V3 &o) const { return V3(x + o.x, y + o.y, z + o.z); }
    __device__ V3 operator-(const V3 &o) const { return V3(x - o.x, y - o.y, z - o.z); }
    __device__ V3 operator*(double s) const { return V3(x * s, y * s, z * s); }
    __device__ double dot(const V3 &o) const { return x * o.x + y * o.y + z * o.z; }
    __device__ V3 cross(const V3 &o) const { return V3(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x); }
    __device__ double length() const { return sqrt(dot(*this)); }
};
__device__ V3 operator*(double s, const V3 &v) { return v * s; }

__global__ void made_in_place(const double *pos, double *e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V3 p(pos[3 * i], pos[3 * i + 1], pos[3 * i + 2]);
    V3 d = p - V3(pos[3 * i], 1.0, 2.0);
    e[i] = d.dot(d) + V3(pos[3 * i], 1.0, 2.0).length();
}

__global__ void embedded(const double *pos, const int *nn, const int *nl, double *e, double cut, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V3 pi(pos[3 * i], pos[3 * i + 1], pos[3 * i + 2]);
    double rho = 0.0, pair = 0.0;
    for (int k = 0; k < nn[i]; ++k) {
        int j = nl[i * 8 + k];
        if (j == i)
            continue;
        V3 d = pi - V3(pos[3 * j], pos[3 * j + 1], pos[3 * j + 2]);
        double r2 = d.dot(d) + 0.3;
        if (r2 > cut * cut)
            continue;
        double r = sqrt(r2), s = 1.0 / (r2 * r2 * r2);
        pair += 4.0 * s * (s - 1.0);
        rho += exp(-r);
    }
    e[i] = 0.5 * pair - sqrt(rho + 0.1);
}

struct Weight {
    double value;
};

struct Weights {
    Weight one;
    double others[2];
};

// Members of values that no variable holds.
__global__ void members_of_values(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Weight constant = {2.0};
    double chosen = (x[i] < 0.0 ? Weight{x[i]} : constant).value;
    double made = make_double2(x[i], 3.0).x + make_double2(3.0, x[i] * x[i]).y;
    double inner = Weights{{x[i]}, {1.0, chosen}}.others[1] + Weights{{x[i]}, {1.0, 2.0}}.one.value;
    y[i] = chosen * made * inner * Weight{x[(i + 1) % n]}.value;
}
