"""A stand-in for the translator: marks the text, and fails where the text says so."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, Severity, error, refuse
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.frontend.cuda.project import Project
from g2o.self_check import Outcome, Output

REMARK_TEXT = "barrier removed"


@final
@dataclass(frozen=True, slots=True)
class TranslateOptions:
    """The fields of `g2o.pipeline.TranslateOptions`."""

    target: str = "cpu"
    grads: tuple[str, ...] = ()
    jvps: tuple[str, ...] = ()
    optimisation: int = 2
    header: bool = False
    keep_going: bool = False
    assume_noalias: bool = False
    print_after: tuple[str, ...] = ()
    verify_each: bool = False
    clang_flags: tuple[str, ...] = ()
    runtime_header: str = "g2o_runtime.hpp"
    races: bool = False


@final
@dataclass(frozen=True, slots=True)
class Translation:
    """The fields of `g2o.pipeline.Translation` that the command line reads."""

    code: str
    header: str | None
    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...]
    kernels: tuple[str, ...]
    ok: bool
    dumps: tuple[str, ...] = ()
    source: SourceFile | None = None
    kernel_lines: tuple[tuple[int, int], ...] = ()
    refused: int = 0
    missing: int = 0
    instances: tuple[str, ...] = ()
    own_names: frozenset[str] = frozenset()


def translate_file(
    path: Path, options: TranslateOptions, shown_as: str, project: Project
) -> Translation:
    """`BAD` is an error, `CRASH` a bug, `DEEP` an endless recursion, `REFUSE` a refusal; `END`
    ends the process, and `HANG` takes long."""
    file = SourceFile.read(path, shown_as)
    if "END" in file.text:
        os.kill(os.getpid(), signal.SIGKILL)  # which nobody handles
    if "HANG" in file.text:
        time.sleep(60)
    if "CRASH" in file.text:
        raise LookupError("no such thing")
    if "DEEP" in file.text:
        raise RecursionError
    if "REFUSE" in file.text:
        raise refuse("G2O0202", "inline PTX", SourceSpan(file, 0, 1))
    spans = [SourceSpan(file, at, at + 3) for at in _find(file.text, "BAD")]
    diagnostics = tuple(error("G2O0201", "bad thing", span) for span in spans)
    lines = (
        f"// flags: {' '.join(options.clang_flags)}",
        f"// grads: {options.grads} jvps: {options.jvps} target: {options.target}",
        f"// optimisation: {options.optimisation} noalias: {options.assume_noalias}",
        f"// runtime: {options.runtime_header}",
        f"// with: {sorted(other.path.name for other in project.inputs)}",
        file.text,
    )
    return Translation(
        code="\n".join(lines),
        header="// header\n" if options.header else None,
        diagnostics=diagnostics,
        remarks=(Diagnostic(Severity.REMARK, "G2O0301", REMARK_TEXT, SourceSpan(file, 0, 1)),),
        kernels=("k",) * file.text.count("__global__"),
        ok=not diagnostics,
        source=file,
    )


def self_check(outputs: Sequence[Output], runtime: Mapping[Path, bytes]) -> tuple[Outcome, ...]:
    """What is written is no program."""
    del runtime
    return tuple(one.outcome for one in outputs)


def _find(text: str, word: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(word, at)]
