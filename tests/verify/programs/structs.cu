// Device methods, functors, device lambdas, vector types, global device variables, recursion.
#include <cstdio>

struct Particle {
    float3 at;
    float mass;
    __host__ __device__ float weight(float g) const { return mass * g; }
    __device__ void push(float3 by) {
        at.x += by.x;
        at.y += by.y;
        at.z += by.z;
    }
};
__device__ int counter;
__device__ float total = 1.5f;
static __device__ const int primes[4] = {2, 3, 5, 7};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

class Pool {
  public:
    __device__ Pool(Particle *p, int n) : p_(p), n_(n) {}
    __device__ Particle &operator[](int i) { return p_[i % n_]; }

  private:
    Particle *p_;
    int n_;
};

__global__ void move(Particle *p, int n) {
    Pool pool(p, n);
    int i = threadIdx.x;
    pool[i].push(make_float3(i, primes[i % 4], fibonacci(i)));
    atomicAdd(&counter, 1);
    atomicAdd(&total, pool[i].weight(2));
}

int main() {
    Particle *p, host[10];
    for (int i = 0; i < 10; ++i)
        host[i] = {{0, 0, 0}, (float)i};
    int zero = 0, count;
    float sum;
    cudaMalloc(&p, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    move<<<1, 10>>>(p, 10);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %g: %g %g %g\n", count, sum, host[9].at.x, host[9].at.y, host[9].at.z);
    printf("%zu %zu %zu %zu\n", sizeof(float4), alignof(float4), alignof(double2), sizeof(uchar3));
}
// output: 10 91.5: 9 3 34
// output: 16 16 16 3
