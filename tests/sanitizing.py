"""Translations as one program under the sanitizers: reading headers takes longer than the rest."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from g2o.verify.build import RUNTIME, Executable

SANITIZERS: Final = (
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
    "-fno-sanitize=shift-base",  # numbers below zero shift as C++20 says, and CUDA
)
# Programs leave memory to the end of the process, as CUDA programs do.
ENVIRONMENT: Final = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
_INCLUDE: Final = re.compile(
    r'^[ \t]*#[ \t]*include[ \t]+(<[^>]+>|"g2o_\w+\.hpp").*$', re.MULTILINE
)
_DEFINE: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MAIN: Final = re.compile(r"^int main\([^)]*\)(?=\s*\{)", re.MULTILINE)


def batch(texts: Sequence[tuple[str, str]]) -> str:
    """All programs, each with its name, as one that calls one after the other and says which.

    The first number that is not 0 that a `main` gives back is the exit code of all.
    """
    includes: dict[str, None] = {}
    programs: list[str] = []
    calls: list[str] = []
    for name, text in texts:
        own = "program_" + re.sub(r"\W", "_", name)
        for found in _INCLUDE.finditer(text):
            includes[found[1]] = None
        body = _with_result(_INCLUDE.sub("", text))
        main = re.search(r"int main\(([^)]*)\)", body)
        given = "count, words" if main is not None and main[1] not in ("", "void") else ""
        gone = "".join(f"#undef {macro}\n" for macro in dict.fromkeys(_DEFINE.findall(body)))
        programs.append(f'namespace {own} {{\n#line 1 "{name}"\n{body}\n{gone}}}\n')
        calls.append(
            f'    std::fprintf(stderr, "{name}\\n");\n'
            f'    std::printf("\\n-- program {name}\\n");\n'
            f"    if (int code = {own}::main({given}))\n        return code;\n"
        )
    heads = "".join(f"#include {one}\n" for one in dict.fromkeys(("<cstdio>", *includes)))
    body = "".join(calls)
    whole = f"int main(int count, char **words) {{\n{body}    return !count || !words;\n}}\n"
    return f'{heads}\n{"".join(programs)}\n#line 1 "all"\n{whole}'


def _with_result(text: str) -> str:
    """A function that is called `main` in a namespace gives nothing back on its own."""
    main = _MAIN.search(text)
    assert main is not None, "a program without `int main`"
    found = re.compile(r"^\}", re.MULTILINE).search(text, main.end())
    end = text.rindex("}") if found is None else found.start()  # all in one line, the last one
    return f"{text[:end]}    return 0;\n{text[end:]}"


def build_sanitized(
    source: Path, target: Path, flags: Iterable[str] = (), compiler: str = "g++"
) -> Executable:
    """Build what `source` holds; fails with what the compiler says."""
    command = [compiler, "-std=c++17", "-fopenmp", "-w", "-O0", "-g1", *SANITIZERS, *flags]
    command += ["-I", str(RUNTIME), str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return Executable(target)
