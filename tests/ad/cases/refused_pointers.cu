// Pointers whose shadows would have to move, or to lie in structures.
__global__ void stepped(const double *x, const double *z, double *y, int n)
{
    const double *p = x; // refused: is moved
    for (int j = 0; j < n; ++j) {
        y[j] = *p * *p;
        ++p;
        if (j == 3)
            p = z;
    }
}

__global__ void listed(const double *x, double *y, int n)
{
    const double *rows[2] = {x, x + 1};
    y[threadIdx.x] = rows[threadIdx.x % 2][0]; // refused: inside of a structure
}

// `p` keeps what `x` was when it was set.
__global__ void left_behind(double *y, const double *x, const double *z)
{
    int i = threadIdx.x;
    const double *p = x;
    if (i % 2)
        p = z; // refused: moved
    x += 3;
    y[i] = p[i] * x[i];
}
