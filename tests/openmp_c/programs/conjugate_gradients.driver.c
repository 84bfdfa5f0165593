#define ROWS 12
#define ENTRIES (3 * ROWS - 2)
static int start[ROWS + 1], column[ENTRIES];
static double matrix[ENTRIES], right[ROWS];
static void fill(const double *z)
{
    int k = 0;
    for (int i = 0; i < ROWS; ++i) {
        start[i] = k;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < ROWS; ++j, ++k) {
            column[k] = j;
            matrix[k] = (i == j ? 6.0 : -1.0) + 0.5 * z[k];
        }
        right[i] = 1.0 + z[ENTRIES + i];
    }
    start[ROWS] = k;
}
#define SIZE (ENTRIES + ROWS + 1)
static void run(double *z)
{
    fill(z);
    z[SIZE - 1] = solve(ROWS, start, column, matrix, right, 4);
}
static void forward(double *z, double *d)
{
    fill(z);
    double scaled[ENTRIES];
    for (int k = 0; k < ENTRIES; ++k)
        scaled[k] = 0.5 * d[k];
    z[SIZE - 1] = solve_jvp(ROWS, start, column, matrix, right, 4, scaled, d + ENTRIES, d + SIZE - 1);
}
static void reverse(double *z, double *d)
{
    fill(z);
    double scaled[ENTRIES];
    for (int k = 0; k < ENTRIES; ++k)
        scaled[k] = 2.0 * d[k];
    z[SIZE - 1] = solve_grad(ROWS, start, column, matrix, right, 4, scaled, d + ENTRIES, d[SIZE - 1]);
    for (int k = 0; k < ENTRIES; ++k)
        d[k] = 0.5 * scaled[k];
}
