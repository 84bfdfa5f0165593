"""Writes the C++ program that checks gradients: translations included, launches as C++ text.

One program can check several translations, each in a namespace of its own, because starting the
compiler and reading its headers takes longer than everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import name_as_text
from g2o.ir.kernel import LaunchShape
from g2o.verify.gradients_launch import Buffer, Launch, Tolerances
from g2o.verify.gradients_signature import CheckedKernel, Record

RUNTIME: Final = Path(__file__).parent / "gradients_runtime"

_INCLUDE: Final = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>|\"g2o_\w+\.hpp\")", re.MULTILINE
)
_DEFINE: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_AXIS_BLOCKS: Final = ("32", "dim3(8, 4)", "dim3(4, 4, 2)")
_USUAL_SHARED_BYTES: Final = "48 * 1024"  # what CUDA gives a block without being asked twice
_MARGIN: Final = 4  # of the arrays of functions: elements around those that loops run over
_AXIS_GRIDS: Final = ("2", "dim3(2, 2)", "dim3(2, 2, 2)")


@final
@dataclass(frozen=True, slots=True)
class CheckedLaunch:
    """A launch with its kernel. `active`: names of active parameters, None for all that can be;
    `twice`: is there the tangent of the adjoint, too? `dependents` are the parameters whose errors
    are estimated, none for all that the kernel changes."""

    launch: Launch
    kernel: CheckedKernel
    active: frozenset[str] | None = None
    twice: bool = False
    dependents: frozenset[str] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class CheckedTranslation:
    """A translation that holds kernels, adjoints and tangents, and the launches to check.

    `namespace` is where the driver puts it, "" for none; `size` is what integers are where a launch
    does not say.
    """

    code: Path
    records: tuple[Record, ...]
    launches: tuple[CheckedLaunch, ...]
    namespace: str = ""
    size: int = 20
    tolerances: Tolerances = field(default_factory=Tolerances)


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """Numbers of threads, and how often every one of them is run.

    With `rounds` nothing is checked: kernel and adjoint are timed so many times. With an `accuracy`
    errors are estimated instead; 0 demands none. Random numbers depend on `seed`, 0 for the usual.
    """

    threads: tuple[int, ...] = (1, 2, 4)
    repeats: int = 20
    rounds: int = 0
    accuracy: float | None = None
    seed: int = 0


def default_launch(kernel: CheckedKernel) -> Launch:
    """A launch for a kernel of which nothing was said: dimensions that the file's own launches
    agree on, else two small blocks along each axis. A function of C is called."""
    if kernel.is_function:
        return Launch(kernel.name, "", "")
    block = _constant_dimension(kernel.shape, kernel.shape.block)
    grid = _constant_dimension(kernel.shape, kernel.shape.grid)
    block, grid = block or _AXIS_BLOCKS[kernel.axes - 1], grid or _AXIS_GRIDS[kernel.axes - 1]
    bytes_ = _USUAL_SHARED_BYTES if kernel.has_dynamic_shared else "0"
    return Launch(f"{kernel.namespace}{kernel.name}", grid, block, bytes_)


def _constant_dimension(shape: LaunchShape, axes: tuple[str | None, ...]) -> str:
    """The dimension if all its axes are known, "" otherwise. Names get their values: the launch may
    stand where they are not known."""
    known = [str(shape.values.get(axis, axis)) for axis in axes if axis is not None]
    if len(known) < len(axes):
        return ""
    while len(known) > 1 and known[-1] == "1":
        known.pop()
    return known[0] if len(known) == 1 else f"dim3({', '.join(known)})"


def driver_text(translations: Sequence[CheckedTranslation], effort: Effort) -> str:
    """The program: `driver K` checks the launches of the K-th translation."""
    includes = {"<cstdlib>"}
    for translation in translations:
        includes.update(_INCLUDE.findall(translation.code.read_text(encoding="latin-1")))
    parts = [f"#include {name}\n" for name in sorted(includes)]
    parts.append('#include "g2o_runtime.hpp"\n#include "check.hpp"\n')
    if effort.accuracy is not None:
        parts.append('#include "g2o_errors.hpp"\n')
    for index, translation in enumerate(translations):
        parts.append(_translation_text(translation, index, effort))
    parts.append("int main(int, char **words)\n{\n    switch (std::atoi(words[1])) {\n")
    for index, translation in enumerate(translations):
        scope = f"{translation.namespace}::" if translation.namespace else ""
        parts.append(f"    case {index}: {scope}g2o_check_{index}(); break;\n")
    parts.append("    }\n}\n")
    return "".join(parts)


def _translation_text(translation: CheckedTranslation, index: int, effort: Effort) -> str:
    scope = translation.namespace
    opening, closing = (f"namespace {scope} {{\n", "}\n") if scope else ("", "")
    outer = f"::{scope}::" if scope else "::"
    code = translation.code
    parts = [
        f"#define main g2o_main_{index}\n{opening}",
        f'#include "{name_as_text(str(code))}"\n{closing}#undef main\n',
        *(_members_text(record, outer) for record in translation.records),
        f"{opening}static void g2o_check_{index}()\n{{\n",
        f"    g2o_check::Settings g2o_settings;\n    g2o_settings.repeats = {effort.repeats};\n",
        f"    g2o_settings.rounds = {effort.rounds};\n",
        f"    g2o_check::generator().seed({effort.seed}u);\n" if effort.seed else "",
        f"    g2o_settings.threads = {{{', '.join(map(str, effort.threads))}}};\n",
        f"    g2o_settings.tolerance = {translation.tolerances.adjoint!r};\n",
        f"    g2o_settings.differences = {translation.tolerances.differences!r};\n",
        *(_launch_text(one, translation.size, effort) for one in translation.launches),
        f"}}\n{closing}",
    ]
    macros = sorted(set(_DEFINE.findall(code.read_text(encoding="latin-1"))))
    if scope:
        parts.extend(f"#undef {name}\n" for name in macros)
    return "".join(parts)


def _members_text(record: Record, scope: str) -> str:
    name = f"{scope}{record.name}"
    types = ", ".join(f"decltype({name}::{member})" for member in record.members)
    visits = "".join(f" each(value.{member});" for member in record.members)
    leads = "false" if record.of_c else f"g2o_check::any_leads<{types}>"
    return (
        f"template <{record.head}> struct g2o_check::Members<{name}> {{\n"
        f"    static constexpr bool is_active = g2o_check::any<{types}>;\n"
        f"    static constexpr bool has_pointers = g2o_check::any_pointer<{types}>;\n"
        f"    static constexpr bool leads = {leads};\n"
        f"    template <class G2oV, class G2oF> static void visit([[maybe_unused]] G2oV &value, "
        f"[[maybe_unused]] G2oF &&each) {{{visits} }}\n}};\n"
    )


def _launch_text(checked: CheckedLaunch, size: int, effort: Effort) -> str:
    """A block of statements that makes the arguments and runs the check."""
    launch, kernel = checked.launch, checked.kernel
    full = f"{launch.kernel}{launch.template}"
    count = len(kernel.parameters)
    is_asked = "2" if kernel.is_function else "1"
    named = ", ".join(
        is_asked if checked.active is None or name in checked.active else "0"
        for name in kernel.parameters
    )
    lines = [
        f"using G2oKernel = decltype(&{full});",
        f"using G2oParameters = g2o_check::Parameters<G2oKernel, {count}>;",
        f"using G2oChecked = g2o_check::Check<G2oKernel, {count}{', ' if named else ''}{named}>;",
    ]
    # Counts of buffers and dimensions may use value parameters: those come first.
    values, members_said, buffers, made = list[str](), list[str](), list[str](), list[str]()
    usual = _usual_count(kernel, size)
    for position, name in enumerate(kernel.parameters):
        element = f"std::tuple_element_t<{position}, G2oParameters>"
        lines.append(f"using A_{name} = g2o_check::Argument<{element}>;")
        argument = launch.arguments.get(name, "")
        if argument == "nullptr":
            made.append(f"A_{name}()")
            continue
        made.append(f"made_{name}")
        is_buffer = isinstance(argument, Buffer)
        if isinstance(argument, Buffer):
            buffers += _buffer_text(name, argument, size, usual)
        else:
            values += _value_text(name, argument, size, usual, kernel)
        for path, said in launch.arguments.items():
            if path.startswith(f"{name}."):
                text = _member_text(path, said, size, usual)
                (buffers if is_buffer or isinstance(said, Buffer) else members_said).append(text)
    lines += [
        *values,
        *members_said,
        *buffers,
        f"const dim3 g2o_grid({launch.grid or 1});",
        f"const dim3 g2o_block({launch.block or 1});",
        f"const G2oChecked::Arguments g2o_arguments({', '.join(made)});" if made else "",
    ]
    names = ", ".join(f'"{name}"' for name in kernel.parameters)
    derivatives = ", ".join(f"&{launch.kernel}{end}{launch.template}" for end in ("_grad", "_jvp"))
    second = f", &{launch.kernel}_hvp{launch.template}" if checked.twice else ""
    title = launch.shown().replace('"', "'")
    if effort.accuracy is not None:
        lines.extend(_estimate(checked, full, title, names, effort.accuracy))
        return "    {\n" + "".join(f"        {line}\n" for line in lines if line) + "    }\n"
    lines.append(
        f'G2oChecked("{title}", {{{names}}}, &{full}, {derivatives}, g2o_grid, g2o_block, '
        f"std::size_t({launch.shared_bytes}), g2o_arguments{second}).run(g2o_settings);"
    )
    return "    {\n" + "".join(f"        {line}\n" for line in lines if line) + "    }\n"


def _estimate(
    checked: CheckedLaunch, full: str, title: str, names: str, accuracy: float
) -> Iterator[str]:
    """Statements that estimate the errors of a launch. Only the compiler knows which parameters
    have shadows."""
    launch, kernel = checked.launch, checked.kernel
    errors = f"{launch.kernel}_errors{launch.template}"
    yield "const auto g2o_given = [](auto &g2o_e, std::size_t g2o_p) -> g2o::Rounding * {"
    for position, name in enumerate(kernel.parameters):
        yield f"    if constexpr (G2oChecked::has_shadow<{position}>)"
        yield f"        if (g2o_p == {position}) return &g2o_e.given_{name};"
    yield "    return nullptr;"
    yield "};"
    chosen = (str(name in checked.dependents).lower() for name in kernel.parameters)
    listed = ", ".join(chosen) if checked.dependents else ""
    yield (
        f'G2oChecked("{title}", {{{names}}}, &{full}, nullptr, nullptr, g2o_grid, g2o_block, '
        f"std::size_t({launch.shared_bytes}), g2o_arguments).template estimate<{errors}>("
        f"&{launch.kernel}_error{launch.template}, g2o_given, {{{listed}}}, {accuracy!r});"
    )


def _usual_count(kernel: CheckedKernel, size: int) -> int:
    """The elements behind a pointer of which nobody says how many."""
    return (size + (_MARGIN if kernel.is_function else 0)) ** max(kernel.axes, 2)


def _value_text(
    name: str, value: str, size: int, usual: int, kernel: CheckedKernel
) -> tuple[str, str]:
    """The argument `made_NAME`, and NAME for expressions. Where `value` is "" only the C++ compiler
    knows whether the parameter is a pointer."""
    count = kernel.counts.get(name, 0)
    if value:
        made = (
            f"A_{name}([&]() -> A_{name}::Value {{ using g2o_check::uniform; "
            f"using Value [[maybe_unused]] = A_{name}::Value; return {value}; }}());"
        )
        if kernel.is_function and count:
            made = (
                f"g2o_check::usual_argument<A_{name}>({size}, {usual}, {count}); "
                f"made_{name}.each([&](auto &g2o_v) {{ using g2o_check::uniform; using Value "
                f"[[maybe_unused]] = A_{name}::Value; g2o_v = {value}; }});"
            )
    elif name in kernel.first:
        given = f'"{name}", {size}, {usual}, {count}, {kernel.first[name]}'
        made = f"g2o_check::usual_variable<A_{name}>({given});"
    else:
        made = f"g2o_check::usual_argument<A_{name}>({size}, {usual}, {count});"
    return (
        f"auto made_{name} = {made}",
        f"[[maybe_unused]] const auto &{name} = made_{name}.only();",
    )


def _member_text(path: str, said: str | Buffer, size: int, usual: int) -> str:
    """`p.x` of every element of the argument `made_p` as the launch says it."""
    name, _, member = path.partition(".")
    if isinstance(said, Buffer):
        drawn = said.initial or f"g2o_check::usual<Value>({size})"
        value = (
            f"made_{name}.fill(g2o_v.{member}, {said.count}, "
            f"[&]([[maybe_unused]] std::size_t i) {{ using g2o_check::uniform; "
            f"using Value [[maybe_unused]] = "
            f"std::remove_cv_t<g2o_check::Target<decltype((g2o_v.{member}))>>; "
            f"return Value({drawn}); }}); made_{name}.fill_behind(g2o_v.{member}, {size}, {usual});"
        )
    else:
        value = f"g2o_v.{member} = {said};"
    return f"made_{name}.each([&](auto &g2o_v) {{ {value} }});"


def _buffer_text(name: str, buffer: Buffer, size: int, usual: int) -> tuple[str, str]:
    """The array `made_NAME`, and its elements."""
    drawn = buffer.initial or f"g2o_check::usual<Value>({size})"
    return (
        f"const auto make_{name} = [&]([[maybe_unused]] std::size_t i) -> A_{name}::Value "
        f"{{ using g2o_check::uniform; using Value [[maybe_unused]] = A_{name}::Value; "
        f"return {drawn}; }};",
        f"auto made_{name} = g2o_check::given_argument<A_{name}>({buffer.count}, make_{name}, "
        f"{size}, {usual});",
    )
