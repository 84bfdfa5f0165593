"""Timing of translations against hand-written OpenMP, and of the translator itself."""
