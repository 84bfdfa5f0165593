#include "g2o_torch.hpp"

#include "g2o/torch_shuffles.h"
