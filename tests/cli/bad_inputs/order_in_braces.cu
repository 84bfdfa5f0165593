// Elements of a list in braces come one after the other: what stands in front of a call that becomes
// statements cannot read what that call changes, nor change anything itself.
struct Pair {
    int before, after;
};

__device__ int changed(int *x)
{
    *x += __shfl_xor_sync(0xffffffffu, *x, 1);
    return *x;
}

__global__ void kernel(int *out)
{
    int x = threadIdx.x;
    Pair pair = {x, changed(&x)};
    out[threadIdx.x] = pair.before + pair.after;
}

__global__ void steps(int *out)
{
    int x = threadIdx.x;
    int values[2] = {x += 3, __shfl_xor_sync(0xffffffffu, x, 2)};
    out[threadIdx.x] = values[0] + values[1];
}
