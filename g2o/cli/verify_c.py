"""`g2o verify` of C files: the derivatives of their functions and loops, as those of kernels.

What is checked are the functions that pragmas or options ask for derivatives of, and those that
are nothing but a loop with shadows of its own; or the errors of functions are estimated.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from g2o.ad.request import Request as Asked
from g2o.ad.request import pragma_of, request_for, unknown_kernels
from g2o.c_errors import CErrors
from g2o.c_functions import asked_of
from g2o.cli.deep_stack import with_deep_stack
from g2o.cli.inputs import inspect, shown_path
from g2o.cli.options import Request
from g2o.cli.verify_gradients import Findings, GradientOptions, check_file, checked_of, tell
from g2o.diagnostics.diagnostic import Diagnostic, Refusal, Severity, error, has_errors
from g2o.emit.errors import ErrorField, errors_text
from g2o.frontend.openmp_c.source import CSource, read_c
from g2o.openmp_c import CTranslation, translate_c
from g2o.passes import TranslateOptions
from g2o.runtime.headers import RUNTIME
from g2o.verify.gradients import CheckBuild
from g2o.verify.gradients_c import NAMESPACE, CheckedFunction, c_text, cxx_text
from g2o.verify.gradients_c_types import CTypes
from g2o.verify.gradients_launch import LaunchSyntaxError
from g2o.verify.gradients_plan import NoLaunchError, WantedGradient
from g2o.verify.gradients_signature import CheckedKernel, CheckedSource

_CXX: Final = "functions.hpp"
_SANITIZED: Final = "-fsanitize=address"
_RUN: Final = {"ASAN_OPTIONS": "detect_leaks=0"}


def verify_c(request: Request, options: GradientOptions, build: CheckBuild) -> int:
    """Check the derivatives of C files; the exit code."""
    found = Findings()
    options = replace(options, environment={**_RUN, **options.environment})
    with tempfile.TemporaryDirectory(prefix="g2o-verify-") as directory:
        for number, path in enumerate(request.files):
            place = Path(directory) / str(number)
            place.mkdir()
            try:
                _checked(path, request, options, build, place, found)
            except Refusal as refusal:
                found.told += refusal.diagnostics
            except (LaunchSyntaxError, NoLaunchError) as fault:
                found.told.append(_error("G2O0608", str(fault), path))
    if not (found.rows or found.reports or has_errors(found.told)):
        message = (
            "nothing asks for a derivative: say --grad or --estimate-error, or `#pragma g2o grad`"
        )
        found.told.append(_error("G2O0607", message, request.files[0]))
    return tell(request, options, found)


def _checked(
    path: Path,
    request: Request,
    options: GradientOptions,
    build: CheckBuild,
    place: Path,
    found: Findings,
) -> None:
    """Check one file, in the directory `place`. Raises Refusal."""
    told = tuple(inspect(path))
    found.told += told
    if has_errors(told):
        return
    chosen = request.options_of(path)
    chosen = replace(chosen, clang_flags=(*request.search_flags, *chosen.clang_flags))
    source = read_c(path, chosen.clang_flags, shown_path(path))
    if source.faults:
        found.told += source.faults
        return
    estimates = options.accuracy is not None
    types = CTypes()
    functions, wanted = _wanted(source, chosen, types, found, estimates=estimates)
    specs = tuple(one.spec for one in wanted)
    twice = tuple(one.spec for one in wanted if one.twice)
    if estimates:
        chosen = replace(chosen, errors=specs)
    else:
        chosen = replace(chosen, grads=specs, jvps=specs, hvps=twice)
    apart = not estimates
    made = with_deep_stack(partial(translate_c, path, chosen, shown_path(path), apart=apart))
    found.told += made.diagnostics
    if not made.ok:
        return
    if estimates:
        functions = [_with_errors(one, made.errors[one.function.name]) for one in functions]
    loops = [
        CheckedFunction(one.function, one.shadows, False, source.function, types, by_address=True)
        for one in made.apart
    ]
    for one in loops:
        kernel = _kernel(one, found)
        if kernel is not None:
            functions.append(one)
            wanted.append(WantedGradient(kernel, one.function.name, one.active))
    if not functions:
        return
    kernels = tuple(one.kernel for one in wanted)
    checked = CheckedSource(kernels, types.records(), ())
    file = checked_of(path, checked, tuple(wanted), options, NAMESPACE)
    own = _built_from(made, functions, path, request, build, place)
    found.add(file, check_file(file, place / _CXX, options, own, place / "check"))


def _wanted(
    source: CSource,
    options: TranslateOptions,
    types: CTypes,
    found: Findings,
    *,
    estimates: bool,
) -> tuple[list[CheckedFunction], list[WantedGradient]]:
    """The functions that are asked for, by SPECs or else by pragmas, as far as they can be checked.
    Raises Refusal."""
    specs = (*options.grads, *options.jvps, *options.hvps)
    modes = ("grad", "jvp", "hvp")
    if estimates:
        specs, modes = options.errors, ("error",)
    functions: list[CheckedFunction] = []
    wanted: list[WantedGradient] = []
    if faults := unknown_kernels(specs, [name for _, name, _ in source.definitions()]):
        raise Refusal(*faults)
    for key, name, begin in source.definitions():
        said = {mode: pragma_of(source.file.text, begin, mode) for mode in modes}
        pragma = next((one for one in said.values() if one is not None), None)
        if pragma is not None and not specs:
            asked = request_for(name, ("",), pragma)
        else:
            asked = request_for(name, specs, pragma if "" in specs else None)
        function = source.function(key) if asked and name != "main" else None
        if function is None:
            continue
        shadows, of_result, of_file = asked_of(function, asked[0])
        twice = bool(request_for(name, options.hvps, None)) or said.get("hvp") is not None
        suffixes = ("error",) if estimates else modes if twice else ("grad", "jvp")
        one = CheckedFunction(
            function, shadows, of_result, source.function, types, of_file, suffixes=suffixes
        )
        kernel = _kernel(one, found)
        if kernel is not None:
            functions.append(one)
            wanted.append(WantedGradient(kernel, _spec_of(asked[0]), one.active, twice))
    return functions, wanted


def _kernel(one: CheckedFunction, found: Findings) -> CheckedKernel | None:
    """The function as the check calls it; None, with the reason in `found`, where it cannot."""
    one.types.add(one.used_types())
    kernel = one.as_kernel()
    if not kernel.refusal:
        return kernel
    place = one.function.name_span
    found.told.append(error("G2O0608", kernel.refusal, place))
    return None


def _with_errors(one: CheckedFunction, errors: CErrors) -> CheckedFunction:
    """The function with its structure in C++: the same, with a place for the result behind it,
    which nothing is given in."""
    fields = errors.fields
    if one.of_result:
        fields = (*fields, ErrorField(f"given_{one.result}", one.result, "", "double", "given"))
    return replace(one, errors=errors_text(one.function, fields, errors.left_out, ""))


def _spec_of(request: Asked) -> str:
    """The request as a SPEC."""
    if request.names is None:
        return request.kernel
    dependents = request.dependents or request.names
    return f"{request.kernel}({', '.join(dependents)})/({', '.join(request.names)})"


def _built_from(
    made: CTranslation,
    functions: Sequence[CheckedFunction],
    path: Path,
    request: Request,
    build: CheckBuild,
    place: Path,
) -> CheckBuild:
    """Write the sources of the check, and say how they are built."""
    code, calls = place / "code.c", place / "calls.c"
    code.write_text(made.code, encoding="latin-1")
    calls.write_text(c_text(code, functions), encoding="latin-1")
    (place / _CXX).write_text(cxx_text(functions), encoding="latin-1")
    standard = f"-std={build.standard}" if build.standard.startswith(("c", "gnu")) else ""
    return replace(
        build,
        standard="c++17",
        flags=(),
        link_flags=(_SANITIZED, "-lm"),
        c_flags=(*build.flags, _SANITIZED, "-g", *filter(None, (standard,))),
        others=(calls, *(one.resolve() for one in request.files if one != path)),
        include_directories=(path.resolve().parent, RUNTIME, *build.include_directories),
    )


def _error(code: str, message: str, path: Path) -> Diagnostic:
    return Diagnostic(Severity.ERROR, code, message, path=shown_path(path))
