struct Place {
    int x, width;
    __device__ Place(int n) : x(blockIdx.x * n + threadIdx.x), width(n) {}
};

struct Unused {
    __device__ float operator()(const float *p) const { return p[threadIdx.x]; }
};

template <typename T> struct Shift {
    __device__ T by(const T *p) const { return p[threadIdx.x + 1]; }
};

template <typename F, typename T> __global__ void apply(T *p, F f, Shift<T> shift) {
    f(p + blockIdx.x * 32);
    p[threadIdx.x] = shift.by(p + 32);
}

struct Scale {
    float a;
    __device__ void operator()(float *p) const { p[threadIdx.x] *= a; }
};

__global__ void place(float *p) {
    p[Place(32).x] += 1.0f;
}

void launch(float *p) { apply<<<2, 32>>>(p, Scale{2.0f}, Shift<float>{}); }
