// All of it is in g2o_cuda.h, which the frontend includes in front of every file.
#pragma once
#include "g2o_cuda.h"
