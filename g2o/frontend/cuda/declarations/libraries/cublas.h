#define G2O_LEGACY_CUBLAS // its functions have other parameters
#include "g2o_cublas.hpp"
