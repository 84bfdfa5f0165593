"""Compilers as tests call them: what nearly all translations include is read once.

`g++` and `clang++-19` are programs of this folder for the processes that tests start. They are the
compilers, which are told to take `g2o_runtime.hpp` as it was read for an earlier source with the
same options: that takes as long as all else of a small program.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_NAMES: Final = ("g++", "clang++-19")
_PLACE: Final = "G2O_TEST_COMPILERS"
_SHELL: Final = """\
#!/bin/sh
for word; do
    case $word in *.cpp) exec {python} -I -S {script} "$0" "$@";; esac
done
PATH=${{PATH#*"${{0%/*}}:"}}
exec {name} "$@"
"""


@contextmanager
def reading_headers_once() -> Generator[None]:
    """Compilers of this process, and of those that it starts, read the header once."""
    if _PLACE in os.environ:  # that of the process which has started this one
        yield
        return
    path = os.environ.get("PATH", "")
    with tempfile.TemporaryDirectory(prefix="g2o-compilers-") as made:
        place = Path(made)
        for name in _NAMES:
            if shutil.which(name) is not None:
                program = place / name
                script = _HERE / "compiler.py"
                program.write_text(_SHELL.format(python=sys.executable, script=script, name=name))
                program.chmod(0o755)
        os.environ |= {_PLACE: made, "PATH": f"{made}{os.pathsep}{path}"}
        try:
            yield
        finally:
            os.environ["PATH"] = path
            del os.environ[_PLACE]
