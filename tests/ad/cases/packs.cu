// Packs of sixteen bytes, as present-day code for language models has them.
#include <cstring>
template <class ElementType>
struct alignas(16) Packed128 {
    Packed128() = default;
    __device__ explicit Packed128(int4 bits)
    {
        static_assert(sizeof(bits) == sizeof(payload), "Size mismatch.");
        memcpy(&payload, &bits, sizeof(bits));
    }
    __device__ static Packed128 constant(ElementType value)
    {
        Packed128 result;
        for (int k = 0; k < size; ++k)
            result.payload[k] = value;
        return result;
    }
    __device__ static Packed128 zeros() { return constant(0.f); }
    __device__ static Packed128 ones() { return constant(1.f); }
    __device__ ElementType &operator[](int index) { return payload[index]; }
    __device__ const ElementType &operator[](int index) const { return payload[index]; }
    __device__ int4 get_bits() const
    {
        int4 bits;
        static_assert(sizeof(bits) == sizeof(payload), "Size mismatch.");
        memcpy(&bits, &payload, sizeof(bits));
        return bits;
    }
    static constexpr int size = sizeof(int4) / sizeof(ElementType);
    ElementType payload[size];
};
template <class ElementType>
__device__ Packed128<ElementType> load128(const ElementType *address)
{
    return Packed128<ElementType>{*reinterpret_cast<const int4 *>(address)};
}
template <class ElementType>
__device__ Packed128<ElementType> load128cs(const ElementType *address)
{
    return Packed128<ElementType>{__ldcs(reinterpret_cast<const int4 *>(address))};
}
template <class ElementType>
__device__ void store128(ElementType *target, Packed128<ElementType> value)
{
    *reinterpret_cast<int4 *>(target) = value.get_bits();
}
template <class ElementType>
__device__ void store128cs(ElementType *target, Packed128<ElementType> value)
{
    __stcs(reinterpret_cast<int4 *>(target), value.get_bits());
}
typedef float floatX;
typedef Packed128<floatX> x128;

// g2o-verify: residual<<<2, 8>>>(out = [64], a = [64], b = [64])
__global__ void residual(floatX *out, const floatX *a, const floatX *b)
{
    int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
    x128 packed_out;
    x128 packed_a = load128cs(a + idx);
    x128 packed_b = load128cs(b + idx);
    for (int k = 0; k < packed_a.size; k++)
        packed_out[k] = (floatX)((float)packed_a[k] + (float)packed_b[k]);
    store128(out + idx, packed_out);
}
constexpr float GELU_SCALING_FACTOR = 0.7978845608f;
// g2o-verify: gelu<<<2, 8>>>(out = [64], inp = [64])
__global__ void gelu(floatX *out, const floatX *inp)
{
    int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
    x128 packed_out;
    x128 packed_inp = load128cs(inp + idx);
    for (int k = 0; k < packed_inp.size; ++k) {
        float xi = (float)packed_inp[k];
        float cube = 0.044715f * xi * xi * xi;
        packed_out[k] = (floatX)(0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube))));
    }
    store128(out + idx, packed_out);
}
