#include "g2o_cupy.hpp"
