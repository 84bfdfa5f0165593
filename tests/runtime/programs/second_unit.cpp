// A second translation unit with the header: everything in it must be inline.
#include "g2o_runtime.hpp"

g2o::Error fail_in_second_unit() { return g2o::memcpy(nullptr, nullptr, 1, g2o::MemcpyDefault); }
