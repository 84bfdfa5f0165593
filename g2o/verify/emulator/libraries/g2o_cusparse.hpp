// cuSPARSE: the header of translations.
#pragma once
#include "g2o_library_types.hpp"

#include "../../../runtime/g2o_cusparse.hpp"
