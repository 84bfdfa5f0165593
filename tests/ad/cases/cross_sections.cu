// A look-up as in Monte Carlo transport: a binary search over energies, then an interpolation for
// every nuclide of a material. The search is over active values but has no derivative.
// g2o-verify: lookup<<<2, 16>>>(n = 30, points = 12, nuclides = 3,
//     grid = [nuclides * points : (i % points) + uniform(0.1, 0.9)],
//     sections = [nuclides * points * 2], energy = [n : 2.5 .. 8.5],
//     amount = [nuclides], macro = [n * 2])
__global__ void lookup(const double *grid, const double *sections, const double *energy,
                       const double *amount, double *macro, int n, int points, int nuclides)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double e = energy[i], total[2] = {0.0, 0.0};
    for (int k = 0; k < nuclides; ++k) {
        const double *own = grid + k * points;
        int low = 0, high = points - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (own[middle] > e)
                high = middle;
            else
                low = middle;
        }
        double f = (own[high] - e) / (own[high] - own[low]);
        for (int c = 0; c < 2; ++c) {
            double upper = sections[(k * points + high) * 2 + c];
            double lower = sections[(k * points + low) * 2 + c];
            total[c] += amount[k] * (upper - f * (upper - lower));
        }
    }
    macro[i * 2] = total[0];
    macro[i * 2 + 1] = total[1];
}
