// Copies that a thread lets happen while it goes on.
#pragma once
#include "g2o_cuda.h"

#pragma clang force_cuda_host_device begin
void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0);
void __pipeline_commit();
void __pipeline_wait_prior(size_t batches);
#pragma clang force_cuda_host_device end
