// out: 3417788529 6
// Cases with barriers that fall through.
#include <cstdio>

template <int BLOCK> __global__ void reduce(int *x)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * BLOCK + t];
    __syncthreads();
    switch (BLOCK) {
    case 256:
        if (t < 128)
            s[t] += s[t + 128];
        __syncthreads(); // and on
    case 128:
        if (t < 64)
            s[t] += s[t + 64];
        __syncthreads();
        [[fallthrough]];
    case 64:
        if (t < 32)
            s[t] += s[t + 32];
        __syncthreads();
    }
    for (int d = 16; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    x[blockIdx.x * BLOCK + t] = s[t];
}

__global__ void modes(int *x, int mode, const int *m)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 32 + t];
    __syncthreads();
    for (int round = 0; round < 3; ++round) {
        int a = 0;
        switch (mode) {
        case 0: {
            a = s[31 - t];
            __syncthreads();
            s[t] += a;
            __syncthreads();
            mode = 3;
            break;
        }
        case 1:
            int b;
            b = s[(t + 1) % 32];
            __syncthreads();
            s[t] = b;
            mode = 2;
        case 2:
            b = 3;
            s[t] += b;
            __syncthreads();
            break;
        default:
            s[t] += 7;
            mode++;
            __syncthreads();
        case 5:
            a = s[(t + 5) % 32];
            __syncthreads();
            s[t] -= a;
            mode += 2;
            __syncthreads();
            if (round == 1)
                continue;
        case 6:
            s[t] *= 2;
            __syncthreads();
        }
        s[t] += mode;
        __syncthreads();
    }
    switch (m[0] + 1) {
    case 7:
        s[t] = 3;
        __syncthreads();
    case 8:
        s[31 - t] += 3;
        __syncthreads();
        break;
    case 9:
        return;
    default:
        s[t] = 0;
    }
    x[blockIdx.x * 32 + t] = s[t];
}

int main()
{
    int *x, *m;
    cudaMallocManaged(&x, 1024 * 4);
    cudaMallocManaged(&m, 4);
    for (int i = 0; i < 1024; i++)
        x[i] = i % 23;
    reduce<32><<<4, 32>>>(x);
    reduce<64><<<4, 64>>>(x + 128);
    reduce<128><<<2, 128>>>(x + 384);
    reduce<256><<<1, 256>>>(x + 640);
    for (int k = 0; k < 9; k++) {
        *m = k;
        modes<<<2, 32>>>(x + k * 100, k, m);
        cudaDeviceSynchronize();
    }
    cudaDeviceSynchronize();
    unsigned h = 0;
    for (int i = 0; i < 1024; i++)
        h = h * 31 + x[i];
    printf("%u %d\n", h, x[640]);
}
