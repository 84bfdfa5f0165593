// Steps of optimisers, in place.

template <typename scalar_t>
__global__ void sgd(int count, scalar_t rate, scalar_t momentum, const scalar_t *gradient,
                    scalar_t *velocity, scalar_t *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    velocity[i] = momentum * velocity[i] + gradient[i];
    x[i] -= rate * velocity[i];
}

template <typename scalar_t>
__global__ void adam(int count, scalar_t rate, scalar_t beta1, scalar_t beta2, scalar_t eps,
                     scalar_t correction1, scalar_t correction2, const scalar_t *gradient,
                     scalar_t *mean, scalar_t *square, scalar_t *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    scalar_t g = gradient[i];
    mean[i] = beta1 * mean[i] + (1 - beta1) * g;
    square[i] = beta2 * square[i] + (1 - beta2) * g * g;
    x[i] -= rate * (mean[i] / correction1) / (sqrt(square[i] / correction2) + eps);
}
