// cuBLAS: the header of translations, with the emulator's streams and numbers for the runtime's.
#pragma once
#include "g2o_library_types.hpp"

#include "../../../runtime/g2o_cublas.hpp"
