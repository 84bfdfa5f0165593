// out: 7 3 7 7 7 7 7 7
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x;;
    for (x = 0; x * x < i; ++x) ;
    for (; x < 10; ++x);
    while (x-- > 4)
        ;
    if (i == 1) ; else x = 7;
    ;
    { ; }
    {}
    out[i] = x;
}
