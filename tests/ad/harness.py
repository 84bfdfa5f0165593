"""Cases of the gradient corpus: translated with adjoints and tangents, built together, checked.

A case is a CUDA file in `cases/`: kernels, the launches to check (`g2o-verify:` comments), requests
for gradients (`#pragma g2o grad`; without one everything that can be active is). A line that has to
be refused ends in `// refused: WORDS`: the error has to be at that line and has to have the words.

    python -m tests.ad.harness [NAME...]             checks cases, prints what is wrong
    python -m tests.ad.harness --pending [NAME...]   those of pending.py, which it writes anew
"""

from __future__ import annotations

import fcntl
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.interop.translate import translate
from g2o.verify.build import BuildFailure
from g2o.verify.gradients import CheckBuild, Driver, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import read_requests
from g2o.verify.gradients_signature import CheckedKernel, read_kernels
from g2o.verify.run import RunOptions
from tests.ad.pending import PENDING

CASES: Final = Path(__file__).parent / "cases"
RUNTIME: Final = Path(__file__).parents[2] / "g2o" / "runtime"
BATCH_SIZE: Final = 8
RACE_DETECTOR: Final = {
    "OMP_TOOL_LIBRARIES": "/usr/lib/llvm-19/lib/libarcher.so",
    "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:exitcode=66",
}
"""What a program built with `clang++ -fsanitize=thread` needs to know OpenMP's barriers."""

GARBAGE: Final = {"MALLOC_PERTURB_": "165"}
"""What fills memory of the heap that nobody has given a value."""

_ATOMIC: Final = re.compile(
    r"#pragma omp atomic(?: update)?\s+([^;=]*?)\s*([+-])=\s*([^;]*);", re.DOTALL
)
_REFUSED: Final = re.compile(r"//[ \t]*refused:[ \t]*(.+)$")


@final
@dataclass(frozen=True, slots=True)
class Bench:
    """How a batch is translated, built and run; `environments` are for further runs of it.
    `twice`: with second derivatives, but for the kernels `case.kernel` that it names."""

    name: str
    build: CheckBuild = field(default_factory=CheckBuild)
    optimisation: int = 2
    effort: Effort = field(default_factory=Effort)
    environment: dict[str, str] = field(default_factory=dict[str, str])
    environments: tuple[dict[str, str], ...] = ()
    target: str = "cpu"
    detects_races: bool = False
    twice: frozenset[str] | None = None


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What is wrong with a case, a line for each; nothing where it is right."""

    faults: tuple[str, ...]
    checks: int = 0


@functools.cache
def garbage_flags() -> tuple[str, ...]:
    """What fills variables that nobody has given a value, where the compiler knows it."""
    flag = "-ftrivial-auto-var-init=pattern"
    command = ("g++", flag, "-fsyntax-only", "-x", "c++", "/dev/null")
    done = subprocess.run(command, capture_output=True, check=False)
    return (flag,) if done.returncode == 0 else ()


def memory_faults(names: Sequence[str], scratch: Path, build: CheckBuild) -> dict[str, str]:
    """What valgrind says of values that nobody has set, in the cases `names`, with one thread."""
    bench = Bench("memory", build, effort=Effort(threads=(1,), repeats=1))
    scratch.mkdir(parents=True)
    translations: list[CheckedTranslation] = []
    for name in names:
        made = _translated(name, scratch, bench)
        assert isinstance(made, CheckedTranslation), made.faults
        translations.append(made)
    driver = build_driver(translations, scratch / "driver", build, bench.effort)
    assert isinstance(driver, Driver), driver.first_error
    found: dict[str, str] = {}
    for index, name in enumerate(names):
        command = ("valgrind", "-q", "--error-exitcode=9", str(driver.executable.path), str(index))
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            found[name] = done.stderr[:2000]
    return found


def with_visible_atomics(code: str) -> str:
    """`code` with atomic updates as compare-and-swap loops of the runtime.

    LLVM's race detector does not see an atomic addition of floating-point numbers, so that it would
    not see a plain access beside it either.
    """
    made = _ATOMIC.sub(
        lambda f: f"g2o::atomic_{'add' if f[2] == '+' else 'sub'}(&({f[1]}), {f[3]});", code
    )
    return made if made == code else f'#include "g2o_atomics.hpp"\n{made}'


def case_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in CASES.glob("*.cu")))


def refusals_expected(name: str) -> dict[int, str]:
    """Line -> words of the error that has to be there."""
    lines = (CASES / f"{name}.cu").read_text().splitlines()
    found = ((number, _REFUSED.search(line)) for number, line in enumerate(lines, start=1))
    return {number: match[1].strip() for number, match in found if match is not None}


def check_cases(names: Sequence[str], scratch: Path, bench: Bench) -> dict[str, Outcome]:
    """Translate, build and run the cases `names` as one program.

    Where that does not build every case is built alone, so that a fault is that of its own case.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    outcomes: dict[str, Outcome] = {}
    translations: dict[str, CheckedTranslation] = {}
    for name in names:
        made = _translated(name, scratch, bench)
        if isinstance(made, Outcome):
            outcomes[name] = made
        else:
            translations[name] = made
    return outcomes | _built_and_run(translations, scratch, bench)


def check_cases_once(names: Sequence[str], scratch: Path, bench: Bench) -> dict[str, Outcome]:
    """As `check_cases`, once for all processes that share the folder `scratch`."""
    scratch.parent.mkdir(parents=True, exist_ok=True)
    kept = scratch.with_suffix(".json")
    with scratch.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.is_file():
            made = check_cases(names, scratch, bench)
            kept.write_text(json.dumps({name: asdict(one) for name, one in made.items()}))
    known = json.loads(kept.read_text())
    return {n: Outcome(tuple(one["faults"]), one["checks"]) for n, one in known.items()}


def refusal_faults(name: str) -> tuple[str, ...]:
    """What is wrong with the errors of a case that has to be refused."""
    expected = refusals_expected(name)
    errors = errors_of(name)
    found: dict[int, str] = {}
    for one in errors:
        if one.span is not None:
            found[one.span.file.line_and_column(one.span.begin)[0]] = one.message
    faults = [f"line {line} is not refused" for line in expected.keys() - found.keys()]
    faults += [f"line {n} is refused: {found[n]}" for n in found.keys() - expected.keys()]
    faults += [
        f"line {line}: {found[line]!r} does not name {words!r}"
        for line, words in expected.items()
        if line in found and words not in found[line]
    ]
    return tuple(faults) + tuple(one.message for one in errors if one.span is None)


def errors_of(name: str) -> tuple[Diagnostic, ...]:
    """The errors that translating a case with all its gradients gives."""
    path = CASES / f"{name}.cu"
    specs = [spec for _, spec, _ in _wanted(name)]
    made = translate(path, grad=specs, jvp=specs, self_check=False)
    return tuple(one for one in made.diagnostics if one.severity is Severity.ERROR)


def _wanted(name: str) -> list[tuple[CheckedKernel, str, frozenset[str] | None]]:
    """Every kernel of the case with its SPEC and the names in that (None for all)."""
    found: list[tuple[CheckedKernel, str, frozenset[str] | None]] = []
    for kernel in read_kernels(CASES / f"{name}.cu").kernels:
        names = frozenset(re.findall(r"\w+", kernel.pragma)) if kernel.pragma else None
        found.append((kernel, f"{kernel.name}{kernel.pragma}", names))
    return found


def _translated(name: str, scratch: Path, bench: Bench) -> CheckedTranslation | Outcome:
    path = CASES / f"{name}.cu"
    wanted = _wanted(name)
    specs = [spec for _, spec, _ in wanted]
    level, target = bench.optimisation, bench.target
    twice = [
        spec
        for one, spec, _ in wanted
        if bench.twice is not None and f"{name}.{one.name}" not in bench.twice
    ]
    made = translate(
        path, grad=specs, jvp=specs, hvp=twice, optimisation=level, target=target, self_check=False
    )
    errors = [one for one in made.diagnostics if one.severity is Severity.ERROR]
    if errors or not made.ok:
        return Outcome(tuple(f"refused: {one.message} [{one.code}]" for one in errors))
    code = scratch / f"{name}.omp.cpp"
    code.write_text(with_visible_atomics(made.code) if bench.detects_races else made.code)
    kernels = {one.name: (one, active, spec in twice) for one, spec, active in wanted}
    requests = read_requests(path.read_text())
    launches = tuple(CheckedLaunch(one, *kernels[one.name]) for one in requests.launches)
    records = read_kernels(path).records
    return CheckedTranslation(
        code, records, launches, f"case_{name}", tolerances=requests.tolerances
    )


def _built_and_run(
    translations: dict[str, CheckedTranslation], scratch: Path, bench: Bench
) -> dict[str, Outcome]:
    if not translations:
        return {}
    names = list(translations)
    driver = build_driver(
        list(translations.values()), scratch / "-".join(names[:2]), bench.build, bench.effort
    )
    if isinstance(driver, BuildFailure):
        if len(names) == 1:
            return {names[0]: Outcome((f"does not build: {driver.first_error}",))}
        halves = (names[: len(names) // 2], names[len(names) // 2 :])
        found: dict[str, Outcome] = {}
        for half in halves:
            found |= _built_and_run({name: translations[name] for name in half}, scratch, bench)
        return found
    return {name: _run(driver, index, name, bench) for index, name in enumerate(names)}


def _run(driver: Driver, index: int, name: str, bench: Bench) -> Outcome:
    warnings = [line for line in driver.warnings.splitlines() if f"/{name}.omp.cpp" in line]
    checks = 0
    for environment in (bench.environment, *bench.environments):
        checked = run_checks(driver, index, RunOptions(timeout=120, environment=environment))
        checks += len(checked.findings)
        if not checked.ok:
            return Outcome((*checked.failures(), *warnings), checks)
    return Outcome(tuple(warnings), checks)


_PENDING_HEAD: Final = """\"\"\"Cases that do not pass yet, and why. What passes leaves the list.

`make test` stays green while the differentiation grows, and the list shows what is left to do.
Written by `python -m tests.ad.harness --pending`.
\"\"\"

from typing import Final

"""
_REASON_LENGTH: Final = 60


def main(words: Sequence[str]) -> int:
    """Check the cases that the command line names; 1 where one is not right."""
    named = [word for word in words if not word.startswith("-")]
    is_pending = "--pending" in words
    names = named or list(PENDING if is_pending else case_names())
    bench = Bench("gcc", CheckBuild(include_directories=(RUNTIME,)))
    faults: dict[str, tuple[str, ...]] = {}
    with tempfile.TemporaryDirectory(prefix="g2o-cases-") as directory:
        accepted = [name for name in names if not refusals_expected(name)]
        for begin in range(0, len(accepted), BATCH_SIZE):
            batch = accepted[begin : begin + BATCH_SIZE]
            outcomes = check_cases(batch, Path(directory) / str(begin), bench)
            faults |= {name: outcomes[name].faults for name in batch}
    faults |= {name: refusal_faults(name) for name in names if refusals_expected(name)}
    for name in sorted(faults):
        print(f"{name:<28} {'ok' if not faults[name] else faults[name][0]}")
        for line in faults[name][1:]:
            print(f"{'':<28} {line}")
    wrong = {name: found[0] for name, found in faults.items() if found}
    print(f"{len(faults) - len(wrong)} of {len(faults)} are right")
    if is_pending:
        _write_pending({n: why for n, why in PENDING.items() if n not in faults} | wrong)
    return 1 if wrong else 0


def _write_pending(reasons: Mapping[str, str]) -> None:
    rows = ""
    for name, reason in sorted(reasons.items()):
        said = re.sub(r"/\S*/", "", reason).replace('"', "'").replace("\\", "")
        rows += f'    "{name}": "{said[:_REASON_LENGTH].strip()}",\n'
    text = f"{_PENDING_HEAD}PENDING: Final[dict[str, str]] = {{\n{rows}}}\n"
    (Path(__file__).parent / "pending.py").write_text(text.replace("{\n}", "{}"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
