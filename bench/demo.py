#!/usr/bin/env python3
"""`make demo`: translate a CUDA program with the gradient of its kernel, show both, build and run
the program, and check the gradient against finite differences.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

ROOT: Final = Path(__file__).resolve().parents[1]
WORK: Final = ROOT / "build" / "demo"
_SIDE_BY_SIDE: Final = 200  # columns that two pieces of code take

console = Console()


PROGRAM: Final = "heat2d"
KERNEL: Final = "heat_step"
GRADIENT: Final = "heat_step(v)/(u)"
LAUNCH: Final = "heat_step<<<(3, 9), (32, 8)>>>(n = 66, k = 0.1, u = [n * n], v = [n * n])"


def main() -> int:
    WORK.mkdir(parents=True, exist_ok=True)
    source, output = WORK / f"{PROGRAM}.cu", WORK / f"{PROGRAM}.omp.cpp"
    shutil.copy(ROOT / "corpus" / PROGRAM / source.name, source)
    g2o = str(Path(sys.executable).parent / "g2o")

    _run([g2o, "translate", source.name, "--grad", GRADIENT])
    _show_pair(source, output, KERNEL)
    console.print(f"\n[dim]--- {output.name}: the gradient[/]", highlight=False)
    console.print(_highlight(_function(output.read_text(), f"void {KERNEL}_grad(")), soft_wrap=True)
    flags = ["-O2", "-march=native", "-fopenmp", "-Wall", "-Wextra"]
    _run(["g++", *flags, output.name, "-o", PROGRAM])
    _run([f"./{PROGRAM}"])
    _run([g2o, "verify", source.name, "--grad", GRADIENT, "--launch", LAUNCH])
    console.print(f"All of it is in {WORK.relative_to(ROOT)}/.")
    return 0


def _run(command: Sequence[str]) -> None:
    """Show and run `command` in the demo's directory; its failure ends the demo."""
    shown = shlex.join(
        [Path(command[0]).name if "/bin/" in command[0] else command[0], *command[1:]]
    )
    console.print(f"[bold green]$[/] [bold]{escape(shown)}[/]", highlight=False)
    status = subprocess.run(command, cwd=WORK, check=False).returncode
    if status:
        console.print(f"[bold red]exit code {status}[/]")
        sys.exit(status)


def _show_pair(source: Path, output: Path, kernel: str) -> None:
    """The kernel before and after, side by side where the terminal is wide enough."""
    before = _highlight(_function(source.read_text(), f"__global__ void {kernel}("))
    after = _highlight(_function(output.read_text(), f"void {kernel}("))
    if console.width >= _SIDE_BY_SIDE:
        table = Table(source.name, output.name, box=SIMPLE, expand=True)
        table.add_row(before, after)
        console.print(table)
        return
    for path, code in ((source, before), (output, after)):
        console.print(f"\n[dim]--- {path.name}[/]", highlight=False)
        console.print(code, soft_wrap=True)


def _highlight(code: str) -> Text:
    return Syntax(code, "cpp", theme="ansi_dark").highlight(code)


def _function(text: str, head: str) -> str:
    """The function whose definition begins with `head`, up to the brace in the first column."""
    begin = text.index(head)
    return text[begin : text.index("\n}\n", begin) + 2]


if __name__ == "__main__":
    sys.exit(main())
