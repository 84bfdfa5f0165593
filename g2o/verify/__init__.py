"""Building and running: emulation of the CUDA source, comparison, gradient checks."""
