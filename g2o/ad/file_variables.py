"""Variables of a C file as if a function were handed them: they have shadows then, as what it is
handed has.

    static double u[N][M], dt;               f(..., double (*u)[M], double *dt)
    void f(...)                         ->   {
    {                                            u[i][j] += *dt;
        u[i][j] += dt;                       }
    }

The derivative uses the variables themselves, and is handed the shadows alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.reals import carries
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Assign, Unary, VarRef, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.statements import Node
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind

_CODE: Final = "G2O0402"


@final
@dataclass(frozen=True, slots=True)
class FileVariables:
    """A function with variables of the file among its parameters, these variables by parameter, and
    which of the parameters are the address of a single one."""

    function: Function
    variables: Mapping[Symbol, Symbol]
    places: frozenset[Symbol]


def with_file_variables(
    function: Function, names: Collection[str], private: Collection[str], effects: EffectsOf
) -> FileVariables:
    """The function with the variables that have these names as its last parameters, in this order,
    and behind these the whole numbers of the file that it does not change: parameters stay as they
    are, but for those in `private`, of which every thread has its own. Raises Refusal."""
    own = declared_in(function.body)
    used = {
        one.name: one
        for one in symbols_in(function.body) - own
        if one.storage is Storage.GLOBAL and (carries(one.type) or one.type.is_indirect)
    }
    found: dict[Symbol, Symbol] = {}
    places: set[Symbol] = set()
    for name in names:
        known = used.get(name)
        if known is None or not (carries(known.type) or _leads_to_reals(known.type)):
            able = ", ".join(sorted(used)) or "none"
            message = f"'{function.name}' has no parameter '{name}', nor does it use such a "
            message += "variable of the file"
            note = Note(f"variables of the file with real numbers: {able}")
            raise refuse(_CODE, message, function.name_span, note)
        _refuse_moved(function, known, function.name_span)
        parameter, is_place = _parameter(known)
        found[parameter] = known
        if is_place:
            places.add(parameter)
    for one in _fixed(function, effects):
        if one.name not in private:
            found[_fixed_parameter(one)] = one
    if not found:
        return FileVariables(function, {}, frozenset())
    new = {variable: parameter for parameter, variable in found.items()}

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, VarRef) or node.symbol not in places:
            return None
        return Unary("*", VarRef(new[node.symbol]), type=node.symbol.type)

    body = rename_symbols(rewrite(function.body, replacement), new)
    made = replace(function, body=body, parameters=(*function.parameters, *found))
    return FileVariables(made, found, frozenset(places))


def _fixed(function: Function, effects: EffectsOf) -> list[Symbol]:
    """The whole numbers of the file, and arrays of them, that nothing changes."""
    changed = effects.of(function.body)
    led = changed.memory_writes | changed.writes
    own = declared_in(function.body)
    if any(one is None or (one not in own and _is_whole(one.type)) for one in led):
        return []
    found = symbols_in(function.body) - own
    return sorted(
        (one for one in found if one.storage is Storage.GLOBAL and _is_whole(one.type)),
        key=lambda one: one.id,
    )


def _is_whole(ctype: CType) -> bool:
    is_pointer = ctype.kind is TypeKind.POINTER and ctype.element is not None
    inner = ctype.element if is_pointer and ctype.element is not None else ctype
    return inner.innermost.kind is TypeKind.INTEGER


def _fixed_parameter(variable: Symbol) -> Symbol:
    if variable.type.kind is TypeKind.ARRAY:
        return _parameter(variable)[0]
    return replace(variable, storage=Storage.PARAMETER)


def _leads_to_reals(ctype: CType) -> bool:
    return ctype.kind is TypeKind.POINTER and ctype.element is not None and carries(ctype.element)


def _parameter(variable: Symbol) -> tuple[Symbol, bool]:
    ctype, element = variable.type, variable.type.element
    if ctype.kind is TypeKind.POINTER:
        return replace(variable, storage=Storage.PARAMETER), False
    is_array = ctype.kind is TypeKind.ARRAY and element is not None
    inner = element if is_array and element is not None else ctype
    pointer = CType(f"{inner.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=inner)
    return replace(variable, type=pointer, storage=Storage.PARAMETER), not is_array


def _refuse_moved(function: Function, variable: Symbol, span: SourceSpan) -> None:
    """A pointer that is given another value has another shadow from then on."""
    if variable.type.kind is not TypeKind.POINTER:
        return
    for node in walk(function.body):
        match node:
            case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
                place = strip_parens(target)
                if isinstance(place, VarRef) and place.symbol == variable:
                    message = (
                        f"'{variable.name}', a pointer of the file that changes, with a shadow"
                    )
                    raise refuse("G2O0414", message, node.span or span)
            case _:
                pass
