enum { WHOLE = WIDE * WIDE * WIDE, HALF = WIDE / 2, SIZE = 2 * WHOLE + HALF * HALF + 3 };
static double *rows[4][WIDE * WIDE], **planes[4][WIDE], *halves[2][HALF];
static void lead(double *z, int at)
{
    for (int g = 0; g < 2; ++g)
        for (int k = 0; k < WIDE; ++k) {
            planes[at + g][k] = &rows[at + g][k * WIDE];
            for (int j = 0; j < WIDE; ++j)
                rows[at + g][k * WIDE + j] = z + g * WHOLE + (k * WIDE + j) * WIDE;
        }
    for (int k = 0; k < HALF; ++k)
        halves[at / 2][k] = z + 2 * WHOLE + k * HALF;
}
#define GRIDS(at, z) planes[at], planes[at + 1], halves[at / 2]
#define REST(z) (z) + SIZE - 3
static void run(double *z)
{
    lead(z, 0);
    z[SIZE - 1] = total(GRIDS(0, z), WIDE, 2, REST(z));
}
static void forward(double *z, double *d)
{
    lead(z, 0);
    lead(d, 2);
    z[SIZE - 1] = total_jvp(GRIDS(0, z), WIDE, 2, REST(z), GRIDS(2, d), REST(d), d + SIZE - 1);
}
static void reverse(double *z, double *d)
{
    lead(z, 0);
    lead(d, 2);
    z[SIZE - 1] = total_grad(GRIDS(0, z), WIDE, 2, REST(z), GRIDS(2, d), REST(d), d[SIZE - 1]);
}
