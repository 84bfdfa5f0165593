surface<void, 2> picture;

__global__ void fill(float value)
{
    surf2Dwrite(value, picture, 4 * threadIdx.x, threadIdx.y);
}
