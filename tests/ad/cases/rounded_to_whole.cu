// Whole numbers and truth values that are made from reals carry no derivative.
// g2o-verify: rounded<<<2, 32>>>(n = 60, x = [60 : 0.1 .. 4.0], y = [60])
__global__ void rounded(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int count = x[i] * 3;
    count += x[i];
    long whole = lrint(x[i]);
    y[i] = count * x[i] + whole * x[i] + !(x[i] < 2.0) * x[i] + (x[i] > 1.0) * x[i];
    y[i] += int(y[i]) / 2 + llround(x[i]) * x[i];
}
