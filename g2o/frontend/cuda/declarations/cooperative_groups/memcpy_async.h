// Copies by a cooperative group.
#pragma once
#include "../cooperative_groups.h"

#pragma clang force_cuda_host_device begin
namespace cooperative_groups {

template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, const T *from, size_t bytes);
template <typename Group, typename T, typename U>
void memcpy_async(const Group &group, T *to, size_t to_bytes, const U *from, size_t from_bytes);
template <typename Group> void wait(const Group &group);
template <unsigned int Stages, typename Group> void wait_prior(const Group &group);

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
