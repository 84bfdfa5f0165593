// The types of numbers that CUDA's libraries are told of, as programs call them.
#pragma once
#include "runtime_names.hpp"

#include "../../../runtime/g2o_library_types.hpp"
using namespace g2o::libraries;
using cudaDataType = g2o::DataType;
using cudaDataType_t = g2o::DataType;
