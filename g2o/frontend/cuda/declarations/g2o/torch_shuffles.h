// What DeviceUtils.cuh of PyTorch has, expanded as macros of the program are. Extensions that do
// not include it may have functions of these names.
#pragma once
#define G2O_OF_FOUR(a, b, c, d, name, ...) name
#define G2O_SHUFFLE_2(kind, value, lane) __shfl##kind##_sync(0xffffffff, value, lane)
#define G2O_SHUFFLE_3(kind, value, lane, width) __shfl##kind##_sync(0xffffffff, value, lane, width)
#define G2O_SHUFFLE_4(kind, value, lane, width, mask) __shfl##kind##_sync(mask, value, lane, width)
#define G2O_SHUFFLE(kind, ...)                                                                     \
    G2O_OF_FOUR(__VA_ARGS__, G2O_SHUFFLE_4, G2O_SHUFFLE_3, G2O_SHUFFLE_2, )(kind, __VA_ARGS__)
#define WARP_SHFL(...) G2O_SHUFFLE(, __VA_ARGS__)
#define WARP_SHFL_UP(...) G2O_SHUFFLE(_up, __VA_ARGS__)
#define WARP_SHFL_DOWN(...) G2O_SHUFFLE(_down, __VA_ARGS__)
#define WARP_SHFL_XOR(...) G2O_SHUFFLE(_xor, __VA_ARGS__)

#define G2O_OF_TWO(a, b, name, ...) name
#define G2O_VOTE_1(kind, value) __##kind##_sync(0xffffffff, value)
#define G2O_VOTE_2(kind, value, mask) __##kind##_sync(mask, value)
#define WARP_BALLOT(...) G2O_OF_TWO(__VA_ARGS__, G2O_VOTE_2, G2O_VOTE_1, )(ballot, __VA_ARGS__)
#define WARP_ANY(...) G2O_OF_TWO(__VA_ARGS__, G2O_VOTE_2, G2O_VOTE_1, )(any, __VA_ARGS__)
#define WARP_ALL(...) G2O_OF_TWO(__VA_ARGS__, G2O_VOTE_2, G2O_VOTE_1, )(all, __VA_ARGS__)
