"""Kernel IR to parallel loops: one fission for all scopes and targets."""
