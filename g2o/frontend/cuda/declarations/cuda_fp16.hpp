// The inline half of cuda_fp16.h: all of it is there.
#pragma once
#include "cuda_fp16.h"
