"""Types, symbols, expressions, statements and kernels."""
