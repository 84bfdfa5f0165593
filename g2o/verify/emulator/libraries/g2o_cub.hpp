// CUB: for the whole device the header of translations, with the emulator's API for the runtime's.
#pragma once
#include "runtime_names.hpp"

#include "../../../runtime/g2o_cub.hpp"
#include "../parts/cub.hpp"
