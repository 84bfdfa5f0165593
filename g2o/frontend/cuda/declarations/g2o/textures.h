// Texture references and objects, surfaces, and the fetches of device code.
#pragma once

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

template <typename T> cudaChannelFormatDesc cudaCreateChannelDesc();

// Texture references: gone from CUDA 12, still met in older programs.
template <typename T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp);
    texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc desc);
};
struct surfaceReference {
    cudaChannelFormatDesc channelDesc;
};
template <typename T, int dimensions = 1> struct surface : surfaceReference {};

// The type that a fetch from texture<T, d, mode> returns.
template <typename T, cudaTextureReadMode mode> struct g2o_fetched {
    using type = T;
};
template <> struct g2o_fetched<unsigned char, cudaReadModeNormalizedFloat> {
    using type = float;
};
template <> struct g2o_fetched<signed char, cudaReadModeNormalizedFloat> {
    using type = float;
};
template <> struct g2o_fetched<unsigned short, cudaReadModeNormalizedFloat> {
    using type = float;
};
template <> struct g2o_fetched<short, cudaReadModeNormalizedFloat> {
    using type = float;
};
template <> struct g2o_fetched<uchar2, cudaReadModeNormalizedFloat> {
    using type = float2;
};
template <> struct g2o_fetched<uchar4, cudaReadModeNormalizedFloat> {
    using type = float4;
};
template <> struct g2o_fetched<ushort2, cudaReadModeNormalizedFloat> {
    using type = float2;
};
template <> struct g2o_fetched<ushort4, cudaReadModeNormalizedFloat> {
    using type = float4;
};

#define G2O_FETCH(name, ...)                                                                       \
    template <typename T, int dimensions, cudaTextureReadMode mode>                                \
    typename g2o_fetched<T, mode>::type name(texture<T, dimensions, mode> reference, __VA_ARGS__); \
    template <typename T> T name(cudaTextureObject_t object, __VA_ARGS__);                         \
    template <typename T> void name(T *value, cudaTextureObject_t object, __VA_ARGS__);
G2O_FETCH(tex1Dfetch, int x)
G2O_FETCH(tex1D, float x)
G2O_FETCH(tex2D, float x, float y)
G2O_FETCH(tex3D, float x, float y, float z)
G2O_FETCH(texCubemap, float x, float y, float z)
G2O_FETCH(texCubemapLayered, float x, float y, float z, int layer)
G2O_FETCH(tex1DLayered, float x, int layer)
G2O_FETCH(tex2DLayered, float x, float y, int layer)
G2O_FETCH(tex1DLod, float x, float level)
G2O_FETCH(tex2DLod, float x, float y, float level)
G2O_FETCH(tex3DLod, float x, float y, float z, float level)
G2O_FETCH(tex1DGrad, float x, float dx, float dy)
G2O_FETCH(tex2DGrad, float x, float y, float2 dx, float2 dy)
G2O_FETCH(tex3DGrad, float x, float y, float z, float4 dx, float4 dy)
G2O_FETCH(tex2Dgather, float x, float y, int component = 0)
#undef G2O_FETCH

#define G2O_SURFACE(dimension, ...)                                                                \
    template <typename T>                                                                          \
    T surf##dimension##read(cudaSurfaceObject_t object, __VA_ARGS__,                               \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                  \
    template <typename T>                                                                          \
    void surf##dimension##read(T *value, cudaSurfaceObject_t object, __VA_ARGS__,                  \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);               \
    template <typename T>                                                                          \
    void surf##dimension##write(T value, cudaSurfaceObject_t object, __VA_ARGS__,                  \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);              \
    template <typename T, typename S, int dimensions>                                              \
    void surf##dimension##write(T value, surface<S, dimensions> reference, __VA_ARGS__,            \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);              \
    template <typename T, typename S, int dimensions>                                              \
    void surf##dimension##read(T *value, surface<S, dimensions> reference, __VA_ARGS__,            \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
G2O_SURFACE(1D, int x)
G2O_SURFACE(2D, int x, int y)
G2O_SURFACE(3D, int x, int y, int z)
G2O_SURFACE(2DLayered, int x, int y, int layer)
#undef G2O_SURFACE

cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference, const void *pointer,
                            const cudaChannelFormatDesc *desc, size_t bytes = UINT_MAX);
cudaError_t cudaBindTextureToArray(const textureReference *reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *desc);
cudaError_t cudaUnbindTexture(const textureReference *reference);
cudaError_t cudaGetTextureReference(const textureReference **reference, const void *symbol);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *reference);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, dimensions, mode> &reference,
                            const void *pointer, const cudaChannelFormatDesc &desc,
                            size_t bytes = UINT_MAX);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, dimensions, mode> &reference,
                            const void *pointer, size_t bytes = UINT_MAX);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dimensions, mode> &reference,
                              const void *pointer, const cudaChannelFormatDesc &desc,
                              size_t width, size_t height, size_t pitch);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dimensions, mode> &reference,
                              const void *pointer, size_t width, size_t height, size_t pitch);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode> &reference,
                                   cudaArray_const_t array, const cudaChannelFormatDesc &desc);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode> &reference,
                                   cudaArray_const_t array);
template <typename T, int dimensions, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, dimensions, mode> &reference);
template <typename T, int dimensions>
cudaError_t cudaBindSurfaceToArray(const surface<T, dimensions> &reference,
                                   cudaArray_const_t array);
