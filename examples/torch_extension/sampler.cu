// A bilinear sampler as extensions of PyTorch have them: for CUDA, with a backward by hand.
#include <torch/extension.h>

#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")

template <typename T, int N>
using Accessor = torch::PackedTensorAccessor32<T, N, torch::RestrictPtrTraits>;

// samples[b][c][n] is image[b][c] at the place points[b][n] = (x, y), zero outside.
template <typename scalar_t>
__global__ void sample_kernel(const Accessor<scalar_t, 4> image, const Accessor<scalar_t, 3> points,
                              Accessor<scalar_t, 3> samples)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    const int b = blockIdx.y;
    if (n >= points.size(1))
        return;
    const int height = image.size(2), width = image.size(3);
    const scalar_t x = points[b][n][0], y = points[b][n][1];
    const int left = static_cast<int>(floor(x)), top = static_cast<int>(floor(y));
    const scalar_t right_part = x - left, lower_part = y - top;
    for (int c = 0; c < image.size(1); ++c) {
        scalar_t sum = 0;
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                if (top + i < 0 || top + i >= height || left + j < 0 || left + j >= width)
                    continue;
                const scalar_t across = j == 0 ? 1 - right_part : right_part;
                const scalar_t down = i == 0 ? 1 - lower_part : lower_part;
                sum += across * down * image[b][c][top + i][left + j];
            }
        samples[b][c][n] = sum;
    }
}

template <typename scalar_t>
__global__ void sample_backward_kernel(const Accessor<scalar_t, 3> samples_grad,
                                       const Accessor<scalar_t, 3> points,
                                       Accessor<scalar_t, 4> image_grad)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    const int b = blockIdx.y;
    if (n >= points.size(1))
        return;
    const int height = image_grad.size(2), width = image_grad.size(3);
    const scalar_t x = points[b][n][0], y = points[b][n][1];
    const int left = static_cast<int>(floor(x)), top = static_cast<int>(floor(y));
    const scalar_t right_part = x - left, lower_part = y - top;
    for (int c = 0; c < image_grad.size(1); ++c)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                if (top + i < 0 || top + i >= height || left + j < 0 || left + j >= width)
                    continue;
                const scalar_t across = j == 0 ? 1 - right_part : right_part;
                const scalar_t down = i == 0 ? 1 - lower_part : lower_part;
                gpuAtomicAdd(&image_grad[b][c][top + i][left + j],
                             across * down * samples_grad[b][c][n]);
            }
}

torch::Tensor sample(torch::Tensor image, torch::Tensor points)
{
    CHECK_CUDA(image);
    CHECK_CONTIGUOUS(points);
    const at::cuda::CUDAGuard guard(image.device());
    auto samples = torch::empty({image.size(0), image.size(1), points.size(1)},
                                image.options().device(torch::kCUDA));
    const dim3 blocks((points.size(1) + 127) / 128, image.size(0));
    cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES(image.scalar_type(), "sample", ([&] {
        sample_kernel<scalar_t><<<blocks, 128, 0, stream>>>(
            image.packed_accessor32<scalar_t, 4, torch::RestrictPtrTraits>(),
            points.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
            samples.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>());
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return samples;
}

torch::Tensor sample_backward(torch::Tensor samples_grad, torch::Tensor image, torch::Tensor points)
{
    CHECK_CUDA(samples_grad);
    const at::cuda::CUDAGuard guard(image.device());
    auto image_grad = torch::zeros_like(image);
    const dim3 blocks((points.size(1) + 127) / 128, image.size(0));
    cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES(image.scalar_type(), "sample_backward", ([&] {
        sample_backward_kernel<scalar_t><<<blocks, 128, 0, stream>>>(
            samples_grad.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
            points.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
            image_grad.packed_accessor32<scalar_t, 4, torch::RestrictPtrTraits>());
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return image_grad;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("sample", &sample);
    m.def("sample_backward", &sample_backward);
}
