#include "g2o_cublas.hpp"
