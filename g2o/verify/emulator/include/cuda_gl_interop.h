#pragma once
#include "../cuda_emulator.hpp"
