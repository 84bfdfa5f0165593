"""CUDA C++ through libclang."""
