// out: 0 31 1
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

const uint32_t colours[] = {0xff00ff00, 0xff0000ff, 0xffffff00};

#define PUSH_RANGE(name, number)                                                                   \
    {                                                                                              \
        nvtxEventAttributes_t attributes = {};                                                     \
        attributes.version = NVTX_VERSION;                                                         \
        attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;                                           \
        attributes.colorType = NVTX_COLOR_ARGB;                                                    \
        attributes.color = colours[(number) % 3];                                                  \
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;                                          \
        attributes.message.ascii = name;                                                           \
        nvtxRangePushEx(&attributes);                                                              \
    }
#define POP_RANGE nvtxRangePop();

class Range {
  public:
    explicit Range(const char *name) : id_(nvtxRangeStartA(name)) {}
    ~Range() { nvtxRangeEnd(id_); }

  private:
    nvtxRangeId_t id_;
};

__global__ void number(int *x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int *x, host[32];
    nvtxDomainHandle_t domain = nvtxDomainCreateA("program");
    cudaProfilerStart();
    nvtxRangePush("all");
    cudaMalloc(&x, sizeof host);
    PUSH_RANGE("kernel", 4)
    {
        Range range("launch");
        number<<<1, 32>>>(x);
    }
    POP_RANGE
    nvtxMarkA("copy");
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    const bool is_untracked = nvtxRangePop() < 0;
    cudaProfilerStop();
    nvtxDomainDestroy(domain);
    printf("%d %d %d\n", host[0], host[31], is_untracked);
    cudaFree(x);
    return 0;
}
