"""Checks the derivatives of random functions, and makes those that fail smaller.

python -m tests.openmp_c.random_c.checks FIRST LAST [COMPILER]    functions of these numbers
python -m tests.openmp_c.random_c.checks NUMBER                   one function, reduced
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Severity
from g2o.openmp_c import translate_c
from g2o.passes import TranslateOptions
from g2o.runtime.headers import RUNTIME
from tests.openmp_c.random_c.driver import driver
from tests.openmp_c.random_c.functions import PREAMBLE, RandomFunction, random_function
from tests.reducing import Tree, reduced

_FLAGS: Final = ("-std=gnu11", "-O0", "-fopenmp", "-w")
_NUMBERS: Final = re.compile(r"-?\b\d[\d.e+-]*|'[^']*'")
_OF_FUNCTION: Final = re.compile(r"^static \w+ (r\d+)\(|^static \w+ (r\d+)_f\d+\(", re.MULTILINE)
_BUGS: Final = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError),
    *(StopIteration, TypeError, ValueError),
)
"""What g2o stops with at what it has not thought of."""


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong with functions, and which of them are refused, by name."""

    wrong: dict[str, str] = field(default_factory=dict[str, str])
    refused: dict[str, str] = field(default_factory=dict[str, str])


def check(
    functions: Sequence[RandomFunction],
    folder: Path,
    compiler: str = "gcc",
    *,
    threads: Sequence[int] = (1, 2, 4),
    trees: Sequence[Tree] | None = None,
    flags: Sequence[str] = (),
) -> Checked:
    """Translate functions, build what is written, and compare the derivatives."""
    found = Checked()
    texts = {
        one.name: one.text(None if trees is None else trees[at]) for at, one in enumerate(functions)
    }
    code = _translated(texts, folder, found)
    left = [one for one in functions if one.name in texts]
    if not left:
        return found
    (folder / "functions.g2o.c").write_text(code)
    (folder / "driver.c").write_text(driver(left, "functions.g2o.c"))
    builds: list[tuple[str, ...]] = [("-DAS_DOUBLE",)]
    if any("float" in texts[one.name] for one in left):
        builds.append(())
    for number, build in enumerate(builds):
        target = str(folder / f"driver{number}")
        command = [compiler, *_FLAGS, *garbage_flags(compiler), *build, *flags]
        command += ["-I", str(RUNTIME), str(folder / "driver.c"), "-o", target, "-lm"]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode:
            _blame(built.stderr, code, found)
            return found
        for count in threads:
            _run(target, count, [one.name for one in left], found)
    return found


def _translated(texts: dict[str, str], folder: Path, found: Checked) -> str:
    """The code with derivatives; functions that are refused leave the texts."""
    path = folder / "functions.c"
    while texts:
        source = PREAMBLE + "".join(texts.values())
        path.write_text(source)
        try:
            made = translate_c(path, TranslateOptions(self_check=False), path.name)
        except _BUGS as bug:
            if not _find_bug(texts, folder, found):
                found.wrong[""] = f"bug: {bug}"
                texts.clear()
            continue
        errors = [one for one in made.diagnostics if one.severity is Severity.ERROR]
        if not errors and made.ok:
            return made.code
        told = {
            name: f"{one.code} {one.message}"
            for one in reversed(errors)
            if one.span and (name := _function_at(source, one.span.begin)) in texts
        }
        if not told and not _find_bug(texts, folder, found):
            found.wrong[""] = errors[0].message if errors else "no translation"
            texts.clear()
        found.refused.update(told)
        for name in told:
            del texts[name]
    return ""


def _find_bug(texts: dict[str, str], folder: Path, found: Checked) -> bool:
    """Take away the functions at which g2o stops, or that have faults elsewhere, one by one
    translated; are there any?"""
    count = len(texts)
    for name, text in list(texts.items()):
        path = folder / "one.c"
        path.write_text(PREAMBLE + text)
        try:
            made = translate_c(path, TranslateOptions(self_check=False), path.name)
            if not made.ok:
                found.wrong[name] = made.diagnostics[0].message
                del texts[name]
        except _BUGS as bug:
            place = traceback.extract_tb(bug.__traceback__)[-1]
            found.wrong[name] = f"bug: {type(bug).__name__} {bug} in {place.name}"
            del texts[name]
    return len(texts) < count


def _function_at(source: str, offset: int) -> str:
    """The function, or the one that it was made for, which a place belongs to."""
    before = [one for one in _OF_FUNCTION.finditer(source) if one.start() <= offset + 8]
    return (before[-1][1] or before[-1][2]) if before else ""


def _blame(said: str, code: str, found: Checked) -> None:
    """Say which function does not compile."""
    error = re.search(r"functions\.g2o\.c:(\d+):\d+: (?:fatal )?error: (.*)", said)
    if error is None:
        found.wrong[""] = f"does not compile: {said[:400]}"
        return
    offset = sum(map(len, code.splitlines(keepends=True)[: int(error[1]) - 1]))
    names = list(re.finditer(r"\b(r\d+)(?:_f\d+)?(?:_grad|_jvp)?\(", code[:offset]))
    name = names[-1][1] if names else ""
    found.wrong[name] = f"does not compile: {error[2]}"


def _run(target: str, threads: int, names: Sequence[str], found: Checked) -> None:
    environment = os.environ | {
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive",
        "OMP_SCHEDULE": ("static", "dynamic,2", "guided")[threads % 3],
        "MALLOC_PERTURB_": "165",
    }
    output = Path(f"{target}.txt")
    with output.open("w") as printed:
        try:
            done = subprocess.run(
                [target], stdout=printed, env=environment, check=False, timeout=300
            )
            fault = f"ends with {done.returncode}"
        except subprocess.TimeoutExpired:
            fault = "does not end"
    told = dict(re.findall(r"^(\w+) (.*)$", output.read_text(), re.MULTILINE))
    for name in names:
        if name not in told:
            found.wrong.setdefault(name, f"{fault} with {threads} threads")
            return
        if not told[name].startswith("ok"):
            found.wrong.setdefault(name, f"{told[name]} with {threads} threads")
    if fault != "ends with 0":
        found.wrong.setdefault("", f"{fault} with {threads} threads")


def garbage_flags(compiler: str) -> tuple[str, ...]:
    """What fills variables that nobody has given a value, where the compiler knows it."""
    flag = "-ftrivial-auto-var-init=pattern"
    command = (compiler, flag, "-fsyntax-only", "-x", "c", "/dev/null")
    return (flag,) if subprocess.run(command, capture_output=True).returncode == 0 else ()


def reduced_function(
    function: RandomFunction, folder: Path, compiler: str = "gcc"
) -> tuple[str, str]:
    """A smaller function with the same fault, and what that is."""

    def fault_of(tree: Tree) -> str:
        made = check([function], folder, compiler, trees=[tree])
        texts = [*made.wrong.values(), *made.refused.values()]
        return (
            _NUMBERS.sub("#", texts[0].partition(": at")[0].partition(" with ")[0]) if texts else ""
        )

    wanted = fault_of(function.tree)
    if not wanted:
        return function.text(), ""
    small = reduced(function.tree, lambda tree: fault_of(tree) == wanted)
    return function.text(small), wanted


def main(words: list[str]) -> int:
    """Check functions, or reduce one."""
    with tempfile.TemporaryDirectory(prefix="g2o-random-") as directory:
        folder = Path(directory)
        if len(words) == 1:
            text, fault = reduced_function(random_function(int(words[0])), folder)
            print(f"// {words[0]}: {fault}\n{text}")
            return 0
        compiler = words[2] if len(words) > 2 else "gcc"
        wrong = refused = made = 0
        reasons: Counter[str] = Counter()
        for first in range(int(words[0]), int(words[1]), 26):
            functions = [random_function(first + at) for at in range(26)]
            found = check(functions, folder, compiler)
            made += len(functions)
            print(f"{made} functions", end="\r", flush=True)
            wrong += len(found.wrong)
            refused += len(found.refused)
            for name, why in found.wrong.items():
                print(f"{name or first} WRONG {why}", flush=True)
            for name, why in found.refused.items():
                print(f"{name} refused {why}")
                reasons[_NUMBERS.sub("#", why)] += 1
        for why, count in reasons.most_common():
            print(f"{count:>5} {why}")
        print(f"{made} functions, {wrong} wrong, {refused} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
