// Volume integral of a discontinuous Galerkin method: a block for each element, values of its nodes
// in shared memory, derivatives along both directions.
// g2o-verify: dg_volume<<<4, (5, 5)>>>(u = [100], geometry = [200], derivative = [25], r = [100])
#define NODES 5

__global__ void dg_volume(const double *u, const double *geometry, const double *derivative,
                          double *r)
{
    __shared__ double values[NODES][NODES], d[NODES][NODES], flux[NODES][NODES];
    int i = threadIdx.x, j = threadIdx.y, element = blockIdx.x;
    int node = (element * NODES + j) * NODES + i;
    values[j][i] = u[node];
    d[j][i] = derivative[j * NODES + i];
    __syncthreads();
    double along = 0.0, across = 0.0;
    for (int k = 0; k < NODES; ++k) {
        along += d[i][k] * values[j][k];
        across += d[j][k] * values[k][i];
    }
    flux[j][i] = geometry[2 * node] * along * values[j][i] + geometry[2 * node + 1] * across;
    __syncthreads();
    double sum = 0.0;
    for (int k = 0; k < NODES; ++k)
        sum += d[k][i] * flux[j][k] + d[k][j] * flux[k][i];
    r[node] += sum;
}
