#!/usr/bin/env python3
"""`make demo`: translate a CUDA program, build it with g++, run it, and show the two kernels.

python bench/demo.py [PROGRAM [KERNEL]]       default: heat2d heat_step
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
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

ROOT: Final = Path(__file__).resolve().parents[1]
WORK: Final = ROOT / "build" / "demo"
_SIDE_BY_SIDE: Final = 200  # columns that two pieces of code take

console = Console()


def main(arguments: Sequence[str]) -> int:
    program = arguments[0] if arguments else "heat2d"
    kernel = arguments[1] if len(arguments) > 1 else "heat_step"
    WORK.mkdir(parents=True, exist_ok=True)
    source, output = WORK / f"{program}.cu", WORK / f"{program}.omp.cpp"
    shutil.copy(ROOT / "corpus" / program / source.name, source)

    _run([str(Path(sys.executable).parent / "g2o"), "translate", source.name])
    _show_pair(source, output, kernel)
    flags = ["-O2", "-march=native", "-fopenmp", "-Wall", "-Wextra"]
    _run(["g++", *flags, output.name, "-o", program])
    _run([f"./{program}"])
    console.print(f"All of it is in {WORK.relative_to(ROOT)}/.")
    return 0


def _run(command: Sequence[str]) -> None:
    """Show and run `command` in the demo's directory; its failure ends the demo."""
    shown = shlex.join(
        [Path(command[0]).name if "/bin/" in command[0] else command[0], *command[1:]]
    )
    console.print(f"[bold green]$[/] [bold]{shown}[/]", highlight=False)
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
    sys.exit(main(sys.argv[1:]))
