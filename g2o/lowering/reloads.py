"""Elements at a stride that LLVM makes wrong vectors of.

Those that are stored and loaded again:

    x[2 * i] = a * b;
    y[2 * i] = a - b;
    x[2 * i + 1] = x[2 * i] * a;

LLVM takes what it is told about iterations (`omp simd`) for what it may do within one of them: it
puts the loads of `x[2 * i]` and `x[2 * i + 1]` together in front of the stores (seen in clang 19).
Members of one element that are each loaded before they are stored may be taken together.

Those at a stride that comes back, `x[t * 7 % 64]`: it goes on behind the end, as it may if it asks
first whether that happens, which it does not where it is told to make vectors (clang 19.1.7).

Those at a stride that nobody knows, `x[i * n]`: it guesses that `n` is 1, and with much else in the
loop it forgets to ask (clang 19.1.7, where `-mllvm -enable-mem-access-versioning=0` does not).
"""

from __future__ import annotations

from collections.abc import Iterator

from g2o.analysis.effects import root_symbol
from g2o.analysis.strides import FAR, Strides, accesses_in
from g2o.ir.expressions import Assign, Binary, Cast, Expr, Index, Literal, Member, VarRef
from g2o.ir.statements import CountedLoop, Declare, Node
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import INT, CType, TypeKind


def reloads_at_stride(body: Node) -> bool:
    """Is an element of a group at a stride loaded behind a store to the group?"""
    scaled = _scaled_variables(body)
    stored: dict[Symbol, set[Expr]] = {}
    again: set[Symbol] = set()
    places: dict[Symbol, set[Expr]] = {}
    for place, is_store in _accesses(body):
        root = root_symbol(place)
        if root is None or not _is_at_stride(place, scaled):
            continue
        places.setdefault(root, set()).add(place)
        if is_store:
            stored.setdefault(root, set()).add(place)
        elif not all(_is_other_member(place, one) for one in stored.get(root, ())):
            again.add(root)
    return any(len(places[root]) > 1 for root in again)


def makes_wrong_vectors(body: Node) -> bool:
    """Is there an element of a kind that LLVM makes wrong vectors of, whatever the loop is?"""
    return reloads_at_stride(body) or wraps_at_stride(body)


def wraps_at_stride(body: Node) -> bool:
    """Does an index that goes by more than one come back to the beginning?"""
    scaled = _scaled_variables(body)
    wrapped: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    initial = variable.initial
                    if initial is not None and _wraps(initial, variable.symbol.type, scaled):
                        wrapped.add(variable.symbol)
            case Index(index=index):
                named = {one.symbol for one in walk(index) if isinstance(one, VarRef)}
                if named & wrapped or _wraps(index, INT, scaled):
                    return True
            case _:
                pass
    return False


def _wraps(value: Expr, held_as: CType, scaled: set[Symbol]) -> bool:
    """Is a part of a value that goes by more than one taken, by a mask or by its type?"""
    if _is_narrow(held_as) and _is_scaled(value, scaled):
        return True
    for node in walk(value):
        match node:
            case Binary(op="%" | "&"):
                if _is_scaled(node.left, scaled) or _is_scaled(node.right, scaled):
                    return True
            case Cast(operand=operand, type=ctype):
                if _is_narrow(ctype) and _is_scaled(operand, scaled):
                    return True
            case _:
                pass
    return False


def _is_narrow(ctype: CType) -> bool:
    return ctype.kind is TypeKind.INTEGER and ctype.bits < INT.bits


def goes_at_unknown_strides(loop: CountedLoop) -> bool:
    """Are neighbours apart by a distance that is no constant?"""
    strides = Strides.of(loop)
    moved = (strides.address(one, loop) for one in accesses_in(loop.body))
    return any(distance is not None and abs(distance) >= FAR for distance in moved)


def _is_other_member(place: Expr, stored: Expr) -> bool:
    """`x[k].im` beside `x[k].re`: whatever moves, these do not meet."""
    match place, stored:
        case Member(base=base, name=name), Member(base=other, name=another):
            return base == other and name != another
        case _:
            return False


def _accesses(node: Node) -> Iterator[tuple[Expr, bool]]:
    """Elements of memory in the order of their accesses; True with those that are stored."""
    match node:
        case Assign(op=op, target=target, value=value):
            yield from _accesses(value)
            if isinstance(target, (Index, Member)):
                for child in children(target):
                    yield from _accesses(child)
                if op != "=":
                    yield target, False
                yield target, True
            else:
                yield from _accesses(target)
        case Index() | Member():
            for child in children(node):
                yield from _accesses(child)
            yield node, False
        case _:
            for child in children(node):
                yield from _accesses(child)


def _scaled_variables(body: Node) -> set[Symbol]:
    """Variables of the body that go by more than one."""
    found: set[Symbol] = set()
    for node in walk(body):
        if isinstance(node, Declare):
            for variable in node.variables:
                if variable.initial is not None and _is_scaled(variable.initial, found):
                    found.add(variable.symbol)
    return found


def _is_at_stride(place: Expr, scaled: set[Symbol]) -> bool:
    match place:
        case Member(base=base):
            return any(isinstance(node, Index) for node in walk(base))
        case Index(index=index):
            return _is_scaled(index, scaled)
        case _:
            return False


def _is_scaled(index: Expr, scaled: set[Symbol]) -> bool:
    """Is something in it multiplied by a constant?"""
    for node in walk(index):
        match node:
            case Binary(op="*" | "<<", left=left, right=right):
                if any(isinstance(one, Literal) for one in (left, right)):
                    return True
            case VarRef(symbol=symbol) if symbol in scaled:
                if symbol.type.kind is TypeKind.INTEGER:
                    return True
            case _:
                pass
    return False
