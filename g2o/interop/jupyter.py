"""`%%g2o`: a cell of CUDA C++ whose kernels the next cells call.

    %load_ext g2o

    %%g2o --grad
    __global__ void scale(int n, float a, float *x) { ... }

    scale((8,), (128,), (1000, 2.0, x))

What it binds is documented in docs/jupyter.md. IPython calls `load_ipython_extension`; nothing else
loads this module, which needs IPython.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from importlib import import_module
from typing import Any, Final, NoReturn, final

from g2o.interop.library import CompileError
from g2o.interop.raw_kernel import RawModule
from g2o.interop.translate import TranslationError

_core: Final[Any] = import_module("IPython.core.error")
_display: Final[Any] = import_module("IPython.display")

_HERE: Final = "-I."  # what a notebook includes stands beside it
_SUFFIXES: Final = ("grad", "jvp", "hvp")


def load_ipython_extension(ipython: Any) -> None:
    """Add the magic to a shell: `%load_ext g2o`."""
    magic = _Magic(ipython)
    ipython.register_magic_function(magic.run, "cell", "g2o")


@final
class _Parser(ArgumentParser):
    """One that complains as IPython does."""

    def error(self, message: str) -> NoReturn:
        raise _core.UsageError(f"%%g2o: {message}\n{self.format_usage()}")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise _core.UsageError(message or self.format_usage())


@final
class _Magic:
    """The magic of one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        parser = _Parser(
            prog="%%g2o", allow_abbrev=False, epilog="Other words are for the compiler."
        )
        for suffix in _SUFFIXES:
            parser.add_argument(
                f"--{suffix}", metavar="SPEC", nargs="?", const="", action="append", default=[]
            )
        parser.add_argument("--instance", metavar="KERNEL<TYPES>", action="append", default=[])
        parser.add_argument("--module", metavar="NAME")
        parser.add_argument("--show", action="store_true")
        self._parser = parser

    def run(self, line: str, cell: str) -> None:
        """Translate a cell and bind its kernels."""
        code = f"\n{cell}"  # lines are counted from that of the magic
        given, options = self._parser.parse_known_args(shlex.split(line))
        flags = (_HERE, *options)
        try:
            module = RawModule(
                code,
                flags,
                name_expressions=given.instance,
                grad=given.grad,
                jvp=given.jvp,
                hvp=given.hvp,
            )
            if given.show:
                shown = _display.Code(data=module.translation.strip(), language="c++")
                _display.display(shown)
            bound = {_identifier(name): module.get_function(name) for name in module.kernels}
        except (TranslationError, CompileError, ValueError) as fault:
            raise _core.UsageError(_said(fault)) from None
        self._shell.push({**bound, **({given.module: module} if given.module else {})})


def _identifier(kernel: str) -> str:
    """`other::fill<float>` as Python can spell it: `other_fill_float`."""
    words = "".join(letter if letter.isalnum() else " " for letter in kernel.replace("_", "\0"))
    return "_".join(words.replace("\0", "_").split())


def _said(fault: Exception) -> str:
    return fault.output or str(fault) if isinstance(fault, CompileError) else str(fault)
