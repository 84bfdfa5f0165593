// An active value that is read as another type through a pointer.
__global__ void flip_sign(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned *bits = reinterpret_cast<unsigned *>(&x[i]);
        *bits ^= 0x80000000u; // refused: integer
    }
}
