// A thread waits for a value that nobody writes: reported, not waited for.
__global__ void spin(int *flag) {
    while (atomicAdd(flag, 0) == 0) {
    }
}

int main() {
    int *flag;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    spin<<<2, 3>>>(flag);
}
// environment: G2O_IDLE_SECONDS=0
// exit: 87
// stderr: livelock: every live thread spins in kernel 'spin'
