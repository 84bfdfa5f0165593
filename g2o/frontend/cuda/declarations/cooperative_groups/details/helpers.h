// What cooperative groups are made of: programs include it, and use nothing that is its own.
#pragma once
#include "../../cooperative_groups.h"
