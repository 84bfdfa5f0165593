// x86 intrinsics of host code.
#pragma once
#include "g2o/x86_intrinsics.h"
