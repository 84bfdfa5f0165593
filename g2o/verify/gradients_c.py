"""C functions as the gradient check sees them: kernels of one thread, with the variables of the
file that they use behind their parameters, and their result behind a pointer.

    static double dt;
    double energy(int n, const double *x);
->
    static void energy(dim3, dim3, int n, const double *x, double *dt, double *result);

The C file is compiled as C. Behind it stand functions that take the addresses of arguments, which
is all that C++ has to know of them:

    void g2o_c_energy(void **g2o_given)
    {
        __builtin_memcpy(&dt, g2o_given[2], sizeof dt);
        *(double *)g2o_given[3] = energy(*(int *)g2o_given[0], g2o_given[1]);
        __builtin_memcpy(g2o_given[2], &dt, sizeof dt);
    }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from g2o.ad.member_pointers import leads_to_reals
from g2o.analysis.effects import declared_in, symbols_in
from g2o.diagnostics.source import name_as_text
from g2o.ir.expressions import Call, Member, Paren, Unary, VarRef
from g2o.ir.kernel import Function, LaunchShape
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.verify.gradients_c_types import CTypes
from g2o.verify.gradients_signature import CheckedKernel

NAMESPACE: Final = "g2o_c"
"""Where the functions stand in C++: names of C may be others' there."""

_RESULT: Final = "result"
_STREAMS: Final = frozenset({"stdin", "stdout", "stderr"})  # of the system: nobody sets them
Lookup = Callable[[str], Function | None]
"""The functions of the file by their keys."""


@final
@dataclass(frozen=True, slots=True)
class CheckedFunction:
    """A C function whose derivatives are checked. `shadows` are the parameters that have one,
    `of_result`: its result has a seed, and `of_file` are the variables of the file that have
    shadows, too. `by_address`: the shadows of numbers are pointers in the tangent, too, as they are
    where loops ask for derivatives. `suffixes` are those of its derivatives, and `errors` is the
    structure in C++ that one with error estimates fills. `types` are those of all functions."""

    function: Function
    shadows: tuple[Symbol, ...]
    of_result: bool
    lookup: Lookup = field(repr=False)
    types: CTypes = field(repr=False)
    of_file: tuple[str, ...] = ()
    by_address: bool = False
    suffixes: tuple[str, ...] = ("grad", "jvp")
    errors: str = ""

    @property
    def result(self) -> str:
        """The parameter that stands for the result; "" without one."""
        if self.function.result.kind is TypeKind.VOID:
            return ""
        names = {one.name for one in self.function.parameters}
        names |= {one.name for one in self.variables}
        return _RESULT if _RESULT not in names else f"{_RESULT}_of_{self.function.name}"

    @property
    def variables(self) -> tuple[Symbol, ...]:
        """The variables of the file that it uses, or what it calls, first those with shadows."""
        used = {one.name: one for one in _used(self.function, self.lookup, set())}
        first = [used[name] for name in self.of_file if name in used]
        return (*first, *(one for one in used.values() if one not in first))

    @property
    def parameters(self) -> tuple[tuple[CType, str], ...]:
        """What the check hands to it, before its result: variables of the file by address."""
        own = tuple((one.type, one.name) for one in self.function.parameters)
        return (*own, *((_address_of(one.type), one.name) for one in self.variables))

    def used_types(self) -> Iterator[CType]:
        yield from (ctype for ctype, _ in self.parameters)
        yield self.function.result

    @property
    def active(self) -> frozenset[str]:
        """The parameters with shadows, the result among them."""
        names = {one.name for one in self.shadows} | {*self.of_file}
        return frozenset(names | ({self.result} if self.of_result else set[str]()))

    def as_kernel(self) -> CheckedKernel:
        """What launches are made of."""
        names = [name for _, name in self.parameters]
        depth = max((_extents(one.type) + 1 for one in self.function.parameters), default=1)
        counts = {one.name: _count(one.type) for one in self.variables}
        counts |= {
            one.name: 1
            for one in self.function.parameters
            if _object(one.type) and not _is_array(one, self.function, self.lookup, set())
        }
        return CheckedKernel(
            name=self.function.name,
            namespace="",
            parameters=tuple(names) + ((self.result,) if self.result else ()),
            closed=(),
            is_template=False,
            axes=depth,
            has_dynamic_shared=False,
            shape=LaunchShape(),
            pragma="",
            is_function=True,
            counts=counts,
            first={one.name: f"g2o_c_first_{one.name}" for one in self.variables},
            refusal=self._refusal(),
        )

    def _refusal(self) -> str:
        """What the check cannot do, "" where it can."""
        name = self.function.name
        own = {one.name for one in self.function.parameters}
        for ctype, parameter in self.parameters:
            why = self.types.refusal(ctype)
            if why is not None:
                return f"the check cannot make up a value of '{parameter}' of '{name}': {why}"
        for one in self.variables:
            if one.name in own:
                return f"'{one.name}' is a parameter of '{name}' and a variable of the file"
        for one in _kept(self.function, self.lookup, set()):
            return f"'{one.name}', which '{name}' keeps between calls, is not checked"
        if self.function.result.kind is TypeKind.POINTER:
            return f"what the address leads to that '{name}' returns is not checked"
        why = self.types.refusal(self.function.result) if self.result else None
        return "" if why is None else f"the result of '{name}' is not checked: {why}"


def c_text(code: Path, functions: Sequence[CheckedFunction]) -> str:
    """The C source: the file `code`, and what calls its functions."""
    parts = [f'#include "{name_as_text(str(code))}"\n']
    parts += (_first_values(name) for name in _variables(functions))
    for one in functions:
        parts.append(_primal(one))
        parts += (
            _tangent(one) if suffix == "jvp" else _adjoint(one, suffix) for suffix in one.suffixes
        )
    return "".join(parts)


def cxx_text(functions: Sequence[CheckedFunction]) -> str:
    """What the driver includes in place of the file."""
    parts = ["#include <cstdint>\n"]
    parts += (one.types.text() for one in functions[:1])
    parts += (f'extern "C" void g2o_c_first_{name}(void *);\n' for name in _variables(functions))
    for one in functions:
        name = one.function.name
        ends = [f"_{suffix}" for suffix in one.suffixes]
        parts += (f'extern "C" void g2o_c_{name}{end}(void **);\n' for end in ("", *ends))
        typed = [(one.types.spelled(ctype), parameter) for ctype, parameter in one.parameters]
        if one.result:
            typed.append((f"{one.types.spelled(one.function.result)} *", one.result))
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


def _estimate_text(one: CheckedFunction, typed: Sequence[tuple[str, str]]) -> str:
    """The structure of errors in C++, and the function that fills it, which has one type."""
    name = one.function.name
    shadows = [
        (f"{spelled.removesuffix('*').strip()} *", f"d_{parameter}")
        for spelled, parameter in typed
        if parameter in one.active
    ]
    given = [*typed, *shadows, (f"{name}_errors *", "errors")]
    listed = "".join(f", {spelled} {parameter}" for spelled, parameter in given)
    handed = "".join(f", {parameter}" for _, parameter in given)
    return (
        f"{one.errors}\nstatic void {name}_error(dim3, dim3{listed})\n"
        f"{{\n    g2o_check::call_c(g2o_c_{name}_error{handed});\n}}\n"
    )


def _variables(functions: Sequence[CheckedFunction]) -> list[str]:
    """The variables of the file that functions use."""
    return list(dict.fromkeys(one.name for each in functions for one in each.variables))


def _first_values(name: str) -> str:
    """What remembers the value that a variable has when the program begins."""
    return (
        f"static char g2o_first_{name}[sizeof {name}];\n"
        f"__attribute__((constructor)) static void g2o_c_begin_{name}(void)\n"
        f"{{\n    __builtin_memcpy(g2o_first_{name}, &{name}, sizeof {name});\n}}\n"
        f"void g2o_c_first_{name}(void *g2o_to)\n"
        f"{{\n    __builtin_memcpy(g2o_to, g2o_first_{name}, sizeof {name});\n}}\n"
    )


def _primal(one: CheckedFunction) -> str:
    call = f"{one.function.name}({', '.join(_own(one.function))})"
    return _function(one, "", _stored(one, call))


def _adjoint(one: CheckedFunction, suffix: str) -> str:
    """All shadows are handed by their addresses; the seed is consumed. So are tangents of values
    and of shadows behind them, and the structure for errors."""
    at = len(one.parameters) + bool(one.result)
    given, seeds = _own(one.function), list[str]()
    for _ in range(3 if suffix == "hvp" else 1):
        group = len(seeds)
        given += (f"g2o_given[{at + index}]" for index in range(len(one.shadows)))
        at += len(one.shadows)
        given += _shadows_of_file(one, at)
        at += len(one.of_file)
        if one.of_result:
            value = f"*({unqualified(one.function.result)} *)g2o_given[{at}]"
            seeds += [value]
            given.append(f"g2o_given[{at}]" if group == 1 else value)
            at += 1
    given += [f"g2o_given[{at}]"] if suffix == "error" else []
    if len(seeds) > 1:
        del seeds[1]  # the tangent of the result is set
    call = f"{one.function.name}_{suffix}({', '.join(given)})"
    return _function(one, f"_{suffix}", _stored(one, call) + "".join(f" {s} = 0;" for s in seeds))


def _tangent(one: CheckedFunction) -> str:
    """Shadows of numbers are values, those of structures but beside others by address."""
    at = len(one.parameters) + bool(one.result)
    held = [symbol.type.element for symbol in one.shadows if symbol.type.element is not None]
    beside = any(map(leads_to_reals, held))
    shadows = [
        f"g2o_given[{at + index}]"
        if one.by_address
        or symbol.type.is_indirect
        or (beside and symbol.type.kind is TypeKind.RECORD)
        else _value(symbol, index + at)
        for index, symbol in enumerate(one.shadows)
    ]
    at += len(shadows)
    given = [*_own(one.function), *shadows, *_shadows_of_file(one, at)]
    if one.of_result:
        given.append(f"g2o_given[{at + len(one.of_file)}]")
    call = f"{one.function.name}_jvp({', '.join(given)})"
    return _function(one, "_jvp", _stored(one, call))


def _shadows_of_file(one: CheckedFunction, at: int) -> Iterator[str]:
    """The shadows of variables of the file: those of pointers are pointers."""
    for index, variable in enumerate(one.variables[: len(one.of_file)]):
        is_pointer = variable.type.kind is TypeKind.POINTER
        yield f"{'*(void **)' if is_pointer else ''}g2o_given[{at + index}]"


def _function(one: CheckedFunction, suffix: str, text: str) -> str:
    """What sets variables of the file, calls a function, and tells what they are then."""
    first = len(one.function.parameters)
    places = [(name, f"g2o_given[{first + at}]") for at, name in enumerate(_variables([one]))]
    lines = [
        "(void)g2o_given;",
        *(f"__builtin_memcpy(&{name}, {place}, sizeof {name});" for name, place in places),
        text,
        *(f"__builtin_memcpy({place}, &{name}, sizeof {name});" for name, place in places),
    ]
    body = "".join(f"    {line}\n" for line in lines)
    return f"void g2o_c_{one.function.name}{suffix}(void **g2o_given)\n{{\n{body}}}\n"


def _own(function: Function) -> list[str]:
    return [
        f"g2o_given[{index}]" if one.type.is_indirect else _value(one, index)
        for index, one in enumerate(function.parameters)
    ]


def _value(symbol: Symbol, index: int) -> str:
    return f"*({unqualified(symbol.type)} *)g2o_given[{index}]"


def _stored(one: CheckedFunction, call: str) -> str:
    if not one.result:
        return f"{call};"
    return f"*({unqualified(one.function.result)} *)g2o_given[{len(one.parameters)}] = {call};"


def _used(function: Function, lookup: Lookup, seen: set[str]) -> Iterator[Symbol]:
    """The variables of the file that a function uses and that may change, and those of what it
    calls."""
    own = declared_in(function.body)
    for one in sorted(symbols_in(function.body) - own, key=lambda one: one.id):
        if one.storage is Storage.GLOBAL and not _is_fixed(one.type) and one.name not in _STREAMS:
            yield one
    for called in _calls(function, lookup, seen):
        yield from _used(called, lookup, seen)


def _kept(function: Function, lookup: Lookup, seen: set[str]) -> Iterator[Symbol]:
    """The `static` variables inside of a function, and of those that it calls."""
    for one in declared_in(function.body):
        if one.storage is Storage.GLOBAL and not _is_fixed(one.type):
            yield one
    for called in _calls(function, lookup, seen):
        yield from _kept(called, lookup, seen)


def _calls(function: Function, lookup: Lookup, seen: set[str]) -> Iterator[Function]:
    """The functions of the file that it calls, each once."""
    seen.add(function.key)
    for node in walk(function.body):
        if isinstance(node, Call) and node.key not in seen:
            called = lookup(node.key)
            if called is not None:
                yield called


def _is_fixed(ctype: CType) -> bool:
    return ctype.innermost.is_const


def _address_of(ctype: CType) -> CType:
    """The type of the address of a variable; of an array, of its first element."""
    inner = ctype.innermost
    return CType(f"{inner.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=inner)


def _count(ctype: CType) -> int:
    """The elements of an array; 1 for what is none."""
    count = 1
    while ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        count *= ctype.extent or 0
        ctype = ctype.element
    return count


def _object(ctype: CType) -> bool:
    """Is it a structure, or a pointer to such?"""
    element = ctype.element if ctype.kind is TypeKind.POINTER else ctype
    return element is not None and element.kind is TypeKind.RECORD


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


def _is(node: Node, symbol: Symbol) -> bool:
    while isinstance(node, Paren):
        node = node.inner
    return node == VarRef(symbol)


def _extents(ctype: CType) -> int:
    count = 0
    while ctype.is_indirect and ctype.element is not None:
        count += 1
        ctype = ctype.element
    return max(count - 1, 0)
