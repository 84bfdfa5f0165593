// Dynamic shared memory behind a member of a class, mostly with a form for each type.
#include <cstdio>

template <class T>
struct Memory {
    __device__ operator T *() {
        extern __shared__ int memory[];
        return (T *)memory;
    }
    __device__ operator const T *() const {
        extern __shared__ int memory[];
        return (T *)memory;
    }
};

template <>
struct Memory<double> {
    __device__ operator double *() {
        extern __shared__ double memory_of_doubles[];
        return (double *)memory_of_doubles;
    }
};

// Uses of the general form are errors of the linker.
template <class T>
struct Buffer {
    __device__ T *pointer() {
        extern __device__ void no_buffer_for_this_type();
        no_buffer_for_this_type();
        return nullptr;
    }
};

template <>
struct Buffer<float> {
    __device__ float *pointer() {
        extern __shared__ float floats[];
        return floats;
    }
    static __device__ float *get() {
        extern __shared__ float floats[];
        return floats;
    }
};

template <>
struct Buffer<int> {
    __device__ int *pointer() {
        extern __shared__ int ints[];
        return ints;
    }
    static __device__ int *get() {
        extern __shared__ int ints[];
        return ints;
    }
};

template <class T>
__global__ void reverse(T *x) {
    T *s = Memory<T>();
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_floats(float *x) {
    float *s = Memory<float>();
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

template <class T>
__device__ void rotate_block(T *x) {
    Buffer<T> buffer;
    T *s = buffer.pointer();
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[(threadIdx.x + 3) % blockDim.x];
}

template <class T>
__global__ void rotate(T *x) {
    rotate_block(x);
}

__global__ void rotate_ints(int *x) {
    int *s = Buffer<int>::get();
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[(threadIdx.x + 5) % blockDim.x];
}

template <class T>
void run(T *x, int n) {
    for (int i = 0; i < n; ++i)
        x[i] = T(i);
    reverse<T><<<1, n, n * sizeof(T)>>>(x);
}

template <class T>
void print(const T *x, int n) {
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%g ", double(x[i]));
    printf("\n");
}

int main() {
    const int n = 48;
    float *f;
    double *d;
    int *i;
    cudaMallocManaged(&f, n * sizeof(float));
    cudaMallocManaged(&d, n * sizeof(double));
    cudaMallocManaged(&i, n * sizeof(int));
    run(f, n);
    run(d, n);
    run(i, n);
    reverse_floats<<<1, n / 2, n * sizeof(float)>>>(f);
    rotate<float><<<1, n, n * sizeof(float)>>>(f);
    rotate<int><<<1, n, n * sizeof(int)>>>(i);
    rotate_ints<<<1, n / 2, n * sizeof(int)>>>(i);
    print(f, n);
    print(d, n);
    print(i, n);
    return 0;
}
