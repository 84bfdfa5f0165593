texture<float, 1, cudaReadModeElementType> table;

__global__ void look_up(float *out, const int *index)
{
    out[threadIdx.x] = tex1Dfetch(table, index[threadIdx.x]);
}
