#pragma once
#include "../cuda_emulator.hpp"
#include "../parts/fp8.hpp"
