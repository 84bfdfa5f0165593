#pragma once
#include "../cuda_emulator.hpp"
#include "../parts/curand.hpp"
