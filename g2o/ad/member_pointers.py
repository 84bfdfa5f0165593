"""Structures with pointers that a kernel is handed: their members as parameters, to
differentiation.

    __global__ void step(Particles p, ...)       void step_grad(..., Particles p, ...,
        p.x[i] += p.dt * p.v[i];              ->                Particles *d_p, ...)
                                                 {
                                                     float *x = p.x;
                                                     float *d_x = d_p->x;
                                                     ...
                                                         sum_dt += p.v[i] * d_x[i];
                                                     ...
                                                     d_p->dt += sum_dt;

The shadow of the structure has the same members: its pointers lead to the shadows. Like those of
distinct parameters, the arrays behind two members do not overlap. Legal where the structure is
nothing but a list of members here; those that the kernel changes are parameters that it changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.moved_members import Store, with_members_moved, with_moves_told
from g2o.ad.pointer_tables import is_table
from g2o.ad.reals import carries
from g2o.ad.shadows import shadow_type
from g2o.analysis.definitions import declared_once, written_after_declaration
from g2o.analysis.effects import EffectsOf, root_symbol, symbols_in
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.ir.comments import change_statements, without_declarations
from g2o.ir.expressions import (
    Assign,
    Cast,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.names import symbols_behind
from g2o.ir.statements import Block, CountedLoop, Declare, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified

_PREFIXES: Final = ("d_", "t_", "t_d_")
"""Of shadows, of tangents of values and of those of shadows, as they follow each other."""


@final
@dataclass(frozen=True, slots=True)
class MemberParameter:
    """`parameter` stands for the member `path` of the parameter `holder`. A pointer of the caller's
    may lead elsewhere at the end: `moved` is told where."""

    holder: Symbol
    path: Expr
    parameter: Symbol
    moved: Symbol | None = None


def leads_to_reals(ctype: CType) -> bool:
    """Is it a structure with pointers to real numbers in it, or in what its pointers lead to?"""
    return ctype.kind is TypeKind.RECORD and any(
        _is_pointer_to_reals(member.innermost)
        or leads_to_reals(member.innermost)
        or _is_to_structure(member)
        for _, member in ctype.fields
    )


def _is_to_structure(ctype: CType) -> bool:
    """Is it a pointer to a structure that has pointers to real numbers?"""
    is_pointer = ctype.kind is TypeKind.POINTER and ctype.element is not None
    return is_pointer and ctype.element is not None and leads_to_reals(ctype.element)


def with_member_parameters(
    kernel: Kernel,
    named: tuple[Symbol, ...],
    effects: EffectsOf,
    by_address: Collection[Symbol] = (),
) -> tuple[Kernel, tuple[Symbol, ...], tuple[MemberParameter, ...]]:
    """`kernel` with parameters in place of the pointers and numbers inside of those of its
    parameters `named` that have pointers, what to differentiate then, and what the new parameters
    stand for. The structures `by_address` are the caller's own: what changes in them has changed
    behind the call, too.

    Raises Refusal where such a structure is used as a whole.
    """
    holders = {one for one in named if leads_to_reals(one.type)}
    if not holders:
        return kernel, named, ()
    function = kernel.function
    symbols = SymbolTable(continued=function.symbols)
    found: dict[Expr, MemberParameter] = {}
    names = _names(function.body, holders, symbols)

    def replacement(node: Node) -> Node | None:
        path = _path(node, holders)
        if path is None:
            return None
        if path not in found:
            ctype = node.type if is_table(path.type) and isinstance(node, Expr) else path.type
            ctype = replace(ctype, is_const=False)
            parameter = symbols.fresh(names[path], ctype, Storage.PARAMETER)
            holder = root_symbol(path)
            assert holder is not None
            found[path] = MemberParameter(holder, path, parameter)
        return VarRef(found[path].parameter)

    body = rewrite(function.body, replacement)
    for holder in holders:
        _refuse_whole_uses(body, holder)
    _refuse_changed_whole(body, found.values(), effects)
    body, parts = _with_places(body, tuple(found.values()), by_address, effects, symbols)
    body, parts = _with_moves(body, parts, by_address, effects, symbols)
    body, parts = _with_own_names(body, parts, effects)
    wanted = tuple(
        new
        for one in named
        for new in (
            *([one] if carries(one.type) else ()),
            *(part.parameter for part in parts if part.holder == one and carries(part.path.type)),
        )
    )
    told = (part.moved for part in parts if part.moved is not None)
    parameters = (*function.parameters, *(part.parameter for part in parts), *told)
    changed = replace(function, body=body, parameters=parameters, symbols=symbols)
    return replace(kernel, function=changed), wanted, parts


def _with_places(
    body: Block,
    parts: tuple[MemberParameter, ...],
    by_address: Collection[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
) -> tuple[Block, tuple[MemberParameter, ...]]:
    """`body` with the numbers that it changes in structures of the caller's, and in those that
    pointers lead to, under their addresses, `double *energy = &s->energy;`: those are no copies."""
    changed = effects.of(body).writes if parts else frozenset[Symbol]()
    places: dict[Symbol, MemberParameter] = {}
    for part in parts:
        is_own = part.holder in by_address or _passes_pointer(part.path)
        if is_own and part.parameter in changed:
            if part.path.type.is_arithmetic:
                ctype = _pointer_to(part.path.type)
                place = symbols.fresh(part.parameter.name, ctype, Storage.PARAMETER)
                path = Unary("&", part.path, type=ctype)
                places[part.parameter] = replace(part, path=path, parameter=place)
    if not places:
        return body, parts

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, VarRef) or node.symbol not in places:
            return None
        return Unary("*", VarRef(places[node.symbol].parameter), type=node.type)

    return rewrite(body, replacement), tuple(places.get(one.parameter, one) for one in parts)


def _with_moves(
    body: Block,
    parts: tuple[MemberParameter, ...],
    by_address: Collection[Symbol],
    effects: EffectsOf,
    symbols: SymbolTable,
) -> tuple[Block, tuple[MemberParameter, ...]]:
    """`body` with variables in place of the pointers of the caller's that it moves."""
    changed = effects.of(body).writes if parts else frozenset[Symbol]()
    moved = {
        part.parameter
        for part in parts
        if part.path.type.kind is TypeKind.POINTER and part.parameter in changed
        if part.holder in by_address or _passes_pointer(part.path)
    }
    if not moved:
        return body, parts
    body, told = with_moves_told(body, moved, symbols)
    return body, tuple(replace(one, moved=told.get(one.parameter)) for one in parts)


def _passes_pointer(path: Expr) -> bool:
    return any(isinstance(node, Member) and node.arrow for node in walk(path))


def unseen_parameters(
    parameters: Collection[Symbol], wanted: Collection[Symbol], parts: Collection[MemberParameter]
) -> dict[Symbol, str]:
    """Those of the parameters, and of what is inside of structures, that have no shadows, by what
    they are called."""
    names = {one: one.name for one in parameters}
    names |= {part.parameter: _joined(part.path, shown=True) for part in parts}
    return {one: name for one, name in names.items() if one not in wanted}


def with_structures(
    lowered: LoweredKernel,
    asked: tuple[Symbol, ...],
    wanted: tuple[Symbol, ...],
    shadows: Sequence[Symbol],
    parts: tuple[MemberParameter, ...],
    *,
    originals: Collection[Symbol] = (),
    by_pointer: bool,
) -> tuple[LoweredKernel, tuple[Symbol, ...]]:
    """The derivative with the structures as parameters again, and the shadows that it is handed for
    the parameters `asked`; `shadows` are those of `wanted`, and behind them as many tangents of
    values and of shadows where it is a second one. `originals` are the parameters as the source
    has them, whose members may be pointers to void."""
    if not parts:
        return lowered, tuple(shadows)
    symbols = symbols_behind(lowered)
    owns = [
        dict(zip(wanted, shadows[begin : begin + len(wanted)], strict=True))
        for begin in range(0, len(shadows), len(wanted))
    ]
    groups = [
        (own, {one: own.get(one) or _shadow(one, symbols, prefix, by_pointer) for one in asked})
        for own, prefix in zip(owns, _PREFIXES, strict=False)
    ]
    stores: dict[Symbol, list[Store]] = {}
    for part in parts:
        if part.moved is not None:
            stores[part.moved] = [(part.path, None)]
            for own, handed in groups:
                if part.parameter in own:
                    place = _put(part.path, handed[part.holder], by_pointer)
                    stores[part.moved].append((place, own))
    inside = {part.parameter for part in parts}
    arrays = {*inside, *lowered.function.parameters}
    lowered = replace(lowered, body=with_members_moved(lowered.body, stores, arrays))
    used = {symbol for statement in lowered.body for symbol in symbols_in(statement)}
    told = _in_clauses(lowered.body)
    untyped = [one for one in parts if _is_untyped(one.path, originals)]
    declared: list[Stmt] = []
    numbers: dict[Symbol, Expr] = {}
    for part in parts:
        is_number = part.path.type.is_arithmetic
        if is_number and part.parameter not in told:
            numbers[part.parameter] = part.path
        elif part.parameter in used | told:
            declared.append(_declared(part.parameter, part.path, part in untyped))
        for own, handed in groups:
            shadow = own.get(part.parameter)
            place = _put(part.path, handed[part.holder], by_pointer)
            if shadow is not None and is_number:
                is_pointer = shadow.type.kind is TypeKind.POINTER
                numbers[shadow] = Unary("&", place, type=shadow.type) if is_pointer else place
            elif shadow is not None and shadow in used:
                declared.append(_declared(shadow, place, part in untyped))

    def replacement(node: Node) -> Node | None:
        match node:
            case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol in numbers:
                shown = numbers[symbol]
                return shown.operand if isinstance(shown, Unary) else None
            case VarRef(symbol=symbol):
                return numbers.get(symbol)
            case _:
                return None

    inside |= stores.keys()
    inside |= {own[one] for own in owns for one in inside & own.keys()}
    parameters = tuple(one for one in lowered.function.parameters if one not in inside)
    function = replace(lowered.function, symbols=symbols, parameters=parameters)
    body = (*declared, *(rewrite(statement, replacement) for statement in lowered.body))
    handed = tuple(shadow for _, group in groups for shadow in group.values())
    return replace(lowered, function=function, body=body), handed


def _in_clauses(statements: Iterable[Stmt]) -> set[Symbol]:
    """The variables that clauses name, which have no place for members."""
    kinds = (CountedLoop, For, Block)
    nodes = (node for one in statements for node in walk(one) if isinstance(node, kinds))
    return {symbol for node in nodes for symbol in node.directive.symbols}


def _is_pointer_to_reals(ctype: CType) -> bool:
    return ctype.kind is TypeKind.POINTER and carries(ctype)


def _holder(node: Node) -> Symbol | None:
    """The variable of a chain of members, without any pointer between but those to structures that
    have pointers themselves, `s.atoms->x`."""
    match node:
        case Member(base=base, arrow=False):
            return _holder(base)
        case Member(base=base, arrow=True) if isinstance(strip_parens(base), Member):
            return _holder(base) if _is_to_structure(value_type(base)) else None
        case Index(base=base, index=index) if base.type.kind is TypeKind.ARRAY:
            return None if integer_value(index) is None else _holder(base)
        case Paren(inner=inner):
            return _holder(inner)
        case VarRef(symbol=symbol):
            return symbol
        case _:
            return None


def _with_own_names(
    body: Block, parts: tuple[MemberParameter, ...], effects: EffectsOf
) -> tuple[Block, tuple[MemberParameter, ...]]:
    """`body` with the pointers under the names that variables of the kernel give them, `float *out
    = p.out;`, without these."""
    fixed = declared_once(body)
    written = written_after_declaration(body, effects)
    copies: dict[Symbol, list[Symbol]] = {
        one.parameter: [] for one in parts if one.parameter not in written
    }
    for node in walk(body):
        for variable in node.variables if isinstance(node, Declare) else ():
            inner = None if variable.initial is None else strip_parens(variable.initial)
            symbol = variable.symbol
            if not isinstance(inner, VarRef) or inner.symbol not in copies or symbol in written:
                continue
            if symbol.type.kind is TypeKind.POINTER and symbol.name in fixed:
                copies[inner.symbol].append(symbol)
    renames: dict[Symbol, Symbol] = {}
    named: list[MemberParameter] = []
    for part in parts:
        others = copies.get(part.parameter, [])
        if others:
            own = replace(part.parameter, name=others[0].name, wish=others[0].wish)
            renames |= dict.fromkeys((part.parameter, *others), own)
            part = replace(part, parameter=own)
        named.append(part)
    if not renames:
        return body, parts
    gone = frozenset(one for others in copies.values() for one in others)
    kept = change_statements(body, lambda statement: without_declarations(statement, gone))
    return rename_symbols(kept, renames), tuple(named)


def _path(node: Node, holders: Collection[Symbol]) -> Expr | None:
    """The pointer or number inside of one of the structures that an expression names. Numbers of
    arrays may be named by indices that are not known, too, and those of unions by another name."""
    if not isinstance(node, (Member, Index)) or _holder(node) not in holders:
        return None
    path = _own_path(rewrite(node, _bare))
    if path is None:
        return None
    in_array = any(isinstance(inner, Index) for inner in walk(path))
    is_number = path.type.is_arithmetic and not in_array
    return path if path.type.kind is TypeKind.POINTER or is_number else None


def _names(body: Node, holders: Collection[Symbol], symbols: SymbolTable) -> dict[Expr, str]:
    """What the members are called: as in the structure, where nothing else is called so."""
    paths = {path for node in walk(body) if (path := _path(node, holders)) is not None}
    times = Counter(path.name for path in paths if isinstance(path, Member))
    types = (one.type for one in (*paths, *symbols_in(body)))  # `face *face` hides the type
    taken = symbols.names | {word for one in types for word in unqualified(one).split()}
    single = {name for name, count in times.items() if count == 1 and name not in taken}
    return {
        path: path.name if isinstance(path, Member) and path.name in single else _joined(path)
        for path in paths
    }


def _joined(path: Expr, shown: bool = False) -> str:
    """`p_inner_x`, or `p.inner.x` where it is `shown` to people."""
    match path:
        case Member(base=base, name=name):
            return f"{_joined(base, shown)}{'.' if shown else '_'}{name}"
        case Index(base=base, index=Literal(text=text)):
            return f"{_joined(base, shown)}{f'[{text}]' if shown else text}"
        case Unary(op="&", operand=operand):
            return _joined(operand, shown)
        case VarRef(symbol=symbol):
            return symbol.name
        case _:
            return ""


def _bare(node: Node) -> Node | None:
    """The chain as generated code writes it."""
    match node:
        case Member(base=base, name=name, arrow=arrow, type=ctype):
            return Member(rewrite(base, _bare), name, arrow, ctype, form=Form.BUILT)
        case Index(base=base, index=index, type=ctype):
            at = integer_value(index)
            return Index(rewrite(base, _bare), Literal(str(at), at, INT), ctype, form=Form.BUILT)
        case Paren(inner=inner):
            return rewrite(inner, _bare)
        case VarRef(symbol=symbol):
            return VarRef(symbol)
        case _:
            return None


def _own_path(chain: Expr) -> Expr | None:
    """The chain with the types that the structures give their members: through a reference to a
    constant they are constant, and still the same. None where one of them is not known."""
    match chain:
        case Member(base=base, name=name, arrow=arrow):
            own = _own_path(base)
            record = None if own is None else value_type(own)
            record = record.element if record is not None and arrow else record
            ctype = None if record is None else dict(record.fields).get(name)
            return None if own is None or not ctype else replace(chain, base=own, type=ctype)
        case Index(base=base):
            own = _own_path(base)
            ctype = None if own is None else value_type(own).element
            return None if own is None or not ctype else replace(chain, base=own, type=ctype)
        case _:
            return chain


def _refuse_changed_whole(
    body: Block, parts: Collection[MemberParameter], effects: EffectsOf
) -> None:
    """Refuse structures of which a number is changed by its name, and that are used as a whole: the
    one would not know of the other."""
    left = symbols_in(body)
    changed = effects.of(body).writes
    for part in parts:
        whole = part.holder in left and part.path.type.is_arithmetic
        by_name = part.parameter in changed and _is_used_with(part, body)
        if whole and (part.holder in changed or by_name):
            shown = _joined(part.path, shown=True)
            message = f"'{shown}' is changed, in a structure that is used as a whole, too"
            either = {part.holder, part.parameter}
            places = (
                one.span
                for one in walk(body)
                if isinstance(one, (Assign, Unary)) and either & effects.of(one).writes
            )
            place = next(places, body.span)
            raise refuse("G2O0403", message, place, Note("copy the member into a variable first"))


def _is_used_with(part: MemberParameter, body: Block) -> bool:
    """Is the structure of a member used in another way than by other members of it?"""
    own = _member_names(part.path, part.holder)
    return own is None or any(
        all(one == other for one, other in zip(own, names, strict=False))
        for names in _uses_of(body, part.holder)
    )


def _uses_of(node: Node, holder: Symbol) -> Iterator[tuple[str, ...]]:
    """The members of members that are looked at; none where it is all of a structure."""
    names = _member_names(node, holder)
    if names is not None:
        yield names
        return
    for child in children(node):
        yield from _uses_of(child, holder)


def _member_names(node: Node, holder: Symbol) -> tuple[str, ...] | None:
    match node:
        case VarRef(symbol=symbol):
            return () if symbol == holder else None
        case Paren(inner=inner):
            return _member_names(inner, holder)
        case Member(base=base, name=name):
            names = _member_names(base, holder)
            return None if names is None else (*names, name)
        case _:
            return None


def _refuse_whole_uses(body: Node, holder: Symbol) -> None:
    """Refuse all but members that are numbers."""
    members = {
        id(leaf)
        for node in walk(body)
        if isinstance(node, Member) and _holder(node) == holder
        if not _is_pointer_to_reals(node.type.innermost) and not leads_to_reals(node.type.innermost)
        for leaf in walk(node)
    }
    for node in walk(body):
        direct = isinstance(node, VarRef) and node.symbol == holder
        if direct and id(node) not in members:
            message = f"structure '{holder.name}' with pointers to real numbers is used as a whole"
            note = Note("use its members, or hand the pointers over as parameters of their own")
            raise refuse("G2O0403", message, node.span, note)


def _shadow(parameter: Symbol, symbols: SymbolTable, prefix: str, by_pointer: bool) -> Symbol:
    ctype = shadow_type(parameter.type)
    if by_pointer:
        ctype = _pointer_to(ctype)
    return symbols.fresh(f"{prefix}{parameter.name}", ctype, Storage.PARAMETER)


def _put(path: Expr, shadow: Symbol, by_pointer: bool) -> Expr:
    """The same member of the structure's shadow."""
    match path:
        case Member(base=VarRef()):
            return Member(VarRef(shadow), path.name, by_pointer, type=path.type)
        case Member(base=base) | Index(base=base):
            return replace(path, base=_put(base, shadow, by_pointer))
        case Unary(op="&", operand=operand):
            return replace(path, operand=_put(operand, shadow, by_pointer))
        case _:
            return path


def _pointer_to(ctype: CType) -> CType:
    spelled = f"{ctype.spelling} *"
    return CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=ctype)


def _is_untyped(path: Expr, originals: Collection[Symbol]) -> bool:
    """Is the member a pointer to void in the source?"""
    own = _own_path(rename_symbols(path, {one: one for one in originals}))
    element = None if own is None else own.type.element
    return element is not None and element.kind is TypeKind.VOID


def _declared(pointer: Symbol, value: Expr, is_untyped: bool) -> Stmt:
    """`float *x = p.x;`; a shadow can be written, whatever the member says."""
    ctype = pointer.type
    if (
        is_untyped
        or unqualified(value.type) != unqualified(ctype)
        or (
            value.type.element is not None
            and ctype.element is not None
            and value.type.element.innermost.is_const
            and not ctype.element.innermost.is_const
        )
    ):
        value = Cast(value, ctype)
    spelled = re.sub(r"\s*__restrict(?:__)?\b", "", ctype.spelling)
    return Declare((Variable(pointer, spelled, "", value, "="),))
