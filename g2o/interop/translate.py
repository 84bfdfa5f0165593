"""`g2o.translate`: a CUDA file as the text of its translation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path

from g2o.diagnostics.diagnostic import Diagnostic, Refusal
from g2o.diagnostics.place import decode
from g2o.diagnostics.render import render_text
from g2o.frontend.cuda.include_graph import real_path
from g2o.frontend.cuda.project import InputFile, Project, is_header
from g2o.frontend.cuda.renames import arguments_in_translation
from g2o.frontend.cuda.spelled import cuda_left_in
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file
from g2o.runtime.headers import all_headers
from g2o.self_check import Outcome, Output
from g2o.self_check import self_check as check


class TranslationError(Exception):
    """Raised where a CUDA source has no translation; `diagnostics` say why and where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(render_text(self.diagnostics))


def translate(
    path: str | PathLike[str],
    *,
    grad: str | Iterable[str] = (),
    jvp: str | Iterable[str] = (),
    hvp: str | Iterable[str] = (),
    estimate_error: str | Iterable[str] = (),
    target: str = "cpu",
    optimisation: int = 2,
    header: bool = False,
    keep_going: bool = False,
    assume_noalias: bool = False,
    associative_math: bool = False,
    instances: Iterable[str] = (),
    self_check: bool = True,
    flags: Iterable[str] = (),
    others: Iterable[str | PathLike[str]] = (),
) -> Translation:
    """Translate the CUDA file at `path`; writes nothing.

    The options are those of the command line: `grad`, `jvp`, `hvp` and `estimate_error` take
    SPECs (one, or several), `flags` what a compiler takes (`-I`, `-D`, `-std`). `others` are
    further files of the program, translated as well, though not by this call: includes of them are
    renamed, and their launches count. Of the kernel templates with the names `instances` only the
    instances that the program has are wanted. `Translation.ok` tells whether all could be
    translated; `code` is the text of a file that includes `g2o_runtime.hpp`.

    Raises OSError where a file cannot be read.
    """
    main = Path(path)
    clang_flags = tuple(flags)
    options = TranslateOptions(
        target=target,
        grads=_specs(grad),
        jvps=_specs(jvp),
        hvps=_specs(hvp),
        errors=_specs(estimate_error),
        optimisation=optimisation,
        header=header,
        keep_going=keep_going,
        assume_noalias=assume_noalias,
        associative_math=associative_math,
        instances=frozenset(instances),
        clang_flags=clang_flags,
    )
    files = dict.fromkeys((main, *map(Path, others)))
    project = Project(InputFile(file, clang_flags, _output(file)) for file in files)
    if self_check:
        made = tuple(_made(file, project, options) for file in files)
        runtime = {
            folder / name: text
            for folder in {one.path.parent for one in made}
            for name, text in all_headers(target).items()
        }
        outcome = check(made, runtime)[0]
    else:
        outcome = _outcome(main, str(path), project, options)
    translation, diagnostics = outcome
    if translation is None:
        return Translation("", None, diagnostics, (), (), False)
    code, text = translation.code, translation.header
    return replace(
        translation,
        code=decode(code),
        header=None if text is None else decode(text),
        diagnostics=diagnostics,
    )


def _made(file: Path, project: Project, options: TranslateOptions) -> Output:
    """A file as it would be written: others are parsed with the one that is asked for."""
    again = partial(_outcome, file, str(file), project)
    outcome, output = again(options), _output(file)
    declared = output.with_name(f"{output.stem}.h")
    alone = project.parses.get(real_path(file), False)
    return Output(file, output, declared, options, not is_header(file), alone, outcome, again)


def _outcome(main: Path, shown_as: str, project: Project, options: TranslateOptions) -> Outcome:
    try:
        translation = translate_file(main, options, shown_as, project)
    except Refusal as refusal:
        return None, (refusal.diagnostic,)
    named = _output(main).name, translation.own_names
    left = cuda_left_in(translation.code, *named) if translation.ok else ()
    return replace(translation, ok=translation.ok and not left), (*translation.diagnostics, *left)


def spelled_in(code: str, entry: str) -> str:
    """A kernel with template arguments, `fill<__half>`, as the translation of `code` names it."""
    name, bracket, arguments = entry.partition("<")
    return f"{name}{bracket}{arguments_in_translation(arguments, code)}"


def checked(translation: Translation) -> Translation:
    """The translation; raises TranslationError where something could not be translated."""
    if not translation.ok:
        raise TranslationError(translation.diagnostics)
    return translation


def _specs(specs: str | Iterable[str]) -> tuple[str, ...]:
    return (specs,) if isinstance(specs, str) else tuple(specs)


def _output(path: Path) -> Path:
    return path.with_name(f"{path.stem}.omp{'.hpp' if is_header(path) else '.cpp'}")
