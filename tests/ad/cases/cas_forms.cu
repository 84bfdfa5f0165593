// Compare-and-swap loops that add or take away, in the forms that programs have for them.
// g2o-verify: tolerance = 1e-5
// g2o-verify: differences = none
// g2o-verify: forms<<<2, 32>>>(n = 60, x = [n], total = [4])
// g2o-verify: counts<<<2, 32>>>(n = 60, x = [n], total = [3], order = [n : 0 .. 1])
__device__ void add_float(float *address, float value)
{
    int *bits = (int *)address;
    int expected, found = *bits;
    do {
        expected = found;
        float sum = __int_as_float(expected) + value;
        found = atomicCAS(bits, expected, __float_as_int(sum));
    } while (found != expected);
}

__device__ void add_number(float *address, float value)
{
    float old = *address, assumed;
    do {
        assumed = old;
        old = __int_as_float(atomicCAS((int *)address, __float_as_int(assumed),
                                       __float_as_int(value + assumed)));
    } while (assumed != old);
}

__device__ void take_away(float *address, float value)
{
    unsigned expected;
    do {
        expected = __float_as_uint(*address);
    } while (atomicCAS((unsigned *)address, expected,
                       __float_as_uint(__uint_as_float(expected) - value)) != expected);
}

__global__ void forms(const float *x, float *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    add_float(&total[i % 2], x[i] * x[i]);
    add_number(total + 2, 2.0f * x[i]);
    take_away(&total[3], x[i] * x[i] * x[i]);
}

// What was there before decides about a whole number.
__device__ double add_and_tell(double *address, double value)
{
    unsigned long long int *bits = (unsigned long long int *)address;
    unsigned long long int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void counts(const double *x, double *total, int *order, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        order[i] = add_and_tell(&total[i % 3], x[i] * x[i]) > 1000.0;
}
