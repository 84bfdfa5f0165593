// Copies that a thread lets happen while it goes on.
#pragma once
#include "cuda_pipeline_primitives.h"
