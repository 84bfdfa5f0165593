"""The oracle: CUDA's execution model on the CPU, independent of the translator's own stages."""
