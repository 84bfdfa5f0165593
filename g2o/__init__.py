"""g2o reads CUDA C++ and writes readable OpenMP C++, with adjoints as source."""
