// Numbers behind pointers behind pointers, in unions, in memory of several types: no shadow is no
// zero.
struct Layer {
    const double *w;
    double *out;
};
struct Bytes {
    const void *data;
    double *y;
};
union Either {
    double *d;
    float *f;
};
struct WithUnion {
    Either either;
    double *y;
};
struct Rows {
    double *row[3];
    double *y;
};
struct Rate {
    double a, b;
};
struct State {
    double *y;
    Rate rate;
};
__device__ double product(Rate r) { return r.a * r.b; }

__global__ void behind(const Layer *layer, const double *x, double *y)
{
    int i = threadIdx.x;
    y[i] = layer[0].w[i] * x[i]; // refused: results depend on memory behind 'layer'
}

__global__ void into(const Layer *layer, const double *x)
{
    int i = threadIdx.x;
    layer[1].out[i] = x[i] * x[i]; // refused: results go into memory behind 'layer'
}

__global__ void alone(Layer *layer)
{
    layer->out[threadIdx.x] = 2.0 * layer->w[threadIdx.x]; // refused: results go into memory behind 'layer'
}

__global__ void bytes(Bytes b)
{
    int i = threadIdx.x;
    b.y[i] = ((const double *)b.data)[i] * ((const float *)b.data)[1] * b.y[i]; // refused: memory behind 'b.data'
}

__global__ void pointer_to_bytes(const void *data, double *y)
{
    int i = threadIdx.x;
    y[i] = ((const double *)data)[i] * ((const float *)data)[1] * y[i]; // refused: memory behind 'data'
}

__global__ void either(WithUnion u)
{
    int i = threadIdx.x;
    u.y[i] = u.either.d[i] * u.y[i]; // refused: memory behind 'u'
}

__global__ void rows(Rows r, int n)
{
    int i = threadIdx.x;
    for (int k = 0; k < n; ++k)
        r.y[i] += r.row[k][i]; // refused: structure 'r' with pointers to real numbers is used as
}

__global__ void changed(State s)
{
    int i = threadIdx.x;
    s.rate.a *= 2.0; // refused: 's.rate.a' is changed
    s.y[i] = product(s.rate) * s.rate.a;
}

template <class T> struct View {
    T *data;
    __device__ T &operator[](int i) const { return data[i]; }
};

template <class T> __global__ void nowhere_launched(View<T> x, View<T> y) // refused: the open type
{
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
