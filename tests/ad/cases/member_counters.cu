// Counters that are members of objects of the thread, in places and values.
// g2o-verify: pushed<<<1, 8>>>(x = [10], y = [8])
// g2o-verify: popped<<<1, 8>>>(x = [10], y = [8])
struct Stack {
    double v[8];
    int n;
    __device__ void push(double a) { v[n++] = a; }
    __device__ double pop() { return v[--n]; }
};
__global__ void pushed(const double *x, double *y) {
    Stack s;
    s.n = 0;
    s.push(x[threadIdx.x]);
    s.push(2);
    for (int j = 0; j < 3; ++j)
        s.push(s.v[s.n - 1] * x[threadIdx.x + 1]);
    y[threadIdx.x] = s.v[0] * s.v[1] * s.v[4];
}
__global__ void popped(const double *x, double *y) {
    Stack s;
    s.n = 0;
    for (int j = 0; j < 3; ++j) {
        s.push(x[threadIdx.x + j % 2] * (j + 1));
        s.push(sin(x[threadIdx.x]));
        double a = s.pop(), b = s.pop();
        s.push(a * b + a);
    }
    double r = 1;
    while (s.n > 0)
        r *= s.pop();
    y[threadIdx.x] = r;
}
