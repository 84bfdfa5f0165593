// Every operation on packed integers, on words with all kinds of parts.
#include <cstdio>

const int operations = 118;

__device__ void apply(unsigned a, unsigned b, unsigned *out)
{
    int at = 0;
    bool first, second;
    out[at++] = __vabs2(a);
    out[at++] = __vabs4(a);
    out[at++] = __vabsss2(a);
    out[at++] = __vabsss4(a);
    out[at++] = __vneg2(a);
    out[at++] = __vneg4(a);
    out[at++] = __vnegss2(a);
    out[at++] = __vnegss4(a);
    out[at++] = __vadd2(a, b);
    out[at++] = __vadd4(a, b);
    out[at++] = __vaddss2(a, b);
    out[at++] = __vaddss4(a, b);
    out[at++] = __vaddus2(a, b);
    out[at++] = __vaddus4(a, b);
    out[at++] = __vsub2(a, b);
    out[at++] = __vsub4(a, b);
    out[at++] = __vsubss2(a, b);
    out[at++] = __vsubss4(a, b);
    out[at++] = __vsubus2(a, b);
    out[at++] = __vsubus4(a, b);
    out[at++] = __vabsdiffs2(a, b);
    out[at++] = __vabsdiffs4(a, b);
    out[at++] = __vabsdiffu2(a, b);
    out[at++] = __vabsdiffu4(a, b);
    out[at++] = __vavgs2(a, b);
    out[at++] = __vavgs4(a, b);
    out[at++] = __vavgu2(a, b);
    out[at++] = __vavgu4(a, b);
    out[at++] = __vhaddu2(a, b);
    out[at++] = __vhaddu4(a, b);
    out[at++] = __vmins2(a, b);
    out[at++] = __vmins4(a, b);
    out[at++] = __vminu2(a, b);
    out[at++] = __vminu4(a, b);
    out[at++] = __vmaxs2(a, b);
    out[at++] = __vmaxs4(a, b);
    out[at++] = __vmaxu2(a, b);
    out[at++] = __vmaxu4(a, b);
    out[at++] = __vcmpeq2(a, b);
    out[at++] = __vcmpeq4(a, b);
    out[at++] = __vcmpne2(a, b);
    out[at++] = __vcmpne4(a, b);
    out[at++] = __vcmpges2(a, b);
    out[at++] = __vcmpges4(a, b);
    out[at++] = __vcmpgeu2(a, b);
    out[at++] = __vcmpgeu4(a, b);
    out[at++] = __vcmpgts2(a, b);
    out[at++] = __vcmpgts4(a, b);
    out[at++] = __vcmpgtu2(a, b);
    out[at++] = __vcmpgtu4(a, b);
    out[at++] = __vcmples2(a, b);
    out[at++] = __vcmples4(a, b);
    out[at++] = __vcmpleu2(a, b);
    out[at++] = __vcmpleu4(a, b);
    out[at++] = __vcmplts2(a, b);
    out[at++] = __vcmplts4(a, b);
    out[at++] = __vcmpltu2(a, b);
    out[at++] = __vcmpltu4(a, b);
    out[at++] = __vseteq2(a, b);
    out[at++] = __vseteq4(a, b);
    out[at++] = __vsetne2(a, b);
    out[at++] = __vsetne4(a, b);
    out[at++] = __vsetges2(a, b);
    out[at++] = __vsetges4(a, b);
    out[at++] = __vsetgeu2(a, b);
    out[at++] = __vsetgeu4(a, b);
    out[at++] = __vsetgts2(a, b);
    out[at++] = __vsetgts4(a, b);
    out[at++] = __vsetgtu2(a, b);
    out[at++] = __vsetgtu4(a, b);
    out[at++] = __vsetles2(a, b);
    out[at++] = __vsetles4(a, b);
    out[at++] = __vsetleu2(a, b);
    out[at++] = __vsetleu4(a, b);
    out[at++] = __vsetlts2(a, b);
    out[at++] = __vsetlts4(a, b);
    out[at++] = __vsetltu2(a, b);
    out[at++] = __vsetltu4(a, b);
    out[at++] = __vsads2(a, b);
    out[at++] = __vsads4(a, b);
    out[at++] = __vsadu2(a, b);
    out[at++] = __vsadu4(a, b);
    out[at++] = __viaddmax_s32(a, b, a ^ b);
    out[at++] = __viaddmax_s32_relu(a, b, a ^ b);
    out[at++] = __viaddmax_u32(a, b, a ^ b);
    out[at++] = __viaddmax_s16x2(a, b, a ^ b);
    out[at++] = __viaddmax_s16x2_relu(a, b, a ^ b);
    out[at++] = __viaddmax_u16x2(a, b, a ^ b);
    out[at++] = __vimax3_s32(a, b, a ^ b);
    out[at++] = __vimax3_s32_relu(a, b, a ^ b);
    out[at++] = __vimax3_u32(a, b, a ^ b);
    out[at++] = __vimax3_s16x2(a, b, a ^ b);
    out[at++] = __vimax3_s16x2_relu(a, b, a ^ b);
    out[at++] = __vimax3_u16x2(a, b, a ^ b);
    out[at++] = __vimax_s32_relu(a, b);
    out[at++] = __vimax_s16x2_relu(a, b);
    out[at++] = __vibmax_s32(a, b, &first) + first;
    out[at++] = __vibmax_u32(a, b, &first) + first;
    out[at++] = __vibmax_s16x2(a, b, &first, &second) + 2 * first + second;
    out[at++] = __vibmax_u16x2(a, b, &first, &second) + 2 * first + second;
    out[at++] = __viaddmin_s32(a, b, a ^ b);
    out[at++] = __viaddmin_s32_relu(a, b, a ^ b);
    out[at++] = __viaddmin_u32(a, b, a ^ b);
    out[at++] = __viaddmin_s16x2(a, b, a ^ b);
    out[at++] = __viaddmin_s16x2_relu(a, b, a ^ b);
    out[at++] = __viaddmin_u16x2(a, b, a ^ b);
    out[at++] = __vimin3_s32(a, b, a ^ b);
    out[at++] = __vimin3_s32_relu(a, b, a ^ b);
    out[at++] = __vimin3_u32(a, b, a ^ b);
    out[at++] = __vimin3_s16x2(a, b, a ^ b);
    out[at++] = __vimin3_s16x2_relu(a, b, a ^ b);
    out[at++] = __vimin3_u16x2(a, b, a ^ b);
    out[at++] = __vimin_s32_relu(a, b);
    out[at++] = __vimin_s16x2_relu(a, b);
    out[at++] = __vibmin_s32(a, b, &first) + first;
    out[at++] = __vibmin_u32(a, b, &first) + first;
    out[at++] = __vibmin_s16x2(a, b, &first, &second) + 2 * first + second;
    out[at++] = __vibmin_u16x2(a, b, &first, &second) + 2 * first + second;
}

__global__ void every(const unsigned *words, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n)
        apply(words[i / n], words[i % n], out + i * operations);
}

int main()
{
    const unsigned chosen[] = {0, 1, 0x7f80ff01, 0x80007fff, 0xffff8001, 0x01020304, 0xfefdfcfb,
                               0x80808080, 0x7f7f7f7f, 0x12345678, 0x00ff0100, 0xdeadbeef};
    const int n = sizeof chosen / sizeof *chosen;
    unsigned *words, *out;
    cudaMallocManaged(&words, sizeof chosen);
    cudaMallocManaged(&out, n * n * operations * sizeof(unsigned));
    for (int i = 0; i < n; ++i)
        words[i] = chosen[i];
    every<<<3, 64>>>(words, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n * n * operations; ++i)
        std::printf("%08x%c", out[i], i % operations == operations - 1 ? '\n' : ' ');
    std::printf("%08x %08x\n", __vaddss2(0x7fff8000, 0x0001ffff), __vsadu4(0x00ff0102, 0xff000203));
}
