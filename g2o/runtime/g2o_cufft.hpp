// g2o_cufft.hpp: cuFFT, on FFTW 3.
//
// To be linked with `pkg-config --libs fftw3f` where floats are transformed, with fftw3 where
// doubles are. Transforms of a batch are done side by side. A plan of FFTW is made when a transform
// is first done, and kept.
#ifndef G2O_CUFFT_HPP
#define G2O_CUFFT_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <fftw3.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "g2o_complex.hpp"
#include "g2o_runtime.hpp"

namespace g2o {
inline namespace libraries {

enum cufftResult {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_PARSE_ERROR = 12,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_LICENSE_ERROR = 15,
    CUFFT_NOT_SUPPORTED = 16
};
enum cufftType {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
};
constexpr int CUFFT_FORWARD = -1, CUFFT_INVERSE = 1;

using cufftResult_t = cufftResult;
using cufftType_t = cufftType;
using cufftHandle = int;
using cufftReal = float;
using cufftDoubleReal = double;
using cufftComplex = FloatComplex;
using cufftDoubleComplex = DoubleComplex;

} // namespace libraries

namespace detail::fft {

// The functions of FFTW for a type of numbers.
template <class Real> struct Fftw;
#define G2O_FFTW(Real, x)                                                                          \
    template <> struct Fftw<Real> {                                                                \
        using Plan = x##_plan;                                                                     \
        using Complex = x##_complex;                                                               \
        static constexpr auto *plan = x##_plan_many_dft;                                           \
        static constexpr auto *plan_from_real = x##_plan_many_dft_r2c;                             \
        static constexpr auto *plan_to_real = x##_plan_many_dft_c2r;                               \
        static constexpr auto *execute = x##_execute_dft;                                          \
        static constexpr auto *execute_from_real = x##_execute_dft_r2c;                            \
        static constexpr auto *execute_to_real = x##_execute_dft_c2r;                              \
        static constexpr auto *alignment_of = x##_alignment_of;                                    \
        static constexpr auto *destroy = x##_destroy_plan;                                         \
    };
G2O_FFTW(float, fftwf)
G2O_FFTW(double, fftw)
#undef G2O_FFTW

inline std::mutex &planning() // FFTW makes one plan at a time
{
    static std::mutex mutex;
    return mutex;
}

// How the numbers of an array lie: `embedded` is empty where they lie without gaps.
struct Layout {
    std::vector<int> embedded;
    int stride = 1, distance = 0;
};

// A plan of cuFFT, and the plans of FFTW by the direction, whether the transform is in place and
// whether its arrays are aligned.
struct Transform {
    cufftType type{};
    std::vector<int> sizes;
    Layout in, out;
    int batch = 0;
    Stream stream = nullptr;
    std::map<std::tuple<int, bool, bool>, std::shared_ptr<void>> plans{};
};

inline std::map<cufftHandle, std::shared_ptr<Transform>> &transforms()
{
    static std::map<cufftHandle, std::shared_ptr<Transform>> all;
    return all;
}

inline std::shared_ptr<Transform> transform_of(cufftHandle handle)
{
    const std::lock_guard<std::mutex> lock(planning());
    const auto found = transforms().find(handle);
    return found == transforms().end() ? nullptr : found->second;
}

// The layout without gaps; the halves of complex numbers beside real ones count n / 2 + 1.
inline Layout packed(const std::vector<int> &sizes, bool is_half, bool is_padded)
{
    Layout layout;
    layout.distance = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool is_last = i + 1 == sizes.size();
        const int half = sizes[i] / 2 + 1;
        const int count = !is_last ? sizes[i] : is_half ? half : is_padded ? 2 * half : sizes[i];
        layout.embedded.push_back(count);
        layout.distance *= count;
    }
    return layout;
}

// One transform of a batch with a plan of FFTW, and how to make that.
template <class Real, class In, class Out> struct Operation {
    static constexpr bool from_real = std::is_same_v<In, Real>;
    static constexpr bool to_real = std::is_same_v<Out, Real>;
    using Complex = typename Fftw<Real>::Complex;

    static auto *pointer(Real *array) { return array; }
    template <class Other> static auto *pointer(Other *array)
    {
        return reinterpret_cast<Complex *>(array);
    }

    static typename Fftw<Real>::Plan make(const Transform &t, const Layout &i, const Layout &o,
                                          In *in, Out *out, int direction, unsigned flags)
    {
        const int rank = int(t.sizes.size());
        const int *const n = t.sizes.data();
        const auto with = [&](auto *function, auto... last) {
            return function(rank, n, 1, pointer(in), i.embedded.data(), i.stride, i.distance,
                            pointer(out), o.embedded.data(), o.stride, o.distance, last...);
        };
        if constexpr (from_real)
            return with(Fftw<Real>::plan_from_real, flags);
        else if constexpr (to_real)
            return with(Fftw<Real>::plan_to_real, rank == 1 ? flags | FFTW_PRESERVE_INPUT : flags);
        else
            return with(Fftw<Real>::plan, direction, flags);
    }

    static void execute(typename Fftw<Real>::Plan plan, In *in, Out *out)
    {
        if constexpr (from_real)
            Fftw<Real>::execute_from_real(plan, pointer(in), pointer(out));
        else if constexpr (to_real)
            Fftw<Real>::execute_to_real(plan, pointer(in), pointer(out));
        else
            Fftw<Real>::execute(plan, pointer(in), pointer(out));
    }
};

template <class Real, class In, class Out>
void transform_all(Transform &t, In *in, Out *out, int direction)
{
    using Functions = Fftw<Real>;
    using OneBy = Operation<Real, In, Out>;
    const void *const from = in, *const to = out;
    const bool in_place = from == to;
    const bool is_packed = t.in.embedded.empty();
    const Layout i =
        is_packed ? packed(t.sizes, OneBy::to_real, OneBy::from_real && in_place) : t.in;
    const Layout o =
        is_packed ? packed(t.sizes, OneBy::from_real, OneBy::to_real && in_place) : t.out;
    const auto is_aligned = [](auto *array) {
        return Functions::alignment_of(reinterpret_cast<Real *>(array)) == 0;
    };
    const bool aligned =
        is_aligned(in) && is_aligned(out) &&
        (t.batch == 1 || (is_aligned(in + i.distance) && is_aligned(out + o.distance)));
    std::shared_ptr<void> plan;
    {
        const std::lock_guard<std::mutex> lock(planning());
        auto &kept = t.plans[{direction, in_place, aligned}];
        if (kept == nullptr)
            kept = {
                OneBy::make(t, i, o, in, out, direction,
                            aligned ? FFTW_ESTIMATE : FFTW_ESTIMATE | FFTW_UNALIGNED),
                [](void *old) { Functions::destroy(static_cast<typename Functions::Plan>(old)); }};
        plan = kept;
    }
    const auto made = static_cast<typename Functions::Plan>(plan.get());
#pragma omp parallel for if (t.batch > 1)
    for (std::ptrdiff_t b = 0; b < t.batch; ++b)
        OneBy::execute(made, in + b * i.distance, out + b * o.distance);
}

template <class Real, class In, class Out>
cufftResult run(cufftHandle handle, cufftType type, In *in, Out *out, int direction)
{
    const auto transform = transform_of(handle);
    if (transform == nullptr || transform->batch == 0)
        return CUFFT_INVALID_PLAN;
    if (transform->type != type)
        return CUFFT_INVALID_TYPE;
    if (in == nullptr || out == nullptr ||
        (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    enqueue(transform->stream, [=] {
        transform_all<Real>(*transform, in, out, direction);
        return Success;
    });
    return CUFFT_SUCCESS;
}

inline cufftResult make(cufftHandle handle, std::vector<int> sizes, cufftType type, Layout in,
                        Layout out, int batch, std::size_t *work)
{
    const auto transform = transform_of(handle);
    if (transform == nullptr)
        return CUFFT_INVALID_PLAN;
    if (batch < 1 || sizes.empty() || *std::min_element(sizes.begin(), sizes.end()) < 1)
        return CUFFT_INVALID_SIZE;
    *transform = {type, std::move(sizes), std::move(in), std::move(out), batch, transform->stream};
    if (work != nullptr)
        *work = 0;
    return CUFFT_SUCCESS;
}

} // namespace detail::fft

inline namespace libraries {

inline cufftResult cufftCreate(cufftHandle *handle)
{
    const std::lock_guard<std::mutex> lock(detail::fft::planning());
    auto &all = detail::fft::transforms();
    *handle = all.empty() ? 1 : all.rbegin()->first + 1;
    all[*handle] = std::make_shared<detail::fft::Transform>();
    return CUFFT_SUCCESS;
}

inline cufftResult cufftDestroy(cufftHandle handle)
{
    const std::lock_guard<std::mutex> lock(detail::fft::planning());
    return detail::fft::transforms().erase(handle) != 0 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

inline cufftResult cufftSetStream(cufftHandle handle, Stream stream)
{
    const auto transform = detail::fft::transform_of(handle);
    if (transform == nullptr)
        return CUFFT_INVALID_PLAN;
    transform->stream = stream;
    return CUFFT_SUCCESS;
}

inline cufftResult cufftGetVersion(int *version)
{
    *version = 11000;
    return CUFFT_SUCCESS;
}

// Numbers that lie without gaps where `inembed` or `onembed` is null; what else is said of their
// places does not count then.
inline cufftResult cufftMakePlanMany(cufftHandle handle, int rank, const int *n, const int *inembed,
                                     int istride, int idist, const int *onembed, int ostride,
                                     int odist, cufftType type, int batch, std::size_t *work)
{
    if (rank < 1 || rank > 3 || n == nullptr)
        return CUFFT_INVALID_SIZE;
    detail::fft::Layout in, out;
    if (inembed != nullptr && onembed != nullptr) {
        in = {{inembed, inembed + rank}, istride, idist};
        out = {{onembed, onembed + rank}, ostride, odist};
    }
    return detail::fft::make(handle, {n, n + rank}, type, in, out, batch, work);
}
inline cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch,
                                   std::size_t *work)
{
    return detail::fft::make(handle, {nx}, type, {}, {}, batch, work);
}
inline cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type,
                                   std::size_t *work)
{
    return detail::fft::make(handle, {nx, ny}, type, {}, {}, 1, work);
}
inline cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                                   std::size_t *work)
{
    return detail::fft::make(handle, {nx, ny, nz}, type, {}, {}, 1, work);
}

inline cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                                 int idist, int *onembed, int ostride, int odist, cufftType type,
                                 int batch)
{
    cufftCreate(handle);
    return cufftMakePlanMany(*handle, rank, n, inembed, istride, idist, onembed, ostride, odist,
                             type, batch, nullptr);
}
inline cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch)
{
    cufftCreate(handle);
    return cufftMakePlan1d(*handle, nx, type, batch, nullptr);
}
inline cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type)
{
    cufftCreate(handle);
    return cufftMakePlan2d(*handle, nx, ny, type, nullptr);
}
inline cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type)
{
    cufftCreate(handle);
    return cufftMakePlan3d(*handle, nx, ny, nz, type, nullptr);
}

// No memory is needed beside the arrays.
inline cufftResult cufftGetSize(cufftHandle /*handle*/, std::size_t *work)
{
    *work = 0;
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetAutoAllocation(cufftHandle /*handle*/, int /*automatic*/)
{
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetWorkArea(cufftHandle /*handle*/, void * /*work*/)
{
    return CUFFT_SUCCESS;
}

inline cufftResult cufftExecC2C(cufftHandle handle, cufftComplex *in, cufftComplex *out,
                                int direction)
{
    return detail::fft::run<float>(handle, CUFFT_C2C, in, out, direction);
}
inline cufftResult cufftExecR2C(cufftHandle handle, cufftReal *in, cufftComplex *out)
{
    return detail::fft::run<float>(handle, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
inline cufftResult cufftExecC2R(cufftHandle handle, cufftComplex *in, cufftReal *out)
{
    return detail::fft::run<float>(handle, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
inline cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleComplex *out,
                                int direction)
{
    return detail::fft::run<double>(handle, CUFFT_Z2Z, in, out, direction);
}
inline cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return detail::fft::run<double>(handle, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
inline cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return detail::fft::run<double>(handle, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

} // namespace libraries
} // namespace g2o

} // extern "C++"

#endif // G2O_CUFFT_HPP
