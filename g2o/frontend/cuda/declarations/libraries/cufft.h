#include "g2o_cufft.hpp"
