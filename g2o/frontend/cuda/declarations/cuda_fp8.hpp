// The inline half of cuda_fp8.h: all of it is there.
#pragma once
#include "cuda_fp8.h"
