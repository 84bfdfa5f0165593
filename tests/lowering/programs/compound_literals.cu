// Structures in parentheses and braces: values, of which it is known what they read.
#include <cstdio>
typedef struct { double real; double imag; } dcomplex;
#define dcomplex_create(r,i) (dcomplex){r, i}
#define dcomplex_add(a,b) (dcomplex){(a).real+(b).real, (a).imag+(b).imag}
extern __shared__ double extern_share_data[];
__global__ void checksum(dcomplex u1[], dcomplex sums[], int n) {
	dcomplex* share_sums = (dcomplex*)(extern_share_data);
	int j = (blockIdx.x * blockDim.x + threadIdx.x) + 1;
	if(j<=n) share_sums[threadIdx.x] = u1[j];
	else share_sums[threadIdx.x] = dcomplex_create(0.0, 0.0);
	__syncthreads();
	for(int i=blockDim.x/2; i>0; i>>=1){
		if(threadIdx.x<i)
			share_sums[threadIdx.x] = dcomplex_add(share_sums[threadIdx.x], share_sums[threadIdx.x+i]);
		__syncthreads();
	}
	if(threadIdx.x==0){
		atomicAdd(&sums[0].real,share_sums[0].real);
		atomicAdd(&sums[0].imag,share_sums[0].imag);
	}
}
struct V { float x, y; };
__device__ V add(V a, V b) { return (V){a.x + b.x, a.y + b.y}; }
__global__ void moved(V *v, float *y, int n) {
    int i = threadIdx.x;
    V a = (V){.x = v[i].x, .y = 2.0f};
    V b = (V){v[i].y};
    int k = (int){3};
    v[i] = add(a, b);
    y[i] = ((V){v[i].x, 1.0f}).x * (const float[2]){1.0f, 2.0f}[k & 1];
}
int main() {
    dcomplex *u, *s; V *v; float *y;
    cudaMallocManaged(&u, 40 * 16); cudaMallocManaged(&s, 16); cudaMallocManaged(&v, 80); cudaMallocManaged(&y, 40);
    for (int i = 0; i < 40; i++) u[i] = {i * 0.5, i * 0.25};
    s[0] = {0, 0};
    checksum<<<1, 32, 32 * 16>>>(u, s, 20);
    for (int i = 0; i < 10; i++) v[i] = {i * 1.5f, i - 3.0f};
    moved<<<1, 10>>>(v, y, 10);
    cudaDeviceSynchronize();
    printf("%g %g\n", s[0].real, s[0].imag);
    for (int i = 0; i < 10; i++) printf("%g %g %g\n", v[i].x, v[i].y, y[i]);
}
