// The inline half of cuda_bf16.h: all of it is there.
#pragma once
#include "cuda_bf16.h"
