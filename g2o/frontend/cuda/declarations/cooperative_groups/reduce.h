// Reductions over cooperative groups.
#pragma once
#include "../cooperative_groups.h"

#pragma clang force_cuda_host_device begin
namespace cooperative_groups {

#define G2O_OPERATOR(name)                                                                         \
    template <typename T = void> struct name {                                                     \
        template <typename U> U operator()(const U &a, const U &b) const;                          \
    };
G2O_OPERATOR(plus)
G2O_OPERATOR(less)
G2O_OPERATOR(greater)
G2O_OPERATOR(bit_and)
G2O_OPERATOR(bit_or)
G2O_OPERATOR(bit_xor)
#undef G2O_OPERATOR

template <typename Group, typename T, typename Operator>
T reduce(const Group &, T value, Operator &&) { return value; } // lambdas need a body
template <typename Group, typename T, typename Operator>
void reduce_update_async(const Group &group, T &target, T value, Operator &&combine);
template <typename Group, typename T, typename Operator>
void reduce_store_async(const Group &group, T *target, T value, Operator &&combine);

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
