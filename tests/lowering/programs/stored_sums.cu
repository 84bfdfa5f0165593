#include <cstdio>

// Prefix sums that are stored as they are formed, where nothing else becomes of the tree.

#define N 64

// Exclusive; the total is stored, perhaps where a sum is stored over it.
__global__ void exclusive(const int *in, int *out, int *totals, int n)
{
    __shared__ int tree[N];
    int t = threadIdx.x, i = blockIdx.x * N + t;
    tree[t] = i < n ? in[i] : 0;
    int offset = 1;
    for (int d = N / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) {
        totals[blockIdx.x] = tree[N - 1];
        tree[N - 1] = 0;
    }
    for (int d = 1; d < N; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = tree[t];
}

// Inclusive, to places that are looked up.
__global__ void inclusive(const int *in, const int *to, int *out)
{
    __shared__ int tree[N];
    int t = threadIdx.x;
    tree[t] = in[t];
    for (int d = 1; d < N; d *= 2) {
        __syncthreads();
        int right = (t + 1) * d * 2 - 1;
        if (right < N)
            tree[right] += tree[right - d];
    }
    for (int d = N / 4; d > 0; d /= 2) {
        __syncthreads();
        int middle = (t + 1) * d * 2 - 1;
        if (middle + d < N)
            tree[middle + d] += tree[middle];
    }
    __syncthreads();
    // Back to where they came from.
    out[to[t]] = tree[t];
}

// Each is needed twice: the sums stay in the tree.
__global__ void needed_again(const int *in, int *out)
{
    __shared__ int tree[N];
    int t = threadIdx.x;
    tree[t] = in[t];
    for (int d = 1; d < N; d *= 2) {
        __syncthreads();
        int right = (t + 1) * d * 2 - 1;
        if (right < N)
            tree[right] += tree[right - d];
    }
    for (int d = N / 4; d > 0; d /= 2) {
        __syncthreads();
        int middle = (t + 1) * d * 2 - 1;
        if (middle + d < N)
            tree[middle + d] += tree[middle];
    }
    __syncthreads();
    out[t] = tree[t];
    out[N + t] = tree[N - 1] - tree[t];
}

static void show(const char *what, const int *x, int n)
{
    cudaDeviceSynchronize();
    printf("%s", what);
    for (int i = 0; i < n; ++i)
        printf(" %d", x[i]);
    printf("\n");
}

int main()
{
    int *in, *to, *out, *totals;
    cudaMallocManaged(&in, 3 * N * sizeof(int));
    cudaMallocManaged(&to, N * sizeof(int));
    cudaMallocManaged(&out, 3 * N * sizeof(int));
    cudaMallocManaged(&totals, 4 * sizeof(int));
    for (int i = 0; i < 3 * N; ++i)
        in[i] = i * 7 % 11 - 4;
    for (int i = 0; i < N; ++i)
        to[i] = (i * 5 + 3) % N;
    exclusive<<<3, N>>>(in, out, totals, 2 * N + 9);
    show("exclusive", out, 2 * N + 9);
    show("totals", totals, 3);
    exclusive<<<1, N>>>(in, in, totals, N);
    show("in place", in, N);
    exclusive<<<1, N>>>(in, out, out + 5, N);
    show("over the total", out, N);
    inclusive<<<1, N>>>(in, to, out);
    show("inclusive", out, N);
    needed_again<<<1, N>>>(in, out);
    show("needed again", out, 2 * N);
    return 0;
}
