// In place of <cassert>: what does not hold in front of a kernel's loops is an error in Python.
#include <stdexcept>
#ifndef G2O_RAW_KERNEL_ASSERT
#define G2O_RAW_KERNEL_ASSERT
namespace g2o_raw_kernel {
[[noreturn]] inline void fails(const char *condition)
{
    throw std::invalid_argument(condition);
}
} // namespace g2o_raw_kernel
#endif
#undef assert
#define assert(...)                                                                               \
    (static_cast<bool>(__VA_ARGS__) ? static_cast<void>(0) : g2o_raw_kernel::fails(#__VA_ARGS__))
