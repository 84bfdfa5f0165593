#pragma once
#include "../cuda_emulator.hpp"
#include "../parts/cooperative_groups.hpp"
