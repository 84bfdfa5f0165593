"""OpenMP C through pycparser."""
