// The largest value of every bin of every region of interest, and where it was found.
#include <cuda_runtime.h>
#include <float.h>

__global__ void roi_max(int count, const float *input, const float *rois, int channels, int height,
                        int width, int pooled, float scale, float *output, int *argmax)
{
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < count; index += blockDim.x * gridDim.x) {
        const int pw = index % pooled;
        const int ph = (index / pooled) % pooled;
        const int c = (index / pooled / pooled) % channels;
        const int n = index / pooled / pooled / channels;

        const float *roi = rois + n * 5;
        const int batch = (int)roi[0];
        const int start_w = (int)roundf(roi[1] * scale), start_h = (int)roundf(roi[2] * scale);
        const int end_w = (int)roundf(roi[3] * scale), end_h = (int)roundf(roi[4] * scale);
        const float bin_h = (float)max(end_h - start_h + 1, 1) / (float)pooled;
        const float bin_w = (float)max(end_w - start_w + 1, 1) / (float)pooled;
        int h0 = (int)floorf(ph * bin_h), w0 = (int)floorf(pw * bin_w);
        int h1 = (int)ceilf((ph + 1) * bin_h), w1 = (int)ceilf((pw + 1) * bin_w);
        h0 = min(max(h0 + start_h, 0), height);
        h1 = min(max(h1 + start_h, 0), height);
        w0 = min(max(w0 + start_w, 0), width);
        w1 = min(max(w1 + start_w, 0), width);
        const bool empty = h1 <= h0 || w1 <= w0;

        float largest = empty ? 0.0f : -FLT_MAX;
        int where = -1;
        const float *plane = input + (batch * channels + c) * height * width;
        for (int h = h0; h < h1; ++h)
            for (int w = w0; w < w1; ++w) {
                const int place = h * width + w;
                if (plane[place] > largest) {
                    largest = plane[place];
                    where = place;
                }
            }
        output[index] = largest;
        argmax[index] = where;
    }
}

void pool(const float *input, const float *rois, int count_of_rois, int channels, int height, int width,
          int pooled, float scale, float *output, int *argmax)
{
    const int count = count_of_rois * channels * pooled * pooled;
    roi_max<<<(count + 255) / 256, 256>>>(count, input, rois, channels, height, width, pooled, scale, output, argmax);
}
