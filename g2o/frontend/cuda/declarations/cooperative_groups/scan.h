// Scans over cooperative groups.
#pragma once
#include "reduce.h"

#pragma clang force_cuda_host_device begin
namespace cooperative_groups {

template <typename Group, typename T> T inclusive_scan(const Group &group, T value);
template <typename Group, typename T, typename Operator>
T inclusive_scan(const Group &group, T value, Operator &&combine);
template <typename Group, typename T> T exclusive_scan(const Group &group, T value);
template <typename Group, typename T, typename Operator>
T exclusive_scan(const Group &group, T value, Operator &&combine);

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
