"""G2O07xx: what clang finds in what is about to be written."""

from __future__ import annotations

from typing import Final

from g2o.diagnostics.catalogue.entry import Code

WRITTEN_CODES: Final[tuple[Code, ...]] = (
    Code(
        "G2O0701",
        "kernel that is translated more plainly",
        """
        g2o has clang parse what it writes, as C++17 with OpenMP. In what it made of this kernel, or
        of its derivative, clang found an error, so that the kernel was translated with less
        optimisation. The result means the same, but it may be slower. It is a defect of g2o.
        """,
        "Nothing has to be done. Please report it, with the kernel.",
    ),
    Code(
        "G2O0702",
        "translation that does not compile",
        """
        g2o has clang parse what it writes, as C++17 with OpenMP, and clang found an error that the
        source does not have. In a kernel it was there without optimisation, too. It is a defect of
        g2o; nothing is written, as for all errors. With `--keep-going` a kernel becomes `#error`,
        and what is wrong elsewhere is written as it is.
        """,
        """
        Please report it, with the source. `--no-self-check` writes the translation as it is: the
        error may be easy to mend by hand.
        """,
    ),
)
