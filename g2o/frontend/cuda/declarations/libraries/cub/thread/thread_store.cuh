#include "g2o_cub.hpp"
