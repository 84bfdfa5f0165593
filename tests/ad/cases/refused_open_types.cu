// What `auto` stands for depends on the arguments of the template: nobody knows the shadow's type.
template <class T> __global__ void doubled(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        auto v = x[i] * 2.0; // refused: whose type depends on the template's arguments
        y[i] = v * v;
    }
}

template <class T> struct Two {
    T a, b;
};

template <class T> __global__ void products(const Two<T> *x, T *y, int n) // refused: open type
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        auto v = x[i];
        v.a = v.a * v.b;
        y[i] = v.a;
    }
}
