#include "g2o_cublaslt.hpp"
