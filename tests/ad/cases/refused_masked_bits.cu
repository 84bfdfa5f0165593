// A vector of integers that numbers are moved as, and that is one of integers, too.
__global__ void masked(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 raw = *reinterpret_cast<const int4 *>(x + 4 * i);
    raw.x &= 0x7fffffff; // refused: an integer changes the bits
    *reinterpret_cast<int4 *>(y + 4 * i) = raw;
}
