"""Kernel to kernel passes."""
