// More numbers than an `int` has: threads and turns stay apart.
__global__ void more_than_ints(char *marks) {
    for (int l = 0; l < 4000000; ++l) {
        long long at = threadIdx.x + (long long)l * 1024;
        marks[at % 65536] = 1;
    }
}

// As many as it has: one range.
__global__ void fewer(char *marks) {
    for (int l = 0; l < 2000; ++l) {
        long long at = threadIdx.x + (long long)l * 1024;
        marks[at % 65536] = 1;
    }
}

// Places are wider than the index, and nobody says how many threads there are.
__global__ void of_any_block(char *marks) {
    const size_t rank = (size_t)threadIdx.y * blockDim.x + threadIdx.x;
    marks[rank] = 1;
}

void run(char *marks, dim3 threads) {
    more_than_ints<<<1, 1024>>>(marks);
    fewer<<<1, 1024>>>(marks);
    of_any_block<<<1, threads>>>(marks);
}
