// Cross sections from complex poles: arithmetic of a complex struct with its own operators.
// g2o-verify: resonances<<<2, 16>>>(n = 30, poles = 5, pole = [poles], residue = [poles],
//     energy = [n : 1 .. 4], sigma = [n])
struct Complex {
    double re, im;
};

__device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ Complex operator*(Complex a, Complex b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ Complex operator/(Complex a, Complex b)
{
    double square = b.re * b.re + b.im * b.im;
    Complex quotient;
    quotient.re = (a.re * b.re + a.im * b.im) / square;
    quotient.im = (a.im * b.re - a.re * b.im) / square;
    return quotient;
}

__global__ void resonances(const Complex *pole, const Complex *residue, const double *energy,
                           double *sigma, int n, int poles)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double root = sqrt(energy[i]);
    Complex sum = {0.0, 0.0};
    for (int k = 0; k < poles; ++k) {
        Complex z = {root + 2.0, -0.1};
        Complex term = residue[k] / (pole[k] - z);
        sum = sum + term * z;
    }
    sigma[i] = sum.re / energy[i];
}
