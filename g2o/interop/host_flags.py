"""Options of CUDA's compilers, as CuPy's users give them, for a compiler of the host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_LONG_FORMS: Final = {
    "--std": "-std",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--include-path": "-I",
    "--pre-include": "-include",
}
_SEPARATE: Final = ("-include", "-isystem", "-iquote", "-idirafter")
_OLD_STANDARDS: Final = ("c++98", "c++03", "c++0x", "c++11", "c++1y", "c++14")
# What is said of a device alone, with one dash or two: its architecture, how exact it is.
_WITH_VALUE: Final = (
    *("arch", "gpu-architecture", "gencode", "generate-code", "code", "gpu-code"),
    *("maxrregcount", "Xptxas", "ptxas-options"),
)
_ALONE: Final = (
    *("dc", "device-c", "dw", "device-w", "rdc", "relocatable-device-code", "G", "device-debug"),
    *("lineinfo", "generate-line-info", "dopt", "restrict", "use_fast_math", "ftz", "prec-div"),
    *("prec-sqrt", "extra-device-vectorization", "default-device", "device-int128"),
    *("device-as-default-execution-space", "expt-relaxed-constexpr"),
    *("expt-extended-lambda", "extended-lambda"),
)


def host_flags(options: Iterable[str]) -> Iterator[str]:
    """The options, without those that are of a device.

        --std=c++11 -arch=sm_80 --use_fast_math --define-macro=N=4   ->   -DN=4

    Translations are C++17: an older standard is left away.
    """
    rest = iter(options)
    for word in rest:
        name, equals, value = word.partition("=")
        known, plain = _LONG_FORMS.get(name, name), name.lstrip("-")
        if plain in _ALONE and name != plain:
            continue
        if plain in _WITH_VALUE and name != plain:
            if not equals:
                next(rest, None)
            continue
        if plain == "fmad":
            yield from ("-ffp-contract=off",) if value == "false" else ()
            continue
        if known == "-std":
            value = value if equals else next(rest, "")
            if value.replace("gnu", "c") not in _OLD_STANDARDS:
                yield f"-std={value}"
        elif name in _LONG_FORMS:
            value = value if equals else next(rest, "")
            yield from (known, value) if known in _SEPARATE else (known + value,)
        else:
            yield word
