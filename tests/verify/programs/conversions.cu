// Rounding of conversions, products of 24 bits.
#include <cstdio>

__global__ void convert(int i, unsigned u, long long l)
{
    printf("%.0f %.0f %.0f %.0f\n", __int2float_rn(i), __int2float_rz(i), __int2float_ru(i),
           __int2float_rd(i));
    printf("%.0f %.0f %.0f %.0f\n", __uint2float_rn(u), __uint2float_rz(u), __uint2float_ru(u),
           __uint2float_rd(u));
    printf("%.0f %.0f\n", __ll2double_ru(l), __ll2double_rd(l));
    printf("%d %d %u\n", __mul24(4, -3), __mul24(0x01000005, 7), __umul24(0xff000002u, 9));
}

int main()
{
    convert<<<1, 1>>>(-16777217, 16777217u, (1ll << 53) + 1);
    return cudaDeviceSynchronize();
}

// output: -16777216 -16777216 -16777216 -16777218
// output: 16777216 16777216 16777218 16777216
// output: 9007199254740994 9007199254740992
// output: -12 35 18
