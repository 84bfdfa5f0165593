#pragma once
#include <ATen/ATen.h>

namespace torch {
using namespace at;
}
