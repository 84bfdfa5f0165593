// What threads add to windows around their elements is gathered: no atomic additions to what convolutions read.
// g2o-verify: row_window<<<3, 32>>>(x = [80], k = [5], y = [80], n = 80)
// g2o-verify: dilated_window<<<(2, 2), (16, 8)>>>(in = [23 * 13], k = [9], out = [23 * 13], w = 23, h = 13)
// g2o-verify: padded_window<<<(2, 2), (16, 8)>>>(in = [20 * 11], k = [9], out = [22 * 13], w = 20, h = 11, pad = 2)
// g2o-verify: window_of_channels<<<(2, 1, 3), (8, 8)>>>(in = [2 * 9 * 7], k = [3 * 2 * 9], out = [3 * 9 * 7], inputs = 2, w = 9, h = 7)
// g2o-verify: window_of_values<<<(2, 2), (16, 8)>>>(in = [23 * 13], k = [9], out = [23 * 13], w = 23, h = 13)
// g2o-verify: window_in_its_place<<<2, 32>>>(x = [50], k = [3], y = [50], n = 50)
// g2o-verify: wrapped_window<<<2, 32>>>(x = [50], k = [3], y = [50], n = 50)
// g2o-verify: window_without_guards<<<2, 16>>>(x = [32 + 4], k = [5], y = [32])
// g2o-verify: spelled_in_one<<<(2, 2), (16, 8)>>>(in = [20 * 11], k = [9], out = [20 * 11], w = 20, h = 11, pad = 1)
__global__ void spelled_in_one(const double *in, const double *k, double *out, int w, int h, int pad)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    double sum = 0.0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            int row = y + j - pad;
            if (row >= 0 && row < h && x + i - pad >= 0 && x + i - pad < w)
                sum += in[row * w + x + i - pad] * k[3 * j + i];
        }
    out[y * w + x] = sum * sum;
}

__global__ void row_window(const double *x, const double *k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = -2; j <= 2; ++j) {
        int at = i + j;
        if (at >= 0 && at < n)
            sum += x[at] * x[at] * k[j + 2];
    }
    y[i] = sum;
}

__global__ void dilated_window(const double *in, const double *k, double *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    double sum = 0.0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            const int px = x + 2 * (i - 1), py = y + (j - 1) * 2;
            if (px < 0 || px >= w || py < 0 || py >= h)
                continue;
            sum += in[py * w + px] * k[j * 3 + i];
        }
    out[y * w + x] = sum;
}

__global__ void padded_window(const double *in, const double *k, double *out, int w, int h, int pad)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int wide = w + 2 * pad - 2;
    if (x < wide && y < h + 2 * pad - 2) {
        double sum = 0.0;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
                int px = x + i - pad;
                int py = y + j - pad;
                if (px >= 0 && px < w && py >= 0 && py < h)
                    sum += in[py * w + px] * k[3 * j + i];
            }
        out[y * wide + x] = tanh(sum);
    }
}

__global__ void window_of_channels(const double *in, const double *k, double *out, int inputs, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (x >= w || y >= h)
        return;
    double sum = 0.0;
    for (int input = 0; input < inputs; ++input)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                int px = x + i, py = y + j;
                if (px >= 0 && px < w && py >= 0 && py < h)
                    sum += in[(input * h + py) * w + px] * k[((c * inputs + input) * 3 + j + 1) * 3 + i + 1];
            }
    out[(c * h + y) * w + x] = sum;
}

__global__ void window_of_values(const double *in, const double *k, double *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    double sum = 0.0, weights = 0.0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            int px = min(max(x + i, 0), w - 1), py = min(max(y + j, 0), h - 1);
            double d = in[py * w + px] - in[y * w + x];
            double weight = exp(-d * d) * k[(j + 1) * 3 + i + 1];
            sum += weight * in[py * w + px];
            weights += weight;
        }
    out[y * w + x] = sum / (1.0 + weights * weights);
}

__global__ void window_in_its_place(double *x, const double *k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = -1; j <= 1; ++j)
        if (i + j >= 0 && i + j < n)
            sum += x[i + j] * k[j + 1];
    y[i] += sum * y[i];
}

__global__ void wrapped_window(const double *x, const double *k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = -1; j <= 1; ++j)
        sum += x[(i + j + n) % n] * k[j + 1];
    y[i] = sum;
}

__global__ void window_without_guards(const double *x, const double *k, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;
    for (int j = 0; j < 5; ++j)
        sum += x[i + j] * k[j];
    y[i] = sum;
}
