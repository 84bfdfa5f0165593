#include "g2o_torch.hpp"
