// What one thread of a warp does for all is done once, with no question left of which one it is.

#include <cstdio>

#define VERBOSE 1

__global__ void report(int limit)
{
    int lane = threadIdx.x;
    unsigned high = __ballot_sync(0xffffffffu, lane > limit);
    // The first lane reports.
    if (lane == 0)
        printf("high %x\n", high);
    int all = __all_sync(0xffffffffu, lane % limit);
    if (lane == 0 && !all) {
        int least = limit;
        printf("not all %d\n", least);
    }
    int any = __any_sync(0xffffffffu, lane > 2 * limit);
    if (VERBOSE == 1 && lane == 0)
        printf("any %d\n", any); // at the end
    if (lane == 0)
        printf("done\n");
    else if (limit > 100)
        printf("much\n");
}

int main()
{
    report<<<1, 32>>>(12);
    cudaDeviceSynchronize();
}
