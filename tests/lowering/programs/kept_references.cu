// References that live across barriers, to what each thread keeps for itself.
#include <cstdio>

template <class T> static T *filled(int n, int factor = 7, int modulus = 13, int offset = -3) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<T>(i * factor % modulus + offset);
    return p;
}

template <class T> static void show(const char *what, const T *p, int n) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < n; ++i)
        printf(" %g", static_cast<double>(p[i]));
    printf("\n");
}

struct Pt {
    int a, b;
};
__global__ void refs_kept(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, arr[3] = {t, 2, 3}, k = t % 3;
    Pt p = {t, 1};
    int &r = arr[k];
    int &m = p.b;
    const int &c = in[t];
    auto &e = s[t];
    k = 0;
    Pt &pr = p;
    s[t] = r;
    r += 5;
    m += 7;
    __syncthreads();
    r += s[31 - t];
    m += c;
    k += r;
    __syncthreads();
    e = k + m + pr.a;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[(t + 1) % 32] + arr[0] * 100 + arr[t % 3] * 10000 + p.b;
}

__global__ void ref_chosen(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, a = 1, b = 2;
    int &r = in[t] > 4 ? a : b;
    s[t] = r;
    r += 5;
    __syncthreads();
    r += s[31 - t];
    __syncthreads();
    out[blockIdx.x * 32 + t] = a * 100 + b + r;
}

struct Pr {
    int a, b;
};
__device__ Pr mk(int t, int *s) {
    s[t] = t;
    __syncthreads();
    if (s[31 - t] > 20)
        return {1, s[t]};
    Pr p;
    p.a = s[(t + 1) % 32];
    p.b = -1;
    return p;
}
__global__ void struct_ret(int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    Pr p = mk(t, s);
    __syncthreads();
    auto [x, y] = mk(31 - t, s);
    const Pr &q = mk(t ^ 1, s);
    out[blockIdx.x * 32 + t] = p.a + p.b * 10 + x * 100 + y * 1000 + q.a + mk(t, s).b;
}

__global__ void ptr_uniform(int *out, const int *in, int n) {
    __shared__ int s[32];
    int t = threadIdx.x, v = 3, *p = &v;
    const int *q = in;
    int loc[3] = {1, 2, 3};
    int *lp = loc;
    *p += t;
    lp[n]++;
    ++*lp;
    q += n;
    s[t] = v + *q++ + lp[1];
    __syncthreads();
    *p = s[31 - t];
    if (t & 1)
        p = &loc[2];
    __syncthreads();
    int c = 0;
    int &r = c;
    if (t > 9)
        r = 4;
    s[t] = *p + *q + c;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[(t + 1) % 32] + v * 10 + c * 100 + loc[0];
}

// What a member refers to, every thread writes and others read.
struct Parts {
    int &count;
    int (&rows)[32];
};
__global__ void members_refer(int *out, const int *in) {
    __shared__ int rows[32], count;
    Parts parts{count, rows};
    int t = threadIdx.x;
    parts.rows[t] = in[t];
    if (t == 5)
        parts.count = in[7];
    __syncthreads();
    int seen = parts.rows[31 - t] * parts.count;
    __syncthreads();
    Parts *same = &parts;
    same->rows[t] += seen;
    if (t == 31)
        same->count = 3;
    __syncthreads();
    out[t] = same->rows[t ^ 1] + same->count;
}

int main() {
    {
        int *a = filled<int>(32), *b = filled<int>(32);
        members_refer<<<1, 32>>>(a, b);
        show("members_refer", a, 32);
    }
    {
        int *a = filled<int>(64), *b = filled<int>(64);
        refs_kept<<<2, 32>>>(a, b);
        show("refs_kept", a, 64);
    }
    {
        int *a = filled<int>(64), *b = filled<int>(64);
        ref_chosen<<<2, 32>>>(a, b);
        show("ref_chosen", a, 64);
    }
    {
        int *a = filled<int>(64);
        struct_ret<<<2, 32>>>(a);
        show("struct_ret", a, 64);
    }
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        ptr_uniform<<<2, 32>>>(a, b, 1);
        show("ptr_uniform", a, 64);
    }
    return 0;
}
