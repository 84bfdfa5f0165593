#include "g2o_cusolver.hpp"
