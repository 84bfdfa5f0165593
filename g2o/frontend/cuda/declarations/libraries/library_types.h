#include "g2o_library_types.hpp"
