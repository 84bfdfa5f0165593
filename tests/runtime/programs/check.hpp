// CHECK(condition) for the test programs: they print what failed, and end with finish().
#pragma once

#include <cstdio>

inline int checks = 0;
inline int failures = 0;

inline void check(bool passed, const char *condition, const char *file, int line)
{
    ++checks;
    if (!passed) {
        ++failures;
        std::printf("%s:%d: %s\n", file, line, condition);
    }
}

#define CHECK(...) check(bool(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

inline int finish()
{
    std::printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}
