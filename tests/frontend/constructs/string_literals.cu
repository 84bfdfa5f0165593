// out: 43 43 43 43 43 43 43 43
#include <cstdio>
__device__ int length(const char *s) { int n = 0; while (*s++) ++n; return n; }
__global__ void k(int *out, int n)
{
    const char *text = "a\"b\\n\t{};// not a comment /* nor this */";
    char c = '\'', d = '"', e = '\\';
    if (n < 0)
        printf("%d \"quoted\" %s\n" "second part\n", n, text);
    out[blockIdx.x * 4 + threadIdx.x] = length(text) + (c == 39) + (d == 34) + (e == 92);
}
