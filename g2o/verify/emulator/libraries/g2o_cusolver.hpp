// cuSOLVER: the header of translations.
#pragma once
#include "g2o_cublas.hpp"

#include "../../../runtime/g2o_cusolver.hpp"
