// g2o_pools.hpp: pools of device memory.
#ifndef G2O_POOLS_HPP
#define G2O_POOLS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T

namespace g2o {

namespace types {

enum MemPoolAttr {
    MemPoolReuseFollowEventDependencies = 1,
    MemPoolReuseAllowOpportunistic = 2,
    MemPoolReuseAllowInternalDependencies = 3,
    MemPoolAttrReleaseThreshold = 4,
    MemPoolAttrReservedMemCurrent = 5,
    MemPoolAttrReservedMemHigh = 6,
    MemPoolAttrUsedMemCurrent = 7,
    MemPoolAttrUsedMemHigh = 8
};

enum MemAllocationType {
    MemAllocationTypeInvalid = 0,
    MemAllocationTypePinned = 1,
    MemAllocationTypeMax = 0x7fffffff
};

enum MemAllocationHandleType {
    MemHandleTypeNone = 0,
    MemHandleTypePosixFileDescriptor = 1,
    MemHandleTypeWin32 = 2,
    MemHandleTypeWin32Kmt = 4
};

enum MemAccessFlags {
    MemAccessFlagsProtNone = 0,
    MemAccessFlagsProtRead = 1,
    MemAccessFlagsProtReadWrite = 3
};

} // namespace types

// Memory pools keep nothing back.
struct MemAccessDesc {
    MemLocation location;
    MemAccessFlags flags;
};

struct MemPoolProps {
    MemAllocationType allocType;
    MemAllocationHandleType handleTypes;
    MemLocation location;
    void *win32SecurityAttributes;
    std::size_t maxSize;
    unsigned char reserved[56];
};

struct MemPoolState {
    int reuse[3];
    std::uint64_t release_threshold;
};
using MemPool = MemPoolState *;

inline Error device_get_default_mem_pool(MemPool *pool, int device)
{
    static MemPoolState only = {{1, 1, 1}, 0};
    *pool = &only;
    return detail::check_device(device);
}

inline Error device_get_mem_pool(MemPool *pool, int device)
{
    return device_get_default_mem_pool(pool, device);
}

inline Error device_set_mem_pool(int device, MemPool /*pool*/)
{
    return detail::check_device(device);
}

inline Error mem_pool_set_attribute(MemPool pool, MemPoolAttr attribute, void *value)
{
    if (attribute <= MemPoolReuseAllowInternalDependencies)
        std::memcpy(&pool->reuse[attribute - 1], value, sizeof(int));
    else if (attribute == MemPoolAttrReleaseThreshold)
        std::memcpy(&pool->release_threshold, value, sizeof(std::uint64_t));
    return Success;
}

// The amounts of memory are those of a pool that is empty.
inline Error mem_pool_get_attribute(MemPool pool, MemPoolAttr attribute, void *value)
{
    const std::uint64_t none = 0;
    if (attribute <= MemPoolReuseAllowInternalDependencies)
        std::memcpy(value, &pool->reuse[attribute - 1], sizeof(int));
    else if (attribute == MemPoolAttrReleaseThreshold)
        std::memcpy(value, &pool->release_threshold, sizeof(std::uint64_t));
    else
        std::memcpy(value, &none, sizeof none);
    return Success;
}

inline Error mem_pool_trim_to(MemPool /*pool*/, std::size_t /*bytes*/) { return Success; }

inline Error mem_pool_create(MemPool *pool, const MemPoolProps *properties)
{
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != MemAllocationTypePinned ||
        properties->location.type != MemLocationTypeDevice || properties->location.id != 0)
        return detail::report(ErrorInvalidValue);
    *pool = new MemPoolState{{1, 1, 1}, 0};
    return Success;
}

inline Error mem_pool_destroy(MemPool pool)
{
    MemPool only;
    device_get_default_mem_pool(&only, 0);
    if (pool == nullptr || pool == only)
        return detail::report(ErrorInvalidValue);
    delete pool;
    return Success;
}

inline Error mem_pool_set_access(MemPool /*pool*/, const MemAccessDesc *access, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        if (access[i].location.type != MemLocationTypeDevice || access[i].location.id != 0)
            return detail::report(ErrorInvalidDevice);
    return Success;
}

inline Error mem_pool_get_access(MemAccessFlags *flags, MemPool /*pool*/, MemLocation *location)
{
    *flags = MemAccessFlagsProtReadWrite;
    return detail::check_device(location->id);
}

template <class T>
Error malloc_from_pool_async(T **pointer, std::size_t bytes, MemPool /*pool*/,
                             Stream /*stream*/ = nullptr)
{
    return malloc(pointer, bytes);
}

} // namespace g2o

#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_POOLS_HPP
