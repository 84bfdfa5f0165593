// out: 1
// The faces of a cube by direction, and the four elements around a point.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void along(cudaTextureObject_t cube, float *out)
{
    float a = threadIdx.x * 0.7f, b = threadIdx.x * 0.31f - 4;
    out[threadIdx.x] = texCubemap<float>(cube, cosf(a) * cosf(b), sinf(a) * cosf(b), sinf(b));
}

__global__ void around(cudaTextureObject_t image, float4 *out)
{
    float x = threadIdx.x * 0.45f, y = threadIdx.x * 0.2f;
    out[threadIdx.x] = tex2Dgather<float4>(image, x, y, 2);
    out[threadIdx.x].x += tex2DGrad<float4>(image, x, y, make_float2(1, 0), make_float2(0, 1)).y;
}

float on_face(const std::vector<float> &cube, int side, float x, float y, float z)
{
    float s, t, m = std::fmax(std::fabs(x), std::fmax(std::fabs(y), std::fabs(z)));
    int face;
    if (m == std::fabs(x))
        face = x < 0, s = x < 0 ? z : -z, t = -y;
    else if (m == std::fabs(y))
        face = 2 + (y < 0), s = x, t = y < 0 ? -z : z;
    else
        face = 4 + (z < 0), s = z < 0 ? -x : x, t = -y;
    int i = std::fmin(side - 1, std::floor((s / m + 1) / 2 * side));
    int j = std::fmin(side - 1, std::floor((t / m + 1) / 2 * side));
    return cube[(face * side + j) * side + i];
}

int main()
{
    const int side = 5, width = 8, height = 6, points = 60;
    std::vector<float> faces(6 * side * side);
    for (int i = 0; i < 6 * side * side; ++i)
        faces[i] = i * 3 % 101;
    cudaChannelFormatDesc number = cudaCreateChannelDesc<float>();
    cudaArray_t cube;
    cudaMalloc3DArray(&cube, &number, make_cudaExtent(side, side, 6), cudaArrayCubemap);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(faces.data(), side * sizeof(float), side, side);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(side, side, 6);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = cube;
    cudaTextureDesc how = {};
    how.normalizedCoords = true;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    cudaTextureObject_t object, plane;
    cudaCreateTextureObject(&object, &resource, &how, nullptr);
    float *out;
    cudaMallocManaged(&out, points * sizeof(float));
    along<<<1, points>>>(object, out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < points; ++i) {
        float a = i * 0.7f, b = i * 0.31f - 4;
        wrong += out[i] != on_face(faces, side, cosf(a) * cosf(b), sinf(a) * cosf(b), sinf(b));
    }

    std::vector<float4> pixels(width * height);
    for (int i = 0; i < width * height; ++i)
        pixels[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>();
    cudaArray_t image;
    cudaMallocArray(&image, &four, width, height, cudaArrayTextureGather);
    const size_t row = width * sizeof(float4);
    cudaMemcpy2DToArray(image, 0, 0, pixels.data(), row, row, height, cudaMemcpyHostToDevice);
    resource.res.array.array = image;
    how.normalizedCoords = false;
    cudaCreateTextureObject(&plane, &resource, &how, nullptr);
    float4 *gathered;
    cudaMallocManaged(&gathered, 16 * sizeof(float4));
    around<<<1, 16>>>(plane, gathered);
    cudaDeviceSynchronize();
    for (int t = 0; t < 16; ++t) {
        auto at = [&](int i, int j) {
            i = i < 0 ? 0 : i >= width ? width - 1 : i;
            j = j < 0 ? 0 : j >= height ? height - 1 : j;
            return j * width + i;
        };
        int i = std::floor(t * 0.45f - 0.5f), j = std::floor(t * 0.2f - 0.5f);
        int point = at(std::floor(t * 0.45f), std::floor(t * 0.2f));
        wrong += gathered[t].x != 3 * at(i, j + 1) + 2 * point;
        wrong += gathered[t].y != 3 * at(i + 1, j + 1);
        wrong += gathered[t].z != 3 * at(i + 1, j);
        wrong += gathered[t].w != 3 * at(i, j);
    }
    std::printf("%d\n", wrong == 0);
}
