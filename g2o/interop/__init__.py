"""Python callers: kernels on numpy arrays."""
