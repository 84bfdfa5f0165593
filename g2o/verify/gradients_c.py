"""C functions as the gradient check sees them: kernels of one thread, with their result behind a
pointer.

    double energy(int n, const double *x);
->
    static void energy(dim3, dim3, int n, const double *x, double *result);

The C file is compiled as C. Behind it stand functions that take the addresses of arguments, which
is all that C++ has to know of them:

    void g2o_c_energy(void **g2o_given)
    {
        *(double *)g2o_given[2] = energy(*(int *)g2o_given[0], g2o_given[1]);
    }
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.diagnostics.source import name_as_text
from g2o.ir.expressions import Assign, Call, Index, Member, Paren, Unary, VarRef, strip_parens
from g2o.ir.kernel import Function, LaunchShape
from g2o.ir.statements import Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.verify.gradients_signature import CheckedKernel, Record

NAMESPACE: Final = "g2o_c"
"""Where the functions stand in C++: names of C may be others' there."""

_REALS: Final = {16: "_Float16", 32: "float", 64: "double"}
_RESULT: Final = "result"
Lookup = Callable[[str], Function | None]
"""The functions of the file by their keys."""


@final
@dataclass(frozen=True, slots=True)
class CheckedFunction:
    """A C function whose derivatives are checked. `shadows` are the parameters that have one,
    `of_result`: its result has a seed. `by_address`: the shadows of numbers are pointers in the
    tangent, too, as they are where loops ask for derivatives. `suffixes` are those of its
    derivatives, and `errors` is the structure in C++ that one with error estimates fills."""

    function: Function
    shadows: tuple[Symbol, ...]
    of_result: bool
    lookup: Lookup = field(repr=False)
    by_address: bool = False
    suffixes: tuple[str, ...] = ("grad", "jvp")
    errors: str = ""

    @property
    def result(self) -> str:
        """The parameter that stands for the result; "" without one."""
        if self.function.result.kind is TypeKind.VOID:
            return ""
        names = {one.name for one in self.function.parameters}
        return _RESULT if _RESULT not in names else f"{_RESULT}_of_{self.function.name}"

    @property
    def active(self) -> frozenset[str]:
        """The parameters with shadows, the result among them."""
        names = {one.name for one in self.shadows}
        return frozenset(names | ({self.result} if self.of_result else set[str]()))

    def as_kernel(self) -> CheckedKernel:
        """What launches are made of. `closed`: parameters of which nobody can make up a value."""
        parameters = self.function.parameters
        names = [one.name for one in parameters]
        closed = [
            one.name
            for one in parameters
            if _parameter_type(one, self.function, self.lookup) is None
        ]
        depth = max((_extents(one.type) + 1 for one in parameters), default=1)
        return CheckedKernel(
            name=self.function.name,
            namespace="",
            parameters=tuple(names) + ((self.result,) if self.result else ()),
            closed=tuple(closed),
            is_template=False,
            axes=depth,
            has_dynamic_shared=False,
            shape=LaunchShape(),
            pragma="",
            is_function=True,
        )


def c_text(code: Path, functions: Sequence[CheckedFunction]) -> str:
    """The C source: the file `code`, and what calls its functions."""
    parts = [f'#include "{name_as_text(str(code))}"\n']
    for one in functions:
        parts.append(_primal(one))
        parts += (
            _tangent(one) if suffix == "jvp" else _adjoint(one, suffix) for suffix in one.suffixes
        )
    return "".join(parts)


def cxx_text(functions: Sequence[CheckedFunction]) -> str:
    """What the driver includes in place of the file."""
    parts = ["#include <cstdint>\n"]
    records: dict[str, CType] = {}
    for one in functions:
        for parameter in one.function.parameters:
            _collect(parameter.type, records)
        _collect(one.function.result, records)
    parts += map(_record_text, records.values())
    for one in functions:
        name = one.function.name
        ends = [f"_{suffix}" for suffix in one.suffixes]
        parts += (f'extern "C" void g2o_c_{name}{end}(void **);\n' for end in ("", *ends))
        typed = [
            (_parameter_type(parameter, one.function, one.lookup), parameter.name)
            for parameter in one.function.parameters
        ]
        if one.result:
            typed.append((f"{_type(one.function.result)} *", one.result))
        listed = "".join(f", {spelled} {name}" for spelled, name in typed)
        given = "".join(f", {name}" for _, name in typed)
        parts.append(
            f"static void {name}(dim3, dim3{listed})\n"
            f"{{\n    g2o_check::call_c(g2o_c_{name}{given});\n}}\n"
        )
        parts += (
            f"template <class... A> void {name}{end}(dim3, dim3, A... given)\n"
            f"{{\n    g2o_check::call_c(g2o_c_{name}{end}, given...);\n}}\n"
            for end in ends
            if end != "_error"
        )
        if one.errors:
            parts.append(_estimate_text(one, typed))
    return "".join(parts)


def _estimate_text(one: CheckedFunction, typed: Sequence[tuple[str | None, str]]) -> str:
    """The structure of errors in C++, and the function that fills it, which has one type."""
    name = one.function.name
    shadows = [
        (f"{spelled.removeprefix('const ').removesuffix('*').strip()} *", f"d_{parameter}")
        for spelled, parameter in typed
        if spelled is not None and parameter in one.active
    ]
    given = [*typed, *shadows, (f"{name}_errors *", "errors")]
    listed = "".join(f", {spelled} {parameter}" for spelled, parameter in given)
    handed = "".join(f", {parameter}" for _, parameter in given)
    return (
        f"{one.errors}\nstatic void {name}_error(dim3, dim3{listed})\n"
        f"{{\n    g2o_check::call_c(g2o_c_{name}_error{handed});\n}}\n"
    )


def records_of(functions: Iterable[CheckedFunction]) -> tuple[Record, ...]:
    """The structures that the functions take."""
    found: dict[str, CType] = {}
    for one in functions:
        for parameter in one.function.parameters:
            _collect(parameter.type, found)
        _collect(one.function.result, found)
    return tuple(
        Record(_name(ctype), tuple(name for name, _ in ctype.fields)) for ctype in found.values()
    )


def _primal(one: CheckedFunction) -> str:
    count = len(one.function.parameters)
    call = f"{one.function.name}({', '.join(_own(one.function))})"
    return _function(one.function.name, _stored(one, f"g2o_given[{count}]", call))


def _adjoint(one: CheckedFunction, suffix: str) -> str:
    """All shadows are handed by their addresses; the seed is consumed. So are tangents of values
    and of shadows behind them, and the structure for errors."""
    at = len(one.function.parameters) + bool(one.result)
    given, seeds = _own(one.function), list[str]()
    for group in range(3 if suffix == "hvp" else 1):
        given += (f"g2o_given[{at + index}]" for index in range(len(one.shadows)))
        at += len(one.shadows)
        if one.of_result:
            value = f"*({_plain(one.function.result)} *)g2o_given[{at}]"
            seeds += [] if group == 1 else [value]  # the tangent of the result is set
            given.append(f"g2o_given[{at}]" if group == 1 else value)
            at += 1
    given += [f"g2o_given[{at}]"] if suffix == "error" else []
    call = f"{one.function.name}_{suffix}({', '.join(given)})"
    text = _stored(one, f"g2o_given[{len(one.function.parameters)}]", call)
    return _function(
        f"{one.function.name}_{suffix}", text + "".join(f" {seed} = 0;" for seed in seeds)
    )


def _tangent(one: CheckedFunction) -> str:
    at = len(one.function.parameters) + bool(one.result)
    shadows = [
        f"g2o_given[{at + index}]"
        if one.by_address or symbol.type.is_indirect
        else _value(symbol, index + at)
        for index, symbol in enumerate(one.shadows)
    ]
    given = [*_own(one.function), *shadows]
    if one.of_result:
        given.append(f"g2o_given[{at + len(shadows)}]")
    call = f"{one.function.name}_jvp({', '.join(given)})"
    return _function(
        f"{one.function.name}_jvp", _stored(one, f"g2o_given[{len(one.function.parameters)}]", call)
    )


def _function(name: str, text: str) -> str:
    return f"void g2o_c_{name}(void **g2o_given)\n{{\n    (void)g2o_given;\n    {text}\n}}\n"


def _own(function: Function) -> list[str]:
    return [
        f"g2o_given[{index}]" if one.type.is_indirect else _value(one, index)
        for index, one in enumerate(function.parameters)
    ]


def _value(symbol: Symbol, index: int) -> str:
    return f"*({_plain(symbol.type)} *)g2o_given[{index}]"


def _stored(one: CheckedFunction, place: str, call: str) -> str:
    if not one.result:
        return f"{call};"
    return f"*({_plain(one.function.result)} *){place} = {call};"


def _plain(ctype: CType) -> str:
    return unqualified(ctype)


def _parameter_type(symbol: Symbol, function: Function, lookup: Lookup) -> str | None:
    """The type of a parameter in C++; None where nobody can make up a value. A structure behind an
    address that is one alone is a value there, as the check then fills what it points to: not one
    whose own numbers change, which a value would not tell."""
    ctype = symbol.type
    if not ctype.is_indirect:
        return _type(ctype)
    element = ctype.element
    assert element is not None
    if element.kind is TypeKind.RECORD and not _is_array(symbol, function, lookup, set()):
        if not element.is_const and _has_changed_numbers(symbol, function, lookup, set()):
            return None if _points(element) else f"{_type(element)} *"
        return _type(element)
    inner = _type(element.innermost)
    if inner is None or inner.endswith("*") or _points(element.innermost):
        return None
    return f"const {inner} *" if element.innermost.is_const else f"{inner} *"


def _is_array(symbol: Symbol, function: Function, lookup: Lookup, seen: set[str]) -> bool:
    """Does the function, or one that it hands the pointer to, take it for more than the address of
    one object?"""
    seen = seen | {function.key}
    for node in walk(function.body):
        match node:
            case Member(arrow=True) | Unary(op="*"):
                continue
            case Call(key=key, arguments=arguments):
                called = lookup(key)
                if called is None or key in seen:
                    continue
                pairs = zip(called.parameters, arguments, strict=False)
                for parameter, argument in pairs:
                    if _is(argument, symbol) and _is_array(parameter, called, lookup, seen):
                        return True
            case _:
                if not isinstance(node, Paren) and any(_is(one, symbol) for one in children(node)):
                    return True
    return False


def _has_changed_numbers(
    symbol: Symbol, function: Function, lookup: Lookup, seen: set[str]
) -> bool:
    """Does the function, or one that it hands the pointer to, change a number of the structure?"""
    seen = seen | {function.key}
    for node in walk(function.body):
        match node:
            case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
                base = strip_parens(place)
                while isinstance(base, Member | Index) and not (
                    isinstance(base, Member) and base.arrow
                ):
                    if isinstance(base, Index) and base.base.type.kind is TypeKind.POINTER:
                        break  # what a member leads to
                    base = strip_parens(base.base)
                if isinstance(base, Member) and base.arrow and _is(base.base, symbol):
                    return True
            case Call(key=key, arguments=arguments):
                called = lookup(key)
                for parameter, argument in zip(
                    () if called is None or key in seen else called.parameters,
                    arguments,
                    strict=False,
                ):
                    assert called is not None
                    if _is(argument, symbol) and _has_changed_numbers(
                        parameter, called, lookup, seen
                    ):
                        return True
            case _:
                pass
    return False


def _is(node: Node, symbol: Symbol) -> bool:
    while isinstance(node, Paren):
        node = node.inner
    return node == VarRef(symbol)


def _type(ctype: CType) -> str | None:
    """A type in C++ by what it is; None for what has no name there."""
    match ctype.kind:
        case TypeKind.BOOL:
            return "bool"
        case TypeKind.INTEGER:
            return f"std::{'' if ctype.is_signed else 'u'}int{ctype.bits}_t"
        case TypeKind.FLOATING:
            return _REALS.get(ctype.bits)
        case TypeKind.POINTER if ctype.element is not None:
            inner = _type(ctype.element)
            const = "const " if ctype.element.is_const else ""
            return None if inner is None or inner.endswith("*") else f"{const}{inner} *"
        case TypeKind.RECORD if ctype.fields and not ctype.is_union:
            known = all(_member(name, one) is not None for name, one in ctype.fields)
            return _name(ctype) if known else None
        case _:
            return None


def _member(name: str, ctype: CType) -> str | None:
    inner = _type(ctype.innermost)
    extents = ""
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        extents += f"[{ctype.extent}]"
        ctype = ctype.element
    return None if inner is None else f"{inner} {name}{extents};"


def _name(ctype: CType) -> str:
    return unqualified(ctype).removeprefix("struct ").strip()


def _collect(ctype: CType, found: dict[str, CType]) -> None:
    """The structures in a type, each behind those that it holds."""
    while ctype.is_indirect and ctype.element is not None:
        ctype = ctype.element
    if ctype.kind is not TypeKind.RECORD or _name(ctype) in found:
        return
    for _, one in ctype.fields:
        _collect(one, found)
    if _type(ctype) is not None:
        found[_name(ctype)] = ctype


def _record_text(ctype: CType) -> str:
    members = " ".join(_member(name, one) or "" for name, one in ctype.fields)
    name = _name(ctype)
    size = f'static_assert(sizeof({name}) == {ctype.bits // 8}, "{name} has other members");'
    return f"struct {name} {{ {members} }};\n{size}\n"


def _points(ctype: CType) -> bool:
    return ctype.kind is TypeKind.POINTER or any(_points(one.innermost) for _, one in ctype.fields)


def _extents(ctype: CType) -> int:
    count = 0
    while ctype.is_indirect and ctype.element is not None:
        count += 1
        ctype = ctype.element
    return max(count - 1, 0)
