"""Parallel loop IR to C++ text."""
