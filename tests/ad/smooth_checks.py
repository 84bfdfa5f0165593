"""Checks the derivatives of kernels of `smooth_kernels`, and makes those that fail smaller.

python -m tests.ad.smooth_checks SEED [SEED...]          programs of 20 kernels
python -m tests.ad.smooth_checks SEED/NUMBER [...]       one kernel, reduced
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Severity
from g2o.interop.translate import translate
from g2o.verify.build import BuildFailure
from g2o.verify.gradients import CheckBuild, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import Tolerances, read_requests
from g2o.verify.gradients_signature import read_kernels
from g2o.verify.run import RunOptions
from tests.ad.harness import GARBAGE, RUNTIME, garbage_flags
from tests.ad.smooth_kernels import SmoothKernel, program_of, smooth_kernel
from tests.reducing import Tree, reduced

BUILD: Final = CheckBuild(
    optimization="-O0", flags=("-w", *garbage_flags()), include_directories=(RUNTIME,)
)
EFFORT: Final = Effort(threads=(1, 2, 4), repeats=1)
_NUMBERS: Final = re.compile(r"-?\d[\d.e+-]*")


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong with kernels, and what of them is refused, by name."""

    wrong: dict[str, str]
    refused: dict[str, str]
    constructs: frozenset[str] = frozenset()


def check_program(source: str, names: list[str], scratch: Path, title: str) -> Checked:
    """Check all kernels of a source; those that are refused are left out."""
    refused: dict[str, str] = {}
    path = scratch / f"{title}.cu"
    while True:
        path.write_text(source)
        made = translate(path, grad="", jvp="", self_check=False)
        errors = [one for one in made.diagnostics if one.severity is Severity.ERROR]
        if not errors and made.ok:
            break
        found = False
        for one in errors:
            name = None if one.span is None else _kernel_at(source, one.span.begin)
            if name is not None:
                refused.setdefault(name, f"{one.code} {one.message}")
                found = True
        if not found:
            texts = [one.message for one in errors] or ["no translation"]
            return Checked({"": texts[0]}, refused)
        left = [one for one in names if one not in refused]
        if not left:
            return Checked({}, refused)
        source = _without(source, refused)
    code = scratch / f"{title}.omp.cpp"
    code.write_text(made.code)
    found_kernels = read_kernels(path)
    kernels = {kernel.name: kernel for kernel in found_kernels.kernels}
    launches = read_requests(path.read_text()).launches
    checked = tuple(CheckedLaunch(one, kernels[one.name]) for one in launches)
    translation = CheckedTranslation(code, found_kernels.records, checked, tolerances=Tolerances())
    driver = build_driver([translation], scratch / f"{title}_driver", BUILD, EFFORT)
    if isinstance(driver, BuildFailure):
        return Checked({"": f"does not build: {driver.first_error}"}, refused)
    outcome = run_checks(driver, 0, RunOptions(timeout=120, environment=GARBAGE))
    wrong: dict[str, str] = {}
    for one in outcome.findings:
        if not one.ok:
            name = re.findall(r"\w+", one.kernel)[0]
            wrong.setdefault(name, f"{one.check}: {one.where}")
    done = {re.findall(r"\w+", one.kernel)[0] for one in outcome.findings}
    wrong.update((name, "is not checked") for name in kernels.keys() - done)
    if outcome.fault:
        wrong[""] = outcome.fault
    return Checked(wrong, refused)


def _kernel_at(source: str, offset: int) -> str | None:
    """The kernel, or the kernel of the function, that the place belongs to."""
    names = [
        (one.start(), one[1]) for one in re.finditer(r"\b(k\d+)(?:_f\d+)?\([^;]*?\)\s*\{", source)
    ]
    before = [name for begin, name in names if begin <= offset + 40]
    return before[-1] if before else None


def _without(source: str, names: dict[str, str]) -> str:
    """The source without kernels."""
    parts = re.split(
        r"^(?=(?:template <typename T> )?__(?:global|device)__|void host)", source, flags=re.M
    )
    kept = [
        one
        for one in parts
        if not any(re.match(rf"[^(]*?\b(?:host_)?{name}(?:_f\d+)?\(", one) for name in names)
    ]
    text = "".join(kept)
    for name in names:
        text = re.sub(rf"^// g2o-verify: {name}[<].*\n//.*\n", "", text, flags=re.M)
    return text


def check_kernels(kernels: list[SmoothKernel], scratch: Path, title: str) -> Checked:
    """Check kernels, all in one program."""
    return check_program(program_of(kernels), [one.name for one in kernels], scratch, title)


def reduced_kernel(kernel: SmoothKernel, scratch: Path) -> tuple[str, str]:
    """A smaller kernel with the same fault, and what that is."""

    def fault_of(tree: Tree) -> str:
        made = check_program(kernel.program(tree), [kernel.name], scratch, "one")
        texts = [*made.wrong.values(), *made.refused.values()]
        return _NUMBERS.sub("#", texts[0].partition(":")[0]) if texts else ""

    wanted = fault_of(kernel.tree)
    if not wanted:
        return kernel.program(), ""
    small = reduced(kernel.tree, lambda tree: fault_of(tree) == wanted)
    return kernel.program(small), wanted


def main(words: list[str]) -> int:
    """Check programs, or reduce single kernels."""
    made = refused = 0
    bad = 0
    with tempfile.TemporaryDirectory(prefix="g2o-smooth-") as directory:
        for word in words:
            seed, _, number = word.partition("/")
            if number:
                kernel = smooth_kernel(int(seed), int(number))
                text, fault = reduced_kernel(kernel, Path(directory))
                print(f"// {word}: {fault}\n{text}")
                continue
            kernels = [smooth_kernel(int(seed), one) for one in range(20)]
            found = check_kernels(kernels, Path(directory), f"smooth_{seed}")
            made, refused = made + len(kernels), refused + len(found.refused)
            for name, why in found.wrong.items():
                bad += 1
                print(f"{seed}/{name.removeprefix('k')} WRONG {why}", flush=True)
            for name, why in found.refused.items():
                print(f"{seed}/{name.removeprefix('k')} refused {why}", flush=True)
    if made:
        print(f"{made} kernels, {bad} wrong, {refused} refused")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
