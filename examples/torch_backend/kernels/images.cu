// Functions of images: a thread for each pixel of the result. Planes are images times channels.

template <typename scalar_t>
__global__ void max_pool(int planes, int height, int width, int out_height, int out_width, int size,
                         int stride, const scalar_t *x, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_height * out_width)
        return;
    int column = i % out_width * stride;
    int row = i / out_width % out_height * stride;
    const scalar_t *plane = x + i / (out_width * out_height) * height * width;
    scalar_t largest = plane[row * width + column];
    for (int r = row; r < min(row + size, height); ++r)
        for (int c = column; c < min(column + size, width); ++c)
            if (plane[r * width + c] > largest)
                largest = plane[r * width + c];
    y[i] = largest;
}

template <typename scalar_t>
__global__ void avg_pool(int planes, int height, int width, int out_height, int out_width, int size,
                         int stride, const scalar_t *x, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * out_height * out_width)
        return;
    int column = i % out_width * stride;
    int row = i / out_width % out_height * stride;
    const scalar_t *plane = x + i / (out_width * out_height) * height * width;
    scalar_t sum = 0;
    for (int r = row; r < row + size; ++r)
        for (int c = column; c < column + size; ++c)
            sum += plane[r * width + c];
    y[i] = sum / (size * size);
}

// Patches of an image as the columns of a matrix: one for each pixel of the result.
template <typename scalar_t>
__global__ void im2col(int channels, int height, int width, int out_height, int out_width, int size,
                       int padding, int stride, const scalar_t *x, scalar_t *columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int pixels = out_height * out_width;
    if (i >= channels * pixels)
        return;
    int pixel = i % pixels;
    int channel = i / pixels;
    int row = pixel / out_width * stride - padding;
    int column = pixel % out_width * stride - padding;
    for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c) {
            bool is_inside =
                row + r >= 0 && row + r < height && column + c >= 0 && column + c < width;
            columns[((channel * size + r) * size + c) * pixels + pixel] =
                is_inside ? x[(channel * height + row + r) * width + column + c] : scalar_t(0);
        }
}

// Convolution without the matrix: each thread adds up the patch of its pixel.
template <typename scalar_t>
__global__ void conv2d(int images, int channels, int height, int width, int out_channels,
                       int out_height, int out_width, int size, int padding, int stride,
                       const scalar_t *x, const scalar_t *weight, const scalar_t *bias, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * out_channels * out_height * out_width)
        return;
    int column = i % out_width * stride - padding;
    int row = i / out_width % out_height * stride - padding;
    int filter = i / (out_width * out_height) % out_channels;
    int image = i / (out_width * out_height * out_channels);
    scalar_t sum = bias[filter];
    for (int channel = 0; channel < channels; ++channel)
        for (int r = 0; r < size; ++r)
            for (int c = 0; c < size; ++c) {
                if (row + r < 0 || row + r >= height || column + c < 0 || column + c >= width)
                    continue;
                sum += x[((image * channels + channel) * height + row + r) * width + column + c] *
                       weight[((filter * channels + channel) * size + r) * size + c];
            }
    y[i] = sum;
}
