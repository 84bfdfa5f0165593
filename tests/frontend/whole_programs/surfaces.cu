// out: 511 7 520 0
#include <cstdio>
#include <cstring>

__global__ void put(cudaSurfaceObject_t surface, const float *in, unsigned w, unsigned h,
                    int unused)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        surf2Dwrite(in[y * w + x], surface, x * 4, y);
}

__global__ void get(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float *out, int w)
{
    int x = threadIdx.x, y = blockIdx.x;
    float v;
    surf2Dread(&v, surface, x * sizeof(float), y, cudaBoundaryModeClamp);
    out[y * w + x] = (v + tex2D<float>(texture, x + 0.5f, y + 0.5f)) / 2;
}

__global__ void next(cudaSurfaceObject_t volume, float *outside)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    uchar4 v = surf3Dread<uchar4>(volume, x * 4, y, z);
    v.y += x;
    surf3Dwrite(v, volume, x * 4, y, z);
    if (x == 0 && y == 0 && z == 0)
        *outside = surf3Dread<float>(volume, -4, 0, 0, cudaBoundaryModeZero);
}

int main()
{
    const int w = 32, h = 16;
    static float a[w * h];
    for (int i = 0; i < w * h; ++i)
        a[i] = i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof how);
    cudaSurfaceObject_t surface;
    cudaTextureObject_t texture;
    cudaCreateSurfaceObject(&surface, &resource);
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    float *d, *o;
    cudaMalloc(&d, sizeof a);
    cudaMalloc(&o, sizeof a);
    cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice);
    put<<<dim3(2, 2), dim3(16, 8)>>>(surface, d, w, h, 1);
    get<<<h, w>>>(texture, surface, o, w);
    cudaMemcpy(a, o, sizeof a, cudaMemcpyDeviceToHost);
    std::printf("%g\n", a[w * h - 1]);
    cudaDestroySurfaceObject(surface);
    cudaDestroyTextureObject(texture);

    static uchar4 v[8 * 8 * 8];
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
    cudaArray_t volume;
    cudaMalloc3DArray(&volume, &bytes, make_cudaExtent(8, 8, 8), cudaArraySurfaceLoadStore);
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(v, 8 * sizeof(uchar4), 8, 8);
    copy.dstArray = volume;
    copy.extent = make_cudaExtent(8, 8, 8);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    resource.res.array.array = volume;
    cudaCreateSurfaceObject(&surface, &resource);
    next<<<8, dim3(8, 8)>>>(surface, o);
    cudaMemcpy3DParms back = {0};
    back.srcArray = volume;
    back.dstPtr = copy.srcPtr;
    back.extent = copy.extent;
    back.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&back);
    int sum = 0;
    for (uchar4 &one : v)
        sum += one.y;
    cudaMemcpy(a, o, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%d %d %g\n", v[511].y, sum == 8 * 8 * 28 ? 520 : sum, a[0]);
}
