#include "g2o_thrust.hpp"
