// Threads that store to one element store the same: one of them takes the seed.
// g2o-verify: same_for_all<<<8, 64>>>(a = 1.3, at = [512 : i % 5], z = [8])
// g2o-verify: of_the_index<<<8, 64>>>(at = [512 : i % 5], w = [8], z = [8])
// g2o-verify: beside_the_index<<<8, 64>>>(at = [512 : i % 5], w = [8], z = [16])
// g2o-verify: of_the_parent<<<8, 64>>>(at = [512 : i % 7], parent = [512 : i % 7], w = [8],
//     x = [512], z = [8], sums = [8])
// g2o-verify: through_memory<<<8, 64>>>(at = [512 : i % 5], w = [8], kept = [512], z = [8])
// g2o-verify: of_both_ends<<<8, 64>>>(w = [512], z = [512], n = 512)
// g2o-verify: folded<<<8, 64>>>(w = [8], z = [8], m = 5)
// g2o-verify: in_a_block<<<4, 64>>>(a = 1.2, at = [64 : i % 5], y = [256])
__global__ void same_for_all(double a, const int *at, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[at[i]] = a * a;
}

__global__ void of_the_index(const int *at, const double *w, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[at[i]] = w[at[i]] * w[at[i]];
}

__global__ void beside_the_index(const int *at, const double *w, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[2 * at[i] + 1] = w[at[i]] * w[2];
}

__global__ void of_the_parent(const int *at, const int *parent, const double *w, const double *x,
                              double *z, double *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = at[i];
    z[k] = w[parent[i]];
    atomicAdd(&sums[k], x[i] * w[k]);
}

__global__ void through_memory(const int *at, const double *w, double *kept, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[i] = w[at[i]];
    z[at[i]] = kept[i];
}

__global__ void of_both_ends(const double *w, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[min(i, n - 1 - i)] = w[i] + w[n - 1 - i];
}

__global__ void folded(const double *w, double *z, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[(i / 4 + i % 4) % m] = w[(i / 4 + i % 4) % m];
}

__global__ void in_a_block(double a, const int *at, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 8)
        s[t] = 0.5;
    __syncthreads();
    s[at[t]] = a * a;
    __syncthreads();
    y[i] = s[t % 8];
}
