// A tile of structures, of which some members are never read: nothing is added to their shadows.
// g2o-verify: forces_of_tiles<<<2, 16>>>(bodies = [32], n = 32)
#define TILE 16
struct Body {
    float x, y, vx, mass;
};

__global__ void forces_of_tiles(Body *bodies, int n)
{
    __shared__ Body tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float fx = 0.0f, xi = bodies[i].x, yi = bodies[i].y;
    for (int t = 0; t < n / TILE; t++) {
        tile[threadIdx.x] = bodies[t * TILE + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float dx = tile[k].x - xi, dy = tile[k].y - yi;
            fx += tile[k].mass * dx * rsqrtf(dx * dx + dy * dy + 0.5f);
        }
        __syncthreads();
    }
    bodies[i].vx += fx * 0.1f;
}
