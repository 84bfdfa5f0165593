// Windows that threads move by more than one element, and such that are counted in more than 32 bits.
// g2o-verify: wide_rows<<<3, 32>>>(x = [80], k = [5], y = [80], n = 80)
// g2o-verify: wide_index<<<3, 32>>>(x = [80], k = [5], y = [80], n = 80)
// g2o-verify: strided_window<<<(2, 2), (8, 8)>>>(in = [23 * 21], k = [9], out = [12 * 11], w = 23, h = 21, ow = 12, oh = 11)
// g2o-verify: window_of_parameters<<<(2, 2, 3), (8, 8)>>>(in = [2 * 23 * 21], k = [3 * 2 * 9], out = [3 * 12 * 11], channels = 2, w = 23, h = 21, ow = 12, oh = 11, stride = 2, pad = 1, dilation = 1)
// g2o-verify: window_of_parameters<<<(2, 2, 3), (8, 8)>>>(in = [2 * 13 * 11], k = [3 * 2 * 9], out = [3 * 13 * 11], channels = 2, w = 13, h = 11, ow = 13, oh = 11, stride = 1, pad = 2, dilation = 2)
// g2o-verify: window_of_parameters<<<(1, 1, 2), (8, 4)>>>(in = [2 * 13 * 11], k = [3 * 2 * 9], out = [3 * 13 * 11], channels = 2, w = 13, h = 11, ow = 13, oh = 11, stride = 1, pad = 2, dilation = 2)
__global__ void strided_window(const double *in, const double *k, double *out, int w, int h, int ow, int oh)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh) return;
    double sum = 0.0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            int px = 2 * x + i - 1, py = 2 * y + j - 1;
            if (px >= 0 && px < w && py >= 0 && py < h)
                sum += in[py * w + px] * k[j * 3 + i];
        }
    out[y * ow + x] = sum;
}
__global__ void window_of_parameters(const double *in, const double *k, double *out, int channels, int w, int h, int ow, int oh, int stride, int pad, int dilation)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int o = blockIdx.z;
    if (x >= ow || y >= oh) return;
    double sum = 0.0;
    for (int c = 0; c < channels; ++c)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
                int px = x * stride - pad + i * dilation;
                int py = y * stride - pad + j * dilation;
                if (px >= 0 && px < w && py >= 0 && py < h)
                    sum += in[(c * h + py) * w + px] * k[((o * channels + c) * 3 + j) * 3 + i];
            }
    out[(o * oh + y) * ow + x] = sum > 0 ? sum : 0.1 * sum;
}

__global__ void wide_rows(const double *x, const double *k, double *y, long n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = -2; j <= 2; ++j)
        if (i + j >= 0 && i + j < n)
            sum += x[i + j] * x[i + j] * k[j + 2];
    y[i] = sum;
}
__global__ void wide_index(const double *x, const double *k, double *y, long n)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = -2; j <= 2; ++j)
        if (i + j >= 0 && i + j < n)
            sum += x[i + j] * x[i + j] * k[j + 2];
    y[i] = sum;
}
