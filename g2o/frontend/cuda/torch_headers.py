"""PyTorch's headers: those of a library, read once for all sources of extensions.

    #include <torch/extension.h>    ->   -isystem .../site-packages/torch/include ...

What they have for CUDA alone (ATen/cuda, c10/cuda, THC) is g2o's own: `g2o_torch.hpp`.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

_INCLUDED: Final = re.compile(
    r'^[ \t]*#[ \t]*include[ \t]*[<"](?:torch|ATen|c10|THC?)/', re.MULTILINE
)
_API: Final = Path("torch/csrc/api/include")
_MARK: Final = Path("ATen/ATen.h")
_ASKED: Final = re.compile(r"__cplusplus *< *(\d+)L")
_STANDARDS: Final = {"202002": ("-std=c++20",), "202302": ("-std=c++23",)}
NO_OPERATORS: Final = tuple(
    f"-D__CUDA_NO_{name}_OPERATORS__" for name in ("HALF", "HALF2", "BFLOAT16", "BFLOAT162")
)
"""As PyTorch's own builder of extensions has it: its types of 16 bits have operators of their own.
"""


def includes_torch(texts: Iterable[str]) -> bool:
    """Is one of these the text of a file that includes a header of PyTorch's?"""
    return any(_INCLUDED.search(text) is not None for text in texts)


def torch_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags with the directories of PyTorch's headers as those of a system; of the PyTorch that
    is installed beside g2o, where they name none. Where the headers want a later standard than
    C++17, and the flags name none, that one: PyTorch's own builder of extensions does the same."""
    places = [Path(place) for _, place in _searched(flags) if _is_torch(Path(place))]
    places = places or [*_installed()]
    if not places:
        return tuple(flags)
    found = dict.fromkeys((*places, *(place / _API for place in places), *_python()))
    kept = [words for words, place in _searched(flags) if Path(place) not in found]
    named = any(words[0].startswith(("-std", "--std")) for words in kept)
    return (
        *(word for words in kept for word in words),
        *(word for place in found for word in ("-isystem", str(place))),
        *(() if named else _wanted_standard(places[0])),
    )


def torch_headers(flags: Sequence[str]) -> tuple[Path | None, tuple[str, ...]]:
    """The header that has all of PyTorch, where the flags know it as a library, and those of the
    flags that say where it is."""
    system = [Path(place) for words, place in _searched(flags) if words[0] == "-isystem"]
    torch = next((place for place in system if _is_torch(place)), None)
    if torch is None:
        return None, ()
    has_python = any((place / "Python.h").is_file() for place in system)
    said = tuple(word for place in system for word in ("-isystem", str(place)))
    return torch / ("torch/extension.h" if has_python else "torch/all.h"), said


def _searched(flags: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each flag, with the directory that it names, if it does."""
    words = iter(flags)
    for word in words:
        option = next((one for one in ("-isystem", "-I") if word.startswith(one)), None)
        if option is None:
            yield (word,), ""
        elif word == option:
            value = next(words, "")
            yield (option, value), value
        else:
            value = word.removeprefix(option)
            yield (option, value) if option == "-isystem" else (word,), value


@cache
def _wanted_standard(torch: Path) -> tuple[str, ...]:
    """The flag for the standard that PyTorch's headers ask for, if that is a later one than 17."""
    asked = _ASKED.search((torch / _MARK).read_text(errors="replace"))
    return () if asked is None else _STANDARDS.get(asked[1], ())


@cache
def _is_torch(directory: Path) -> bool:
    return directory != Path() and (directory / _MARK).is_file()


@cache
def _installed() -> tuple[Path, ...]:
    """Where the PyTorch of this Python has its headers. Nothing of it runs."""
    places = (Path(place) / "torch" / "include" for place in sys.path if place)
    return tuple(place for place in places if _is_torch(place))[:1]


def _python() -> tuple[Path, ...]:
    place = Path(sysconfig.get_paths()["include"])
    return (place,) if (place / "Python.h").is_file() else ()
