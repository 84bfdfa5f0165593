"""The header that ships with every translation."""
