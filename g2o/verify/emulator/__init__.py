"""The oracle: CUDA's execution model on the CPU, independent of the translator's own stages.

`rewrite.py` and its neighbours turn CUDA source into C++ (launches, shared variables, inline
assembly, loops that poll); `cuda_emulator.hpp` declares what the result calls; `core/` schedules.

What holds

* Every CUDA thread is a fiber; one runs at a time. Barriers, warp operations with masks, grid
  barriers and atomics do what the programming guide says. Threads that have exited count as
  arrived. Threads that can never go on are reported, with kernel, block and thread, as a deadlock.
* `G2O_SEED` draws the order of blocks, warps and lanes in every barrier interval, so that a result
  that depends on it shows as a difference between two seeds.
* Fresh device and shared memory holds a poison pattern; sanitised builds find accesses out of
  bounds.

What is approximated

* A thread runs on until it waits or polls: interleavings inside an interval differ in the order of
  threads, not of single instructions. Memory is sequentially consistent.
* Lanes are active together (`__activemask`, operations without a mask, coalesced groups) if they
  stand at the same call site when no other lane of the warp can go on; of several sites the one
  with the lowest address comes first, which is program order for loops and what follows them.
* Lanes step together only through assignments of functions that say `volatile` or
  `__threadfence_block`.
* Blocks run one after the other; when the resident ones only wait for others, more become resident.
* Streams run in order, at once, nodes of graphs in some order that they allow. Kernels launched by
  kernels run when the launching grid has ended.
* Filters of textures keep full precision. Products and sums are not fused.
* Thrust and CUB's operations on whole devices are the headers that translations use, without
  OpenMP; CUB's reductions in kernels are emulated.
* `__CUDA_ARCH__` is not defined, but that functions of the device alone ask for what translations
  ask for. Inline PTX, other libraries (cuBLAS, ...), several
  devices and mipmapped textures are not there; PTX that is reached ends the program.
"""
