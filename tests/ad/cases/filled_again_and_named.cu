// Shared arrays that the reverse sweep fills again: what it reads from them has variables of its
// own there, which stand behind the barrier.
// g2o-verify: neighbours_named<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)
// g2o-verify: one_from_the_other<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)
// g2o-verify: filled_from_shared<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)
// g2o-verify: read_through_pointers<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)
// g2o-verify: barrier_in_front<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)
// g2o-verify: places_from_shared<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)
// g2o-verify: filled_twice<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)

__global__ void neighbours_named(const double *x, double *y, int n, int m)
{
    __shared__ double t[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = x[i];
    for (int j = 0; j < m; ++j) {
        double v = s * x[i + j];
        t[threadIdx.x] = v;
        __syncthreads();
        double w = t[(threadIdx.x + 1) % 32];
        double u = w * v;
        __syncthreads();
        s = s + sin(u * w);
    }
    y[i] = s;
}

__global__ void one_from_the_other(const double *x, double *y, int n, int m)
{
    __shared__ double t[32], q[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
    double s = 0.0;
    for (int j = 0; j < m; ++j) {
        t[l] = x[i + j] * x[i];
        __syncthreads();
        double w = t[(l + 1) % 32] + x[i];
        q[l] = w * w;
        __syncthreads();
        double z = q[31 - l];
        double u = sin(z * w);
        __syncthreads();
        s = s * u + z * w;
    }
    y[i] = s;
}

__global__ void filled_from_shared(const double *x, double *y, int n, int m)
{
    __shared__ double t[32], q[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
    double s = 0.0;
    for (int j = 0; j < m; ++j) {
        t[l] = x[i + j] * x[i];
        __syncthreads();
        q[l] = t[(l + 1) % 32] * t[l];
        __syncthreads();
        s = s * q[31 - l] + q[l ^ 1] * t[l];
        __syncthreads();
    }
    y[i] = s;
}

__global__ void read_through_pointers(const double *x, double *y, int n, int m)
{
    __shared__ double t[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
    double s = 1.0;
    for (int j = 0; j < m; ++j) {
        t[l] = x[i + j];
        __syncthreads();
        const double *p = &t[(l + j) % 32];
        double w = *p;
        const double &r = t[31 - l];
        double u = r * w;
        s = s * u + w;
        __syncthreads();
    }
    y[i] = s;
}

__global__ void barrier_in_front(const double *x, double *y, int n, int m)
{
    __shared__ double t[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
    double s = x[i];
    for (int j = 0; j < m; ++j) {
        __syncthreads();
        t[l] = x[i + j] * x[i];
        __syncthreads();
        double w = t[(l + 5) % 32];
        if (w > 0.2) {
            double u = t[31 - l] * w;
            s = s * u;
        }
        s = s + w * w * s;
    }
    y[i] = s;
}

__global__ void places_from_shared(const double *x, double *y, int n, int m)
{
    __shared__ int places[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
    double s = 1.0;
    for (int j = 0; j < m; ++j) {
        places[l] = (i * 7 + j) % n;
        __syncthreads();
        int k = places[31 - l];
        double w = x[k] * s;
        s = s + w * x[k];
        __syncthreads();
    }
    y[i] = s;
}

// Two threads store to each element, one after the other.
__global__ void filled_twice(const double *x, double *y, int n, int m)
{
    __shared__ double t[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
    double s = x[i];
    for (int j = 0; j < m; ++j) {
        t[l] = x[i + j] * x[i];
        __syncthreads();
        double w = t[(l + 1) % 32];
        __syncthreads();
        t[31 - l] = w * w;
        __syncthreads();
        s = s * t[l] + w;
        __syncthreads();
    }
    y[i] = s;
}
