// A total that is combined once more, and then changed by every thread for itself
#include <cstdio>
#include "g2o_runtime.hpp"
#include "g2o_warps.hpp"

void k([[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block, const int *__restrict__ x,
       int *__restrict__ out)
{
    assert(grid.x == 1 && grid.y == 1 && grid.z == 1 && block.x == 96 && block.y == 1 &&
           block.z == 1);
    int r_max = std::numeric_limits<int>::lowest();
    int v_max = std::numeric_limits<int>::lowest();
    for (int t = 0; t < 96; ++t) {
        int v = x[t];
        v_max = std::max(v_max, v);
    }
    for (int t = 0; t < 96; ++t) {
        out[t] += v_max;
        r_max = std::max(r_max, v_max);
    }
    for (int warp = 0; warp < 3; ++warp) {
        int r[g2o::warp_size];
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            r[lane] = r_max % 61;
            if (t == 1)
                out[t] += r[lane];
        }
        for (int d = 16; d > 0; d /= 2) {
            int other[g2o::warp_size];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                other[lane] = r[g2o::shfl_down_lane(lane, d)];
#pragma omp simd
            for (int lane = 0; lane < g2o::warp_size; ++lane)
                r[lane] += other[lane];
        }
#pragma omp simd
        for (int lane = 0; lane < g2o::warp_size; ++lane) {
            const int t = warp * g2o::warp_size + lane;
            out[t] += r[lane] % 61;
        }
    }
}
int main()
{
    int *x, *o;
    g2o::malloc_managed(&x, 4000); g2o::malloc_managed(&o, 4000);
    for (int i = 0; i < 1000; ++i) x[i] = i % 50, o[i] = i;
    k(1, 96, x, o);
    g2o::device_synchronize();
    for (int i = 0; i < 96; ++i) printf("%d ", o[i]);
    printf("\n");
}
