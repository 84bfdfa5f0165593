#include <cuda_runtime.h>

int main()
{
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, nullptr);
    return 0;
}
