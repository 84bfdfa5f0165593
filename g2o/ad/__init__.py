"""Automatic differentiation of kernels."""
