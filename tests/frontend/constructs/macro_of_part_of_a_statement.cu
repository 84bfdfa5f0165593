// out: 1 2 3 4 5 6 7 8
#define GUARD if (i < n)
#define PLUS_ONE + 1
#define INDEX blockIdx.x * blockDim.x + threadIdx.x
#define ASSIGN =
#define ELEMENT(a) a[i]
#define END ;
__global__ void k(int *out, int n)
{
    int i ASSIGN INDEX END
    GUARD ELEMENT(out) = i PLUS_ONE END
}
