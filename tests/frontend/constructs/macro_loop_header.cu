// out: 21 21 21 21 21 21 21 22
#define FOR_EACH(i, n) for (int i = 0; i < (n); ++i)
#define FOREVER for (;;)
#define THREADS(i, n)                                            \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
         i += blockDim.x * gridDim.x)
__global__ void k(int *out, int n)
{
    THREADS(i, n) {
        int total = 0;
        FOR_EACH(j, i) {
            total += j;
        }
        FOREVER {
            if (++total > 20)
                break;
        }
        out[i] = total;
    }
}
