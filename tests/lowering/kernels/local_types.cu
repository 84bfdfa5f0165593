template <typename T> struct Pair {
    T value;
    int place;
};

// Types and constants that arrays of the block need stand in front of the loops.
template <typename T> __global__ void largest(const T *x, int *places) {
    using Item = Pair<T>;
    constexpr int kThreads = 64;
    const int half = kThreads / 2;
    __shared__ Item items[kThreads];
    enum { Nothing = -1 };
    const int t = threadIdx.x;
    Item mine = {x[blockIdx.x * kThreads + t], t};
    items[t] = mine;
    __syncthreads();
    for (int s = half; s > 0; s /= 2) {
        if (t < s && items[t + s].value > items[t].value)
            items[t] = items[t + s];
        __syncthreads();
    }
    if (t == 0)
        places[blockIdx.x] = items[0].value > T(0) ? items[0].place : int(Nothing);
}

void launch(const float *x, int *places) { largest<float><<<4, 64>>>(x, places); }
