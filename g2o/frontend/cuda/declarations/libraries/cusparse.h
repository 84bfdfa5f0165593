#include "g2o_cusparse.hpp"
