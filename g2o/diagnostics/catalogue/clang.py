"""G2O01xx: what clang finds in the CUDA source itself."""

from __future__ import annotations

from g2o.diagnostics.catalogue.entry import Code

CLANG_CODES = (
    Code(
        "G2O0101",
        "error in the CUDA source",
        """
        clang does not accept the source. The message is clang's own. g2o translates programs that
        compile; from one that does not it would have to guess.
        """,
        """
        Correct the source. If nvcc accepts it, the cause is mostly a missing flag: give `-I`,
        `-D` and `-std` as your build does, or `-p` with the build directory.
        """,
        """
        __global__ void k(float *x) {
            x[threadIdx.x] = y;   // error: use of undeclared identifier 'y'
        }
        """,
    ),
    Code(
        "G2O0102",
        "missing include",
        """
        A file named by `#include` was not found. g2o brings its own declarations of the CUDA
        headers and the system compiler's C++ library; everything else is looked for beside the
        source and along `-I`.
        """,
        "Add `-I DIR`, or take the flags of the build with `-p`.",
        "#include \"helper_math.h\"   // fatal error: 'helper_math.h' file not found",
    ),
    Code(
        "G2O0103",
        "nested too deeply",
        """
        Parentheses, braces, templates or macros are nested deeper than the parser goes (256 levels
        of brackets in clang).
        """,
        """
        Generated code can be split over several statements; `-- -fbracket-depth=1024` raises
        clang's limit.
        """,
    ),
    Code(
        "G2O0104",
        "warning in the CUDA source",
        "clang warns about the source. The message is clang's own. The translation goes on.",
        "Correct the source, or silence it with a flag behind `--`: `-- -Wno-...`.",
    ),
)
