"""A stand-in for `g2o.pipeline`: "translates" by marking the text, fails where the text says so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic, Severity, error
from g2o.diagnostics.source import SourceFile, SourceSpan


@final
@dataclass(frozen=True, slots=True)
class TranslateOptions:
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


@final
@dataclass(frozen=True, slots=True)
class Translation:
    code: str
    header: str | None
    diagnostics: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...]
    kernels: tuple[str, ...]
    ok: bool


def translate_file(
    path: Path, options: TranslateOptions, shown_as: str, translated_files: frozenset[Path]
) -> Translation:
    del translated_files
    file = SourceFile.read(path, shown_as)
    if "CRASH" in file.text:
        raise LookupError("no such thing")
    spans = [SourceSpan(file, at, at + 3) for at in _find(file.text, "BAD")]
    diagnostics = tuple(error("G2O0201", "bad thing", span) for span in spans)
    here = SourceSpan(file, 0, 1)
    return Translation(
        code=f"// flags: {' '.join(options.clang_flags)}\n// grads: {options.grads}\n{file.text}",
        header="// header\n" if options.header else None,
        diagnostics=diagnostics,
        remarks=(Diagnostic(Severity.REMARK, "G2O0301", "barrier removed", here),),
        kernels=("k",) * file.text.count("__global__"),
        ok=not diagnostics,
    )


def _find(text: str, word: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(word, at)]
