// Integers that change the bits of numbers, unions with numbers of two sizes, addresses in integers.
__global__ void sign_masked(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    union {
        float f;
        unsigned u;
    } p;
    p.f = x[i];
    p.u &= 0x7fffffffu; // refused: integer
    y[i] = p.f * 2;
}

__global__ void bytes_of_a_number(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    union {
        float f;
        unsigned char c[4];
    } p;
    p.f = x[i];
    p.c[3] = p.c[3] & 127; // refused: integer
    y[i] = p.f * 2;
}

__global__ void halves_of_a_number(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    union {
        double d;
        float f[2];
    } p;
    p.d = x[i];
    y[i] = p.f[1] * 2; // refused: two sizes
}

__global__ void through_a_pointer(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    unsigned *bits = (unsigned *)&v;
    *bits = *bits & 0x7fffffffu; // refused: integer
    y[i] = v;
}

__global__ void changed_among_integers(const float *x, float *y)
{
    __shared__ __align__(16) float s[128];
    int t = threadIdx.x;
    uint4 four = reinterpret_cast<const uint4 *>(x)[blockIdx.x * 32 + t];
    four.x ^= 0x80000000u; // refused: integer
    reinterpret_cast<uint4 *>(s)[t] = four;
    __syncthreads();
    y[blockIdx.x * 32 + t] = s[4 * t] * s[(4 * t + 5) % 128];
}

__global__ void looked_at_as_integers(const float *x, float *y)
{
    __shared__ __align__(16) float s[128];
    int t = threadIdx.x;
    uint4 four = reinterpret_cast<const uint4 *>(x)[blockIdx.x * 32 + t];
    if (four.x >> 31)
        y[blockIdx.x * 32 + t] = 0;
    reinterpret_cast<uint4 *>(s)[t] = four; // refused: uint4
    __syncthreads();
    y[blockIdx.x * 32 + t] += s[4 * t] * s[(4 * t + 5) % 128];
}

__global__ void address_in_an_integer(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t address = (size_t)x + 4 * i;
    if (i < n)
        y[i] = *(const float *)address * 2; // refused: unknown origin
}
