// Threads along an axis that the kernel does not name act as often as there are of them.
#include <cstdio>

template <class T> static T *filled(int n, int factor = 7, int modulus = 13, int offset = -3) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<T>(i * factor % modulus + offset);
    return p;
}

template <class T> static void show(const char *what, const T *p, int n) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < n; ++i)
        printf(" %g", static_cast<double>(p[i]));
    printf("\n");
}

__global__ void unused_y(int *c) { atomicAdd(c, 1); }

__global__ void unused_y2(int *c, int *d) {
    atomicAdd(c, threadIdx.x);
    __syncthreads();
    atomicAdd(d, 1);
}

__global__ void unused_gy(int *c) { atomicAdd(c, threadIdx.x); }

__global__ void unused_gy2(int *c) { atomicAdd(c, threadIdx.x + blockIdx.x); }

__global__ void unused_printf(int n) {
    if (threadIdx.x == 0)
        printf("hello %d\n", n);
}

__global__ void atomics_unused_axis(int *c) { atomicAdd(c, 1); }
__global__ void atomics_unused_axis_again(int *c) {
    if (threadIdx.x == 0)
        atomicAdd(c, 1);
}
__global__ void atomics_unused_axis_2(int *c) {
    if (blockIdx.x == 0)
        atomicAdd(c, threadIdx.y + 1);
}

int main() {
    {
        int *c = filled<int>(3, 0, 1, 0);
        unused_y<<<2, dim3(4, 5)>>>(c);
        show("unused_y", c, 3);
    }
    {
        int *c = filled<int>(3, 0, 1, 0);
        unused_y2<<<2, dim3(4, 5)>>>(c, c + 1);
        show("unused_y2", c, 3);
    }
    {
        int *c = filled<int>(3, 0, 1, 0);
        unused_gy<<<dim3(2, 3), 4>>>(c);
        show("unused_gy", c, 3);
    }
    {
        int *c = filled<int>(3, 0, 1, 0);
        int gx = 3, gy = 2;
        dim3 g(gx, gy);
        unused_gy2<<<g, 4>>>(c);
        show("unused_gy2", c, 3);
    }
    {
        unused_printf<<<1, dim3(4, 3)>>>(4);
        cudaDeviceSynchronize();
        unused_printf<<<2, 3>>>(4);
        cudaDeviceSynchronize();
    }
    {
        int *c = filled<int>(3, 0, 1, 0);
        atomics_unused_axis<<<dim3(2, 3), dim3(4, 5)>>>(c);
        atomics_unused_axis_again<<<dim3(2, 3), dim3(4, 5, 2)>>>(c + 1);
        atomics_unused_axis_2<<<dim3(3, 2), dim3(4, 5, 2)>>>(c + 2);
        show("atomics_unused_axis", c, 3);
    }
    return 0;
}
