// Arrays with initialisers that live across barriers.
#include <cstdio>
#define N 16

struct Pair {
    int first, second;
    Pair() = default;
    __host__ __device__ Pair(int a, int b) : first(a), second(b) {}
};

template <int Count, class Number> __global__ void k(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    const int reversed[] = {0, 4, 2, 6, 1, 5, 3, 7};
    int weights[Count] = {1, t, 3};
    int table[2][3] = {{1, 2}, {t}};
    Number rows[2][Count] = {{0}, {Number(t), 4}}, cube[2][2][2] = {{{1}, {0, 7}}, {{Number(t)}}};
    Pair pairs[2] = {Pair(t, 1), Pair(2, t)};
    Pair single(t + 1, 5);
    int counted[] = {t, 2, 3};
    struct Local { int a; float b; } local{t, 1.5f};
    s[t] = reversed[t % 8] + weights[2];
    __syncthreads();
    weights[1] += s[N - 1 - t];
    counted[1] += weights[1];
    local.a += counted[0];
    rows[0][Count - 1] += rows[1][1] + s[t];
    cube[1][0][1] = cube[0][1][1] + cube[1][0][0] * 2;
    table[1][1] += s[t] + single.second;
    pairs[1].second += reversed[s[t] % 8];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < Count; ++i)
        sum += weights[i] * (i + 1);
    for (int i = 0; i < 6; ++i)
        sum += table[i / 3][i % 3];
    sum += 3 * rows[0][Count - 1] + 5 * rows[1][0] + 9 * cube[1][0][1] + cube[0][0][0];
    out[t] = sum + pairs[0].first + pairs[1].second * 100 + single.first + counted[1] + local.a;
}

int main()
{
    int *out, host[N];
    cudaMalloc(&out, sizeof host);
    k<5, short><<<1, N>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i)
        printf("%d\n", host[i]);
}
