// Objects of classes without a constructor for no arguments, several for each thread, that live
// across barriers: in memory that the launch asks for, and in memory of fixed size.
#include <cstdio>

#include <cuda_runtime.h>

template <typename T> struct Cell {
    T mass;
    T place;
    __device__ explicit Cell(T start) : mass(start), place(start * 2) {}
    __device__ T total(T n) const { return mass * n + place; }
    __device__ void move(T by) { place += by; }
};

template <typename T> struct Spot {
    T mass;
    T place;
    __device__ explicit Spot(T start) : mass(start), place(start * 2) {}
    __device__ T total(T n) const { return mass * n + place; }
    __device__ void move(T by) { place += by; }
};

__global__ void asked_for(const unsigned *in, unsigned *out, unsigned rows)
{
    __shared__ unsigned s[96];
    const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
    for (unsigned r = 0; r < rows; ++r) {
        Cell<unsigned> z[2] = {Cell<unsigned>(in[t] + r), Cell<unsigned>(t)};
        s[t] = z[r % 2].total(3);
        __syncthreads();
        z[1].move(s[(t + 1) % (blockDim.x * blockDim.y)]);
        __syncthreads();
        out[t] += z[in[t] % 2].total(r);
    }
}

__global__ void of_fixed_size(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[32];
    Spot<unsigned> z[2][2] = {{Spot<unsigned>(in[threadIdx.x]), Spot<unsigned>(1u)},
                              {Spot<unsigned>(2u), Spot<unsigned>(threadIdx.x)}};
    s[threadIdx.x] = z[threadIdx.x % 2][1].total(5u);
    __syncthreads();
    z[0][1].move(s[31 - threadIdx.x]);
    out[threadIdx.x] = z[in[threadIdx.x] % 2][1].total(7u);
}

int main(int argc, char **)
{
    const unsigned n = 96;
    unsigned *in, *out, h_in[n], h_out[n], sum = 0;
    for (unsigned i = 0; i < n; ++i)
        h_in[i] = i * 7 % 13;
    cudaMalloc(&in, sizeof h_in);
    cudaMalloc(&out, sizeof h_out);
    cudaMemset(out, 0, sizeof h_out);
    cudaMemcpy(in, h_in, sizeof h_in, cudaMemcpyHostToDevice);
    asked_for<<<1, dim3(n / 4 + argc - 1, 4)>>>(in, out, 5);
    cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < n; ++i)
        sum += h_out[i] * (i % 5);
    of_fixed_size<<<argc, 32>>>(in, out);
    cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 32; ++i)
        sum += h_out[i] * (i % 3);
    printf("%u %u %u\n", h_out[0], h_out[31], sum);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
