// Layers with packs of sixteen bytes: encoder, softmax, bias, residual.
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
// g2o-verify: encoder_forward3<<<4, 16>>>(out = [C * T * B], inp = [T * B], wte = [V * C], wpe = [T * C], B = 2, T = 4, C = 32, V = 11)
__global__ void encoder_forward3(floatX *out, const int *inp, const floatX *wte, const floatX *wpe, int B, int T, int C, int V)
{
    int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
    int N = B * T * C;
    if (idx < N) {
        int bt = idx / C;
        int b = bt / T;
        int t = bt % T;
        int c = idx % C;
        int ix = (unsigned)inp[b * T + t] % (unsigned)V;
        floatX *out_btc = out + b * T * C + t * C + c;
        const floatX *wte_ix = wte + ix * C + c;
        const floatX *wpe_tc = wpe + t * C + c;
        x128 packed_out;
        x128 wte128 = load128cs(wte_ix);
        x128 wpe128 = load128cs(wpe_tc);
        for (int k = 0; k < x128::size; k++)
            packed_out[k] = (floatX)((float)wte128[k] + (float)wpe128[k]);
        store128(out_btc, packed_out);
    }
}
// g2o-verify: softmax_forward5<<<1, 64>>>(out = [2 * T * T], inv_temperature = 0.3, inp = [2 * T * T], N = 2, T = 8)
__global__ void softmax_forward5(floatX *out, float inv_temperature, const floatX *inp, int N, int T)
{
    int lane_id = threadIdx.x % WARP_SIZE;
    int warp_id = threadIdx.x / WARP_SIZE;
    int num_warps = blockDim.x / WARP_SIZE;
    int idx = (gridDim.x - blockIdx.x - 1) * num_warps + warp_id;
    if (idx >= N * T)
        return;
    int own_pos = idx % T;
    int pos_by_4 = own_pos / 4;
    const floatX *x = inp + idx * T;
    const float flt_max = 3.4e38f;
    float maxval = -flt_max;
    float sumval = 0.0f;
    const floatX *x_aligned = reinterpret_cast<const floatX *>(__builtin_assume_aligned(x, 16));
    for (int i = lane_id; i < pos_by_4; i += WARP_SIZE) {
        float regarray[4];
        for (int k = 0; k < 4; ++k)
            regarray[k] = (float)x_aligned[4 * i + k];
        float old_maxval = maxval;
        for (int k = 0; k < 4; ++k)
            maxval = fmaxf(maxval, regarray[k]);
        sumval *= expf(inv_temperature * (old_maxval - maxval));
        for (int k = 0; k < 4; ++k)
            sumval += expf(inv_temperature * (regarray[k] - maxval));
    }
    if (4 * pos_by_4 + lane_id <= own_pos) {
        float old_maxval = maxval;
        maxval = fmaxf(maxval, (float)x[4 * pos_by_4 + lane_id]);
        sumval *= expf(inv_temperature * (old_maxval - maxval));
        sumval += expf(inv_temperature * ((float)x[4 * pos_by_4 + lane_id] - maxval));
    }
    float global_maxval = warpReduceMax(maxval);
    sumval *= expf(inv_temperature * (maxval - global_maxval));
    float sum = warpReduceSum(sumval);
    float norm = 1.f / sum;
    for (int i = lane_id; i <= own_pos; i += WARP_SIZE) {
        float ev = expf(inv_temperature * ((float)__ldcs(x + i) - global_maxval));
        __stcs(out + idx * T + i, (floatX)(ev * norm));
    }
}
// g2o-verify: matmul_backward_bias_kernel9<<<dim3(1, 2), dim3(4, 8, 2)>>>(dbias = [16], dout = [B * T * 16], B = 4, T = 8, OC = 16)
__global__ void matmul_backward_bias_kernel9(float *dbias, const floatX *dout, int B, int T, int OC)
{
    constexpr const int bdx = 4;
    constexpr const int bdy = WARP_SIZE / bdx;
    int warp_d = (int)threadIdx.x;
    int warp_c = (int)threadIdx.y;
    int block_d = (int)threadIdx.z;
    const int OC_per_warp = bdy * x128::size / 2;
    int local_oc = warp_c % 4 * x128::size;
    int global_oc = blockIdx.x * OC_per_warp + local_oc;
    int local_bt = warp_d + bdx * block_d;
    int bt_per_block = bdx * blockDim.z;
    float accumulators[x128::size];
    for (int k = 0; k < x128::size; k++)
        accumulators[k] = 0.0f;
    if (global_oc < OC && warp_c < 4) {
        for (int idx = blockIdx.y * bt_per_block + local_bt; idx < B * T; idx += gridDim.y * bt_per_block) {
            x128 packed_dout = load128(dout + global_oc + idx * OC);
            for (int k = 0; k < x128::size; k++)
                accumulators[k] += (float)packed_dout[k];
        }
    }
    __shared__ float sub_results[x128::size][WARP_SIZE][bdy];
    for (int k = 0; k < x128::size; k++) {
        float v = accumulators[k];
        v += __shfl_down_sync(0xffffffff, v, 1, 4);
        v += __shfl_down_sync(0xffffffff, v, 2, 4);
        if (warp_d == 0)
            sub_results[k][block_d][warp_c] = v;
    }
    __syncthreads();
    for (int k = block_d; k < x128::size; k += blockDim.z) {
        float a = 0.f;
        for (int r = warp_d; r < blockDim.z; r += bdx) {
            float v = sub_results[k][r][warp_c];
            v += __shfl_down_sync(0xffffffff, v, 1, 4);
            v += __shfl_down_sync(0xffffffff, v, 2, 4);
            a += v;
        }
        if (warp_d == 0 && global_oc < OC && warp_c < 4)
            atomicAdd(dbias + global_oc + k, a);
    }
}
// g2o-verify: fused_residual<<<3, dim3(32, 2)>>>(residual = [6 * C], normed = [6 * C], a = [6 * C], b = [6 * C], w = [C], N = 6, C = 128)
__global__ void fused_residual(floatX *residual, floatX *normed, const floatX *a, const floatX *b, const floatX *w, int N, int C)
{
    int idx = blockIdx.x * blockDim.y + threadIdx.y;
    if (idx > N)
        return;
    residual += C * idx;
    normed += C * idx;
    a += C * idx;
    b += C * idx;
    float sum = 0.0f;
    for (int c = threadIdx.x * x128::size; c < C; c += WARP_SIZE * x128::size) {
        const x128 in1 = load128cs(a + c);
        const x128 in2 = load128cs(b + c);
        x128 out;
        for (int k = 0; k < x128::size; ++k) {
            out[k] = (float)in1[k] + (float)in2[k];
            sum += (float)out[k] * (float)out[k];
        }
        store128cs(residual + c, out);
    }
    sum = warpReduceSum(sum);
    float s = rsqrtf(sum / C + 1e-5f);
    for (int c = threadIdx.x * x128::size; c < C; c += WARP_SIZE * x128::size) {
        const x128 r = load128(residual + c);
        x128 o = x128::zeros();
        for (int k = 0; k < x128::size; ++k)
            o[k] = s * r[k] * w[c + k];
        store128(normed + c, o);
    }
}
