// A value with a union in it that is copied as a whole: which of its names is meant is not known.
struct Cell {
    union {
        double value;
        long long bits;
    };
    double weight;
};
__global__ void weighted(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Cell cell;
        cell.value = x[i];
        cell.weight = 2;
        Cell copy = cell; // refused: union
        y[i] = copy.value * copy.weight;
    }
}
