// Layers of networks: softmax with cross entropy, normalisations, attention, pooling, embeddings,
// convolutions in tiles.

// g2o-verify: cross_entropy<<<5, 16>>>(classes = 21, x = [5 * classes], label = [5 : (i * 7 + 3) % 21], loss = [5], p = [5 * classes])
__global__ void cross_entropy(const float *x, const int *label, float *loss, float *p, int classes)
{
    __shared__ float part[16];
    int row = blockIdx.x, t = threadIdx.x;
    float most = -1e30f;
    for (int j = t; j < classes; j += blockDim.x)
        most = fmaxf(most, x[row * classes + j]);
    part[t] = most;
    __syncthreads();
    for (int s = 8; s > 0; s >>= 1) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = t; j < classes; j += blockDim.x)
        sum += expf(x[row * classes + j] - most);
    part[t] = sum;
    __syncthreads();
    for (int s = 8; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    for (int j = t; j < classes; j += blockDim.x)
        p[row * classes + j] = expf(x[row * classes + j] - most) / part[0];
    if (t == 0)
        loss[row] = logf(part[0]) + most - x[row * classes + label[row]];
}

// g2o-verify: batch_norm<<<3, 32>>>(n = 40, channels = 3, x = [n * channels], gain = [3], shift = [3], y = [n * channels], mean = [3], spread = [3])
__global__ void batch_norm(const double *x, const double *gain, const double *shift, double *y,
                           double *mean, double *spread, int n, int channels)
{
    __shared__ double sum, squares;
    int c = blockIdx.x;
    if (threadIdx.x == 0)
        sum = squares = 0.0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&sum, x[i * channels + c]);
        atomicAdd(&squares, x[i * channels + c] * x[i * channels + c]);
    }
    __syncthreads();
    double m = sum / n, v = squares / n - m * m;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i * channels + c] = gain[c] * (x[i * channels + c] - m) * rsqrt(v + 1e-3) + shift[c];
    if (threadIdx.x == 0) {
        mean[c] = 0.9 * mean[c] + 0.1 * m;
        spread[c] = 0.9 * spread[c] + 0.1 * v;
    }
}

// g2o-verify: attention<<<9, 8>>>(length = 9, q = [9 * 8], k = [9 * 8], v = [9 * 8], out = [9 * 8])
__global__ void attention(const float *q, const float *k, const float *v, float *out, int length)
{
    __shared__ float query[8];
    int t = threadIdx.x, row = blockIdx.x;
    query[t] = q[row * 8 + t] * 0.35f;
    __syncthreads();
    float most = -1e30f, sum = 0.0f, total = 0.0f;
    for (int j = 0; j <= row && j < length; ++j) { // online softmax
        float score = 0.0f;
        for (int d = 0; d < 8; ++d)
            score += query[d] * k[j * 8 + d];
        float next = fmaxf(most, score), scale = expf(most - next), weight = expf(score - next);
        sum = sum * scale + weight;
        total = total * scale + weight * v[j * 8 + t];
        most = next;
    }
    out[row * 8 + t] = total / sum;
}

// g2o-verify: max_pool<<<(2, 2), (4, 4)>>>(w = 12, h = 10, x = [w * h], y = [w * h / 4], where = [w * h / 4 : 0 .. 0])
__global__ void max_pool(const float *x, float *y, int *where, int w, int h)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x, oy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ox >= w / 2 || oy >= h / 2)
        return;
    float best = -3.0e38f;
    int place = -1;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            int ix = 2 * ox + dx, iy = 2 * oy + dy;
            if (ix < w && iy < h && x[iy * w + ix] > best) {
                place = iy * w + ix;
                best = x[place];
            }
        }
    y[oy * (w / 2) + ox] = best;
    where[oy * (w / 2) + ox] = place;
}

// g2o-verify: embed<<<3, 16>>>(words = 11, token = [words : (i * 4 + 1) % 6], table = [6 * 4], y = [words * 4], norm = [6])
__global__ void embed(const int *token, const double *table, double *y, double *norm, int words)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words * 4; i += gridDim.x * blockDim.x) {
        double value = table[token[i / 4] * 4 + i % 4];
        y[i] = value * 2.0 + sin(0.1 * i);
        atomicAdd(&norm[token[i / 4]], value * value);
    }
}

// g2o-verify: convolve<<<(2, 2), (6, 6)>>>(w = 9, h = 10, x = [2 * w * h], kernel = [2 * 9], bias = [1], y = [w * h])
__global__ void convolve(const float *x, const float *kernel, const float *bias, float *y, int w,
                         int h)
{
    __shared__ float tile[8][8];
    int ox = blockIdx.x * 6 + threadIdx.x, oy = blockIdx.y * 6 + threadIdx.y;
    float sum = bias[0];
    for (int c = 0; c < 2; ++c) {
        for (int p = threadIdx.y * 6 + threadIdx.x; p < 64; p += 36) {
            int ix = int(blockIdx.x) * 6 + p % 8 - 1, iy = int(blockIdx.y) * 6 + p / 8 - 1;
            bool inside = ix >= 0 && iy >= 0 && ix < w && iy < h;
            tile[p / 8][p % 8] = inside ? x[(c * h + iy) * w + ix] : 0.0f;
        }
        __syncthreads();
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx)
                sum += kernel[c * 9 + dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
        __syncthreads();
    }
    if (ox < w && oy < h)
        y[oy * w + ox] = sum > 0.0f ? sum : 0.01f * sum;
}

// g2o-verify: gated<<<2, 16>>>(n = 30, x = [n : -2 .. 2], gate = [n : -2 .. 2], y = [n], z = [n])
__global__ void gated(const float *x, const float *gate, float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float cube = 0.044715f * x[i] * x[i] * x[i];
        y[i] = 0.5f * x[i] * (1.0f + tanhf(0.7978846f * (x[i] + cube)));
        z[i] = y[i] * (gate[i] / (1.0f + expf(-gate[i]))) + log1pf(expf(x[i]));
    }
}

// g2o-verify: dropout<<<2, 16>>>(n = 30, seed = 77, keep = 0.7, x = [n], y = [n])
__global__ void dropout(const float *x, float *y, float keep, unsigned seed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned state = seed ^ (i * 2654435761u);
    for (int r = 0; r < 4; ++r) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    float draw = state * 2.3283064e-10f;
    y[i] = draw < 0.5f ? x[i] / keep : 0.0f;
}
