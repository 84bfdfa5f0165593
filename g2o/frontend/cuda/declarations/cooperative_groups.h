// Cooperative groups: threads of a tile, a block or a grid as an object.
#pragma once
#include "g2o_cuda.h"

#pragma clang force_cuda_host_device begin
namespace cooperative_groups {

// What every group answers.
#define G2O_GROUP                                                                                  \
    void sync() const;                                                                             \
    unsigned long long size() const;                                                               \
    unsigned long long num_threads() const;                                                        \
    unsigned long long thread_rank() const;                                                        \
    bool is_valid() const;

// Exchanges inside a group that is part of a warp.
#define G2O_WARP_GROUP                                                                             \
    template <typename T> T shfl(T value, int rank) const;                                         \
    template <typename T> T shfl_up(T value, unsigned int delta) const;                            \
    template <typename T> T shfl_down(T value, unsigned int delta) const;                          \
    int any(int predicate) const;                                                                  \
    int all(int predicate) const;                                                                  \
    unsigned int ballot(int predicate) const;                                                      \
    template <typename T> unsigned int match_any(T value) const;                                   \
    template <typename T> unsigned int match_all(T value, int &predicate) const;                   \
    unsigned long long meta_group_rank() const;                                                    \
    unsigned long long meta_group_size() const;

struct thread_group {
    void sync() const;
    unsigned int size() const;
    unsigned int num_threads() const;
    unsigned int thread_rank() const;
    bool is_valid() const;
};

struct thread_block : thread_group {
    static void sync();
    static unsigned int size();
    static unsigned int num_threads();
    static unsigned int thread_rank();
    static dim3 group_index();
    static dim3 thread_index();
    static dim3 group_dim();
    static dim3 dim_threads();
};

struct grid_group : thread_group {
    G2O_GROUP
    unsigned long long num_blocks() const;
    unsigned long long block_rank() const;
    dim3 group_dim() const;
    dim3 dim_blocks() const;
    dim3 block_index() const;
};

struct cluster_group : thread_group {
    G2O_GROUP
    unsigned int num_blocks() const;
    unsigned int block_rank() const;
    dim3 block_index() const;
    dim3 dim_blocks() const;
    template <typename T> T *map_shared_rank(T *address, int rank) const;
};

struct multi_grid_group : thread_group {
    G2O_GROUP
    unsigned int grid_rank() const;
    unsigned int num_grids() const;
};

struct coalesced_group : thread_group {
    void sync() const;
    unsigned int size() const;
    unsigned int num_threads() const;
    unsigned int thread_rank() const;
    G2O_WARP_GROUP
};

template <unsigned int Size, typename Parent = void> struct thread_block_tile : thread_group {
    thread_block_tile() = default;
    template <typename Other> thread_block_tile(const thread_block_tile<Size, Other> &other);
    void sync() const;
    static constexpr unsigned int size() { return Size; }
    static constexpr unsigned int num_threads() { return Size; }
    unsigned int thread_rank() const;
    template <typename T> T shfl_xor(T value, unsigned int mask) const;
    G2O_WARP_GROUP
};

thread_group this_thread();
thread_block this_thread_block();
grid_group this_grid();
cluster_group this_cluster();
multi_grid_group this_multi_grid();
coalesced_group coalesced_threads();

template <unsigned int Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &parent);
thread_group tiled_partition(const thread_group &parent, unsigned int size);
coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size);
template <typename Group> coalesced_group binary_partition(const Group &parent, bool predicate);
template <typename T, typename Group>
coalesced_group labeled_partition(const Group &parent, T label);

template <typename Group> void sync(const Group &group);
template <typename Group> unsigned int thread_rank(const Group &group);
template <typename Group> unsigned int group_size(const Group &group);

#undef G2O_GROUP
#undef G2O_WARP_GROUP

} // namespace cooperative_groups
#pragma clang force_cuda_host_device end
