// Methods and operators of objects in shared memory.
// g2o-verify: butterflies<<<2, 8>>>(data = [32 : -1 .. 1])
// g2o-verify: variances<<<3, 16>>>(n = 20, x = [3 * n : -1 .. 1], variance = [3])
struct Complex {
    double re, im;
    __device__ Complex operator+(const Complex &o) const { return {re + o.re, im + o.im}; }
    __device__ Complex operator-(const Complex &o) const { return {re - o.re, im - o.im}; }
    __device__ Complex operator*(const Complex &o) const
    {
        return {re * o.re - im * o.im, re * o.im + im * o.re};
    }
};

__global__ void butterflies(Complex *data)
{
    __shared__ Complex s[16];
    int t = threadIdx.x;
    Complex *own = data + 16 * blockIdx.x;
    s[t] = own[t];
    s[t + 8] = own[t + 8];
    __syncthreads();
    for (int half = 8; half > 0; half /= 2) {
        int at = t / half * 2 * half + t % half;
        double angle = -3.14159265358979 * (t % half) / half;
        Complex w = {cos(angle), sin(angle)};
        Complex sum = s[at] + s[at + half];
        s[at + half] = (s[at] - s[at + half]) * w;
        s[at] = sum * s[at];
        __syncthreads();
    }
    own[t] = s[t];
    own[t + 8] = s[t + 8] * s[t];
}

struct Moments {
    double mean, squares;
    int count;
    __device__ void add(double x)
    {
        ++count;
        double d = x - mean;
        mean += d / count;
        squares += d * (x - mean);
    }
    __device__ void merge(const Moments &o)
    {
        if (o.count == 0)
            return;
        int both = count + o.count;
        double d = o.mean - mean;
        mean += d * o.count / both;
        squares += o.squares + d * d * count * o.count / both;
        count = both;
    }
};

__global__ void variances(const double *x, double *variance, int n)
{
    __shared__ Moments s[16];
    int t = threadIdx.x;
    Moments own = {0.0, 0.0, 0};
    for (int i = t; i < n; i += blockDim.x)
        own.add(x[blockIdx.x * n + i]);
    s[t] = own;
    __syncthreads();
    for (int k = 8; k > 0; k /= 2) {
        if (t < k)
            s[t].merge(s[t + k]);
        __syncthreads();
    }
    if (t == 0)
        variance[blockIdx.x] = s[0].squares / n;
}
