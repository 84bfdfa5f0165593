"""Shadows that nobody has declared: `g2o(reverse, shadow)` on a loop.

    double f(int n, const double *x)            double f(int n, const double *x, double *d_x)
    {                                           {
        double e = 0;                               double e = 0;
                                                    double d_e = 0.0;
    #pragma omp parallel for ...        ->      #pragma omp parallel for ...

What the function is given has shadows that it is given, too, behind all of its parameters; numbers
and arrays of its own have shadows behind their declarations, which begin with 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.effects import declared_in
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.emit.kernel import parameter_list
from g2o.frontend.edits import TextEdit
from g2o.frontend.openmp_c.directives import Directive
from g2o.frontend.openmp_c.source import CSource
from g2o.ir.expressions import Assign, Call, Literal, VarRef, Verbatim
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, Empty, Return, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, declarator
from g2o.transforms.loop_kernels import loop_behind

_UNKNOWN: Final = "G2O0411"
_SAY: Final = Note("name it: shadow(x : d_x)")


@final
@dataclass(slots=True)
class OwnShadows:
    """The shadows that the loops of a file are to have without a declaration."""

    source: CSource
    _functions: dict[str, tuple[Function, set[Symbol]]] = field(
        default_factory=dict[str, tuple[Function, set[Symbol]]]
    )

    def named(self, directive: Directive) -> Directive:
        """The directive with the names of its shadows. Raises Refusal."""
        wanted = directive.wanted
        if wanted.shadows:
            return directive
        function = self.source.function_around(directive.span)
        loop = loop_behind(function, directive.span)
        named = {node.symbol for node in walk(loop) if isinstance(node, VarRef)}
        named -= declared_in(loop)
        private = directive.pragma.named_by("private")
        taken = function.symbols.names
        _, known = self._functions.setdefault(function.key, (function, set()))
        pairs: list[tuple[str, str]] = []
        for one in sorted(named, key=lambda symbol: symbol.id):
            if not _has_reals(one.type) or one.name in private:
                continue
            if f"d_{one.name}" in taken:
                message = f"'d_{one.name}', which '{one.name}' is to have as its shadow, is taken"
                raise refuse(_UNKNOWN, message, wanted.span, _SAY)
            is_given = one in function.parameters
            if not is_given and one.type.kind is TypeKind.POINTER:
                message = f"a shadow without a name of '{one.name}', which no parameter is"
                raise refuse(_UNKNOWN, message, wanted.span, _SAY)
            known.add(one)
            by_address = is_given and not one.type.is_indirect
            pairs.append((one.name, f"(*d_{one.name})" if by_address else f"d_{one.name}"))
        if not pairs:
            raise refuse(_UNKNOWN, "a loop without real numbers", wanted.span)
        return replace(directive, wanted=replace(wanted, shadows=tuple(pairs)))

    def of(self, function: Function) -> frozenset[Symbol]:
        """What of a function has shadows so far."""
        return frozenset(self._functions.get(function.key, (function, ()))[1])

    def edits(self) -> Iterable[TextEdit]:
        """What declares them. Raises Refusal."""
        for function, symbols in self._functions.values():
            given = [one for one in function.parameters if one in symbols]
            if given:
                at = _end_of_parameters(function)
                added = ", ".join(_parameter(one) for one in given)
                yield TextEdit(at, at, f", {added}")
            for one in sorted(symbols - set(given), key=lambda symbol: symbol.id):
                yield _declaration(function, one)


def is_loop_alone(function: Function, span: SourceSpan) -> bool:
    """Is the derivative of the loop behind a pragma that of what the function does to memory? So it
    is where only declarations without real parameters and returns stand around the loop."""
    loop = loop_behind(function, span)
    reals = {one for one in function.parameters if _has_reals(one.type)}
    for one in function.body.statements:
        if one == loop or isinstance(one, Empty):
            continue
        if not isinstance(one, Declare | Return):
            return False
        named = {node.symbol for node in walk(one) if isinstance(node, VarRef)}
        calls = any(isinstance(node, Call | Assign | Verbatim) for node in walk(one))
        if calls or (isinstance(one, Declare) and not reals.isdisjoint(named)):
            return False
    return loop in function.body.statements


def _has_reals(ctype: CType) -> bool:
    element = ctype.element if ctype.kind is TypeKind.POINTER else ctype.innermost
    return element is not None and element.innermost.kind is TypeKind.FLOATING


def _end_of_parameters(function: Function) -> int:
    text = function.span.file.text
    at = parameter_list(text, function)
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    raise refuse(_UNKNOWN, "parameters without an end", function.name_span)


def _parameter(symbol: Symbol) -> str:
    ctype = symbol.type
    element = ctype.element if ctype.is_indirect else ctype
    assert element is not None
    if element.kind is TypeKind.ARRAY:  # `double (*m)[n]`
        return _plain(ctype).replace("(*)", f"(*d_{symbol.name})", 1)
    return declarator(f"{_plain(element)} *", f"d_{symbol.name}")


def _declaration(function: Function, symbol: Symbol) -> TextEdit:
    """The shadow of a variable behind the declaration of that."""
    for node in walk(function.body):
        statements = node.statements if isinstance(node, Block) else ()
        for statement in statements:
            variables = statement.variables if isinstance(statement, Declare) else ()
            for one in variables:
                if one.symbol == symbol and statement.span is not None:
                    end = statement.span.end
                    return TextEdit(end, end, f"\n{_text(one, function)}")
    message = f"a shadow without a name of '{symbol.name}', which no statement declares"
    raise refuse(_UNKNOWN, message, function.name_span, _SAY)


def _text(variable: Variable, function: Function) -> str:
    symbol = variable.symbol
    if not symbol.type.is_indirect:
        return f"{_plain(symbol.type)} d_{symbol.name} = 0.0;"
    if not all(isinstance(one, Literal) for one in variable.extents):
        message = f"a shadow without a name of '{symbol.name}', whose size is not known"
        raise refuse(_UNKNOWN, message, function.name_span, _SAY)
    return f"{_plain(symbol.type.innermost)} d_{symbol.name}{variable.suffix} = {{0}};"


def _plain(ctype: CType) -> str:
    return ctype.spelling.removeprefix("const ").strip()
