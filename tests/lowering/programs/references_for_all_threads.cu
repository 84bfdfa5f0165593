// References to elements that are the same for all threads, which see what is stored there later.
#include <cstdio>
struct Task { int kind, size; };
__global__ void k(const Task *tasks, int *out, int n) {
    __shared__ int s[64]; __shared__ Task own[2];
    const int t = threadIdx.x;
    s[t] = t * 3 % 17;
    if (t < 2) own[t] = tasks[t];
    __syncthreads();
    const int &top = s[0];
    const Task &first = own[1];
    const Task &mine = tasks[t % n];
    int v = top + mine.size;
    for (int id = 0; id < n; ++id) {
        const Task &task = tasks[id];
        const int &size = task.size;
        if (task.kind == 1) {
            v += s[(t + size) % 64];
            __syncthreads();
            if (t == 0) s[0] = v + id;
            __syncthreads();
        }
        if (top % 2 == 0 && first.kind < 3) { v ^= top; __syncthreads(); s[t] += size; if (t == 3) own[1].kind++; __syncthreads(); }
    }
    out[blockIdx.x * 64 + t] = v + top + first.kind + mine.kind;
}
int main() { Task *a; int *o; cudaMallocManaged(&a, 8 * sizeof(Task)); cudaMallocManaged(&o, 512); for (int i = 0; i < 8; ++i) a[i] = {i % 3, i * 5 % 7}; k<<<2, 64>>>(a, o, 8); cudaDeviceSynchronize(); for (int i = 0; i < 128; ++i) printf("%d ", o[i]); }
