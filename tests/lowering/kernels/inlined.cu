template <typename T> struct Pair {
    T value;
    int place;
};
struct Smaller {
    __device__ float operator()(float a, float b) const { return a < b ? a : b; }
};
struct Range {
    int first, size;
    __device__ int index() const { return first + blockIdx.x * blockDim.x + threadIdx.x; }
    __device__ bool has(int i) const { return i < first + size; }
};

// Template arguments, types of its own, a value behind a pointer, a default argument.
template <typename T, int N> __device__ T largest(T value, int *place, T scale = T(1)) {
    using Item = Pair<T>;
    __shared__ Item items[N];
    const int tid = threadIdx.x;
    items[tid] = Item{T(value * scale), tid};
    __syncthreads();
    for (int s = N / 2; s > 0; s /= 2) {
        if (tid < s && items[tid + s].value > items[tid].value)
            items[tid] = items[tid + s];
        __syncthreads();
    }
    const T result = items[0].value;
    *place = items[0].place;
    __syncthreads();
    return result;
}

template <typename Combine> __device__ float reduce(float value, float *scratch, Combine combine) {
    const unsigned tid = threadIdx.x;
    scratch[tid] = value;
    __syncthreads();
    for (unsigned active = 32; active > 0; active /= 2) {
        if (tid < active)
            scratch[tid] = combine(scratch[tid], scratch[tid + active]);
        __syncthreads();
    }
    return scratch[0];
}

__device__ float half_of(int step) { return 1.0f / step + 0.0f * threadIdx.x; }

__global__ void twice(float *out, unsigned char *bytes, const float *x, const unsigned char *b,
                      Range range) {
    __shared__ float scratch[64];
    const int i = range.index();
    const float value = range.has(i) ? x[i] : 0.0f;
    int place, place_of_byte;
    const float most = largest<float, 64>(value, &place);
    const unsigned char byte = largest<unsigned char, 64>(b[i], &place_of_byte, 1);
    const float least = reduce(value, scratch, Smaller());
    if (threadIdx.x == 0) {
        out[blockIdx.x] = most - least + place + half_of(2);
        bytes[blockIdx.x] = byte;
    }
}

void launch(float *out, unsigned char *bytes, const float *x, const unsigned char *b, Range range) {
    twice<<<4, 64>>>(out, bytes, x, b, range);
}
