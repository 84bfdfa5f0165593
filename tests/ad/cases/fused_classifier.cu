// Softmax, loss and block reductions by functions as template arguments, with packs of sixteen bytes.
#include <cstring>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
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
#define WARP_SIZE 32
__device__ inline float warpReduceSum(float val)
{
    for (int offset = 16; offset > 0; offset /= 2)
        val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
    return val;
}
__device__ inline float warpReduceMax(float val)
{
    for (int offset = 16; offset > 0; offset /= 2)
        val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
    return val;
}
using reduction_func_t = float (*)(float);
template <reduction_func_t warp_reduction>
__device__ inline float blockReduce(float val, bool final_sync = false, float out_of_bounds = 0.0f)
{
    __shared__ float shared_val[WARP_SIZE];
    const int lane_id = threadIdx.x % WARP_SIZE;
    const int warp_id = threadIdx.x / WARP_SIZE;
    const int num_warps = blockDim.x / WARP_SIZE;
    float warp_val = warp_reduction(val);
    if (lane_id == 0)
        shared_val[warp_id] = warp_val;
    __syncthreads();
    warp_val = (lane_id < num_warps) ? shared_val[lane_id] : out_of_bounds;
    float block_val = warp_reduction(warp_val);
    if (final_sync)
        __syncthreads();
    return block_val;
}
struct SoftmaxParams { float Scale; float Offset; };
__device__ SoftmaxParams prepare_softmax_blockwide3(int idx, const floatX *inp, int V, int P)
{
    const floatX *x = inp + idx * P;
    float thread_maxval = -INFINITY;
    float thread_sumval = 0.0f;
    int i = (V + x128::size - 1) / x128::size + threadIdx.x - blockDim.x;
    while ((i + 1) * x128::size > V) {
        for (int k = 0; k < x128::size; ++k) {
            if (i * x128::size + k >= V)
                break;
            float v = (float)x[i * x128::size + k];
            float old_maxval = thread_maxval;
            thread_maxval = fmaxf(thread_maxval, v);
            thread_sumval *= expf(old_maxval - thread_maxval);
            thread_sumval += expf(v - thread_maxval);
        }
        i -= blockDim.x;
    }
    for (; i >= 0; i -= blockDim.x) {
        x128 packed_x = load128(x + i * x128::size);
        for (int k = 0; k < x128::size; ++k) {
            float v = (float)packed_x[k];
            float old_maxval = thread_maxval;
            thread_maxval = fmaxf(thread_maxval, v);
            thread_sumval *= expf(old_maxval - thread_maxval);
            thread_sumval += expf(v - thread_maxval);
        }
    }
    float block_maxval = blockReduce<warpReduceMax>(thread_maxval, false, -INFINITY);
    thread_sumval *= expf(thread_maxval - block_maxval);
    float block_sumval = blockReduce<warpReduceSum>(thread_sumval);
    return SoftmaxParams{1.f / block_sumval, block_maxval};
}
// g2o-verify: fused_classifier<<<3, 32>>>(losses = [3], probs = [3 * P], logits = [3 * P], targets = [3], V = 250, P = 256)
__global__ void fused_classifier(float *losses, floatX *probs, const floatX *logits, const int *targets, int V, int P)
{
    int idx = blockIdx.x;
    int ix = (unsigned)targets[idx] % (unsigned)V;
    SoftmaxParams sp = prepare_softmax_blockwide3(idx, logits, V, P);
    if (threadIdx.x == 0) {
        float prob = expf((float)logits[idx * P + ix] - sp.Offset) * sp.Scale;
        losses[idx] = -logf(prob);
    }
    const floatX *logits_vec = logits + idx * P;
    for (int i = threadIdx.x; i < V / x128::size; i += blockDim.x) {
        x128 packed_logits_vec = load128(logits_vec + i * x128::size);
        x128 packed_probs;
        for (int k = 0; k < x128::size; ++k) {
            float prob = expf((float)packed_logits_vec[k] - sp.Offset) * sp.Scale;
            packed_probs[k] = (floatX)prob;
        }
        store128(probs + idx * P + i * x128::size, packed_probs);
    }
}
