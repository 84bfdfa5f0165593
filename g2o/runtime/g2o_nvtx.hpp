// g2o_nvtx.hpp: NVTX, the names that programs give to ranges for profilers.
#ifndef G2O_NVTX_HPP
#define G2O_NVTX_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <cstdint>

#include "g2o_runtime.hpp"

namespace g2o {

// NVTX, version 3: nobody listens. As without a profiler, handles are null and functions that
// number a range return nothing of use.
constexpr int NVTX_VERSION = 3, NVTX_NO_PUSH_POP_TRACKING = -2;
constexpr int NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1;
constexpr int NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2,
              NVTX_MESSAGE_TYPE_REGISTERED = 3;
constexpr int NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
              NVTX_PAYLOAD_TYPE_INT64 = 2, NVTX_PAYLOAD_TYPE_DOUBLE = 3,
              NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4, NVTX_PAYLOAD_TYPE_INT32 = 5,
              NVTX_PAYLOAD_TYPE_FLOAT = 6;

using NvtxRangeId = std::uint64_t;
using NvtxDomainHandle = struct NvtxDomainState *;
using NvtxStringHandle = struct NvtxStringState *;
struct NvtxEventAttributes {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType, reserved0;
    union Payload {
        std::uint64_t ullValue;
        std::int64_t llValue;
        double dValue;
        std::uint32_t uiValue;
        std::int32_t iValue;
        float fValue;
    } payload;
    std::int32_t messageType;
    union Message {
        const char *ascii;
        const wchar_t *unicode;
        NvtxStringHandle registered;
    } message;
};
constexpr std::uint16_t NVTX_EVENT_ATTRIB_STRUCT_SIZE = sizeof(NvtxEventAttributes);

inline void nvtx_initialize(const void * /*reserved*/) {}
inline void nvtx_mark_a(const char * /*message*/) {}
inline void nvtx_mark_w(const wchar_t * /*message*/) {}
inline void nvtx_mark_ex(const NvtxEventAttributes * /*event*/) {}
inline NvtxRangeId nvtx_range_start_a(const char * /*message*/) { return 0; }
inline NvtxRangeId nvtx_range_start_w(const wchar_t * /*message*/) { return 0; }
inline NvtxRangeId nvtx_range_start_ex(const NvtxEventAttributes * /*event*/) { return 0; }
inline void nvtx_range_end(NvtxRangeId /*range*/) {}
inline int nvtx_range_push_a(const char * /*message*/) { return NVTX_NO_PUSH_POP_TRACKING; }
inline int nvtx_range_push_w(const wchar_t * /*message*/) { return NVTX_NO_PUSH_POP_TRACKING; }
inline int nvtx_range_push_ex(const NvtxEventAttributes * /*event*/)
{
    return NVTX_NO_PUSH_POP_TRACKING;
}
inline int nvtx_range_pop() { return NVTX_NO_PUSH_POP_TRACKING; }
inline void nvtx_name_os_thread_a(std::uint32_t /*thread*/, const char * /*name*/) {}
inline void nvtx_name_os_thread_w(std::uint32_t /*thread*/, const wchar_t * /*name*/) {}
inline void nvtx_name_category_a(std::uint32_t /*category*/, const char * /*name*/) {}
inline void nvtx_name_category_w(std::uint32_t /*category*/, const wchar_t * /*name*/) {}
inline NvtxDomainHandle nvtx_domain_create_a(const char * /*name*/) { return nullptr; }
inline NvtxDomainHandle nvtx_domain_create_w(const wchar_t * /*name*/) { return nullptr; }
inline void nvtx_domain_destroy(NvtxDomainHandle /*domain*/) {}
inline void nvtx_domain_mark_ex(NvtxDomainHandle /*domain*/, const NvtxEventAttributes * /*event*/)
{
}
inline NvtxRangeId nvtx_domain_range_start_ex(NvtxDomainHandle /*domain*/,
                                              const NvtxEventAttributes * /*event*/)
{
    return 0;
}
inline void nvtx_domain_range_end(NvtxDomainHandle /*domain*/, NvtxRangeId /*range*/) {}
inline int nvtx_domain_range_push_ex(NvtxDomainHandle /*domain*/,
                                     const NvtxEventAttributes * /*event*/)
{
    return NVTX_NO_PUSH_POP_TRACKING;
}
inline int nvtx_domain_range_pop(NvtxDomainHandle /*domain*/) { return NVTX_NO_PUSH_POP_TRACKING; }
inline NvtxStringHandle nvtx_domain_register_string_a(NvtxDomainHandle /*domain*/,
                                                      const char * /*string*/)
{
    return nullptr;
}
inline NvtxStringHandle nvtx_domain_register_string_w(NvtxDomainHandle /*domain*/,
                                                      const wchar_t * /*string*/)
{
    return nullptr;
}

} // namespace g2o

} // extern "C++"

#endif // G2O_NVTX_HPP
