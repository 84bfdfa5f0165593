"""Lowered loops as OpenMP target constructs: teams for blocks, parallel loops for threads."""
