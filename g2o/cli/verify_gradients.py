"""`g2o verify --grad`: adjoints against forward mode, finite differences and other threads."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, final

import click

from g2o.cli.inputs import shown_path
from g2o.cli.options import Request
from g2o.cli.outputs import make_directories, write_all
from g2o.cli.report import DiagnosticsFormat, emit
from g2o.cli.session import FileResult, flags_of_all, translate_all
from g2o.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from g2o.frontend.cuda.project import is_header
from g2o.verify.build import BuildFailure
from g2o.verify.gradients import (
    FIRST_CHECKS,
    CheckBuild,
    Checked,
    ErrorReport,
    build_driver,
    run_checks,
)
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import (
    Launch,
    LaunchSyntaxError,
    Requests,
    Tolerances,
    parse_launch,
    read_requests,
)
from g2o.verify.gradients_plan import (
    NoLaunchError,
    WantedGradient,
    checked_launches,
    specs_of,
    wanted_gradients,
)
from g2o.verify.gradients_signature import CheckedSource, read_kernels
from g2o.verify.run import RunOptions

_CODE_WRONG: Final = "G2O0606"
_CODE_NOT_RUN: Final = "G2O0607"
_CODE_LAUNCH: Final = "G2O0608"


@final
@dataclass(frozen=True, slots=True)
class GradientOptions:
    """What the command line says about the check; `timeout` in seconds for each file."""

    launches: tuple[str, ...]
    size: int
    seed: int
    tolerance: float
    threads: tuple[int, ...]
    timeout: float
    environment: dict[str, str] = field(default_factory=dict[str, str])
    accuracy: float | None = None  # of error estimates, where these are what is asked for


@final
@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file with gradients to check; `namespace` is where the driver puts its kernels."""

    path: Path
    source: CheckedSource
    wanted: tuple[WantedGradient, ...]
    launches: tuple[CheckedLaunch, ...]
    tolerances: Tolerances
    namespace: str = ""


@final
@dataclass(slots=True)
class Findings:
    """What checks have found: lines of the result table, error estimates, and what is wrong."""

    rows: list[str] = field(default_factory=list[str])
    reports: list[ErrorReport] = field(default_factory=list[ErrorReport])
    told: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(self, file: CheckedFile, checked: Checked | BuildFailure) -> None:
        if isinstance(checked, Checked):
            self.rows.extend(_rows(file, checked))
            self.reports.extend(checked.reports)
        self.told.extend(_faults(file, checked))


def verify_gradients(request: Request, options: GradientOptions, build: CheckBuild) -> int:
    """Check the gradients that the request asks for; the exit code."""
    found = Findings()
    files = [file for path in request.files for file in _read(path, request, options, found.told)]
    if not has_errors(found.told):
        with tempfile.TemporaryDirectory(prefix="g2o-verify-") as directory:
            _translate_and_check(request, files, options, build, Path(directory), found)
    return tell(request, options, found)


def tell(request: Request, options: GradientOptions, found: Findings) -> int:
    """Print what was found; the exit code."""
    if request.diagnostics_format is DiagnosticsFormat.TEXT and found.rows:
        click.echo("".join(f"{row}\n" for row in found.rows), nl=False)
    if options.accuracy is not None:
        return _tell(request, found.reports, found.told)
    emit(tuple(found.told), request.diagnostics_format)
    return 1 if has_errors(found.told) else 0


def _tell(
    request: Request, reports: Sequence[ErrorReport], diagnostics: Sequence[Diagnostic]
) -> int:
    """Print error estimates, as text or as one list in JSON, and write the page of them."""

    def of(form: str) -> list[str]:
        return [one.text for one in reports if one.form == form]

    if request.diagnostics_format is DiagnosticsFormat.TEXT or has_errors(diagnostics):
        click.echo("\n".join(of("text")), nl=False)
        emit(diagnostics, request.diagnostics_format)
    else:
        click.echo(f"[{','.join(of('json'))}]")
    if request.report is not None and not has_errors(diagnostics):
        write_all({request.report: "".join(of("html")).encode("latin-1")})
    return 1 if has_errors(diagnostics) else 0


def _read(
    path: Path, request: Request, options: GradientOptions, faults: list[Diagnostic]
) -> Iterator[CheckedFile]:
    """The file if gradients of its kernels are asked for; what is wrong goes to `faults`."""
    if not path.is_file() or is_header(path):
        return  # the translation says why it cannot be read
    source = read_kernels(path, flags_of_all(replace(request, files=(path,))))
    asked = request.options
    specs = (*asked.grads, *asked.jvps, *asked.errors)
    wanted = wanted_gradients(source.kernels, specs, asked.hvps)
    try:
        made = checked_of(path, source, wanted, options)
    except (LaunchSyntaxError, NoLaunchError) as fault:
        faults.append(_error(_CODE_LAUNCH, str(fault), path))
        return
    if wanted:
        yield made


def checked_of(
    path: Path,
    source: CheckedSource,
    wanted: tuple[WantedGradient, ...],
    options: GradientOptions,
    namespace: str = "",
) -> CheckedFile:
    """The file with launches. Raises LaunchSyntaxError and NoLaunchError."""
    said = read_requests(path.read_text(encoding="latin-1"))
    given = tuple(map(parse_launch, options.launches))
    launches = tuple(launch for each in wanted for launch in _launches(each, given, said.launches))
    return CheckedFile(path, source, wanted, launches, _tolerances(said, options), namespace)


def _launches(
    wanted: WantedGradient, given: Sequence[Launch], said: Sequence[Launch]
) -> tuple[CheckedLaunch, ...]:
    """Those of the command line replace those in the comments of the source."""
    has_own = any(launch.name == wanted.kernel.name for launch in given)
    return checked_launches(wanted, given if has_own else said)


def _tolerances(said: Requests, options: GradientOptions) -> Tolerances:
    if options.tolerance <= 0.0:
        return said.tolerances
    return replace(said.tolerances, adjoint=options.tolerance)


def _translate_and_check(
    request: Request,
    files: Sequence[CheckedFile],
    options: GradientOptions,
    build: CheckBuild,
    scratch: Path,
    found: Findings,
) -> None:
    """Translate everything, then check file by file."""
    made = [
        (spec, wanted.twice)
        for file in files
        for wanted in file.wanted
        for spec in specs_of(wanted, file.launches)
    ]
    specs = tuple(spec for spec, _ in made)
    twice = tuple(spec for spec, is_twice in made if is_twice)
    chosen = replace(request.options, grads=specs, jvps=specs, hvps=twice)
    if options.accuracy is not None:
        chosen = replace(request.options, errors=specs or request.options.errors)
    elif not specs:
        chosen = replace(chosen, grads=request.options.grads)
    request = replace(
        request, options=chosen, output=None, out_root=scratch / "translation", in_root=None
    )
    result = translate_all(request)
    found.told.extend(result.diagnostics)
    if not result.ok:
        return
    outputs = result.outputs()
    make_directories(sorted({path.parent for path in outputs}))
    write_all(outputs)
    search = (scratch / "translation", *(path.parent for path in request.files))
    for index, file in enumerate(files):
        others = tuple(
            one.destination.code for one in result.compiled if one.destination.source != file.path
        )
        own = replace(
            build,
            others=others,
            include_directories=(*search, *build.include_directories),
        )
        code = _code_of(file, result.files)
        found.add(file, check_file(file, code, options, own, scratch / f"check{index}"))
    found.told.extend(_unchecked(result.files, was_checked=bool(found.rows)))


def _unchecked(results: Sequence[FileResult], *, was_checked: bool) -> Iterator[Diagnostic]:
    """What is said of derivatives in headers, which nobody runs: an error if nothing else was."""
    for one in results:
        path, made = one.destination.source, one.translation
        names = () if made is None else made.kernels
        if is_header(path) and names and made is not None and "_grad(" in made.code:
            listed = ", ".join(f"'{name}'" for name in names)
            message = f"derivatives in a header are not checked: {listed}"
            severity = Severity.WARNING if was_checked else Severity.ERROR
            yield Diagnostic(severity, _CODE_NOT_RUN, message, path=shown_path(path))


def _code_of(file: CheckedFile, results: Sequence[FileResult]) -> Path:
    return next(one.destination.code for one in results if one.destination.source == file.path)


def check_file(
    file: CheckedFile, code: Path, options: GradientOptions, build: CheckBuild, directory: Path
) -> Checked | BuildFailure:
    """Build and run the checks of one file, whose translation is `code`."""
    translation = CheckedTranslation(
        code.resolve(),
        file.source.records,
        file.launches,
        file.namespace,
        size=options.size,
        tolerances=file.tolerances,
    )
    effort = Effort(options.threads, accuracy=options.accuracy, seed=options.seed)
    driver = build_driver([translation], directory, build, effort)
    if isinstance(driver, BuildFailure):
        return driver
    chosen = RunOptions(timeout=options.timeout, environment=options.environment)
    return run_checks(driver, 0, chosen)


def _rows(file: CheckedFile, checked: Checked) -> Iterator[str]:
    for finding in checked.findings:
        if finding.check in FIRST_CHECKS:
            yield f"{shown_path(file.path)}: {finding.kernel}"
        yield f"  {finding.check:<24} {'agrees' if finding.ok else 'differs'}"


def _faults(file: CheckedFile, checked: Checked | BuildFailure) -> Iterator[Diagnostic]:
    if isinstance(checked, BuildFailure):
        message = f"the gradient check does not build: {checked.first_error}"
        yield _error(_CODE_NOT_RUN, message, file.path)
        return
    for finding in checked.findings:
        if not finding.ok:
            message = f"{finding.kernel}: {finding.check}: {finding.where}"
            yield _error(_CODE_WRONG, message, file.path)
    if checked.fault or not (checked.findings or checked.reports):
        yield _error(_CODE_NOT_RUN, checked.fault or "nothing was checked", file.path)


def _error(code: str, message: str, path: Path) -> Diagnostic:
    return Diagnostic(Severity.ERROR, code, message, path=shown_path(path))
