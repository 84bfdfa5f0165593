// Structs in structs, copied whole, and by members; an array in one under a variable index.
// g2o-verify: advance<<<2, 8>>>(n = 14, b = [n], y = [n])
struct V {
    float x, y;
};
struct Body {
    V pos;
    double m[3];
    int id;
    V vel;
};
__global__ void advance(Body *b, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Body me = b[i];
    V d = me.pos;
    d.x *= me.vel.x;
    me.vel = d;
    for (int j = 0; j < 3; ++j)
        me.m[(j + i) % 3] *= d.x + me.m[j];
    b[i].m[1] = me.m[0] * me.m[2];
    b[i].vel = me.vel;
    V pick = i % 2 ? me.pos : me.vel;
    y[i] = pick.x * pick.y + b[i].m[1];
}

// Arrays in a parameter that is a struct, and the struct itself, handed on by their addresses.
// g2o-verify: weighted<<<2, 8>>>(n = 14, x = [n], y = [n], scale.offset = 0.5)
struct Scale {
    double weights[4];
    double offset;
};
__device__ void chosen(int i, const double *weights, const Scale *all, double *out)
{
    out[0] = weights[i % 4] * all->offset;
    out[1] = 2 * weights[(i + 1) % 4];
}
__global__ void weighted(Scale scale, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double two[2];
    chosen(i, scale.weights, &scale, two);
    y[i] = two[0] * x[i] + two[1] * two[0];
}

// Structs in structs in structs, handed over, copied whole, and one without a name.
// g2o-verify: far_inside<<<2, 8>>>(n = 14, x = [n], y = [n])
struct Inmost {
    double c;
};
struct Inner {
    Inmost most;
    double b;
};
struct Outer {
    Inner inner;
    struct {
        double a, unused;
    };
};
struct Whole {
    Outer outer[2];
};
__global__ void far_inside(Whole all, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Whole own = all;
    own.outer[1].inner.most.c *= x[i];
    own.outer[0].a *= own.outer[1].a;
    Whole copy = own;
    y[i] = copy.outer[1].inner.most.c * copy.outer[0].inner.b + copy.outer[0].a * x[i];
}
