"""OpenMP C through libclang: the statements are those of CUDA C++, and the pragmas are ours."""
