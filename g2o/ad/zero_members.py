"""Members of the elements of arrays to which nothing but 0 is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from g2o.ad.increments import is_all_zeros, is_taken_seed, is_zero
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Expr,
    Index,
    Literal,
    Member,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, Exchange, Node, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

_Part = tuple[Symbol, str]


def member_of(place: Expr) -> _Part | None:
    """The array and the member of one of its elements that `array[i][j].member...` is, or is in."""
    name: str | None = None
    current = strip_parens(place)
    while True:
        match current:
            case Member(base=base, name=member, arrow=False):
                name, current = member, strip_parens(base)
            case Index(base=base):
                current = strip_parens(base)
            case VarRef(symbol=symbol) if name is not None:
                return symbol, name
            case _:
                return None


def zero_members(body: Block, objects: Collection[Symbol]) -> frozenset[_Part]:
    """Those of members of the `objects`, which `body` declares to start with zeros. What it names
    other than to name a member, as a whole or by a pointer, is not looked at."""
    known = {one for one in objects if one.type.innermost.kind is TypeKind.RECORD}
    if not known:
        return frozenset()
    started: set[Symbol] = set()
    named: Counter[Symbol] = Counter()  # one reference may stand in two places
    by_member: Counter[Symbol] = Counter()
    members: set[_Part] = set()
    addressed: Counter[_Part] = Counter()
    arrays: Counter[_Part] = Counter()
    changed: set[_Part] = set()
    escaped: set[Symbol] = set()  # a pointer to one member leads to the others
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    if one.symbol in known and _starts_with_zeros(one.initial):
                        started.add(one.symbol)
                    elif one.initial is not None and one.symbol.type.is_indirect:
                        escaped.update(symbol for symbol, _ in _parts(one.initial))
            case VarRef(symbol=symbol):
                named[symbol] += 1
            case Index(base=base) if strip_parens(base).type.kind is TypeKind.ARRAY:
                part = member_of(base)
                if part is not None:
                    arrays[part] -= 1  # an element, no pointer to it
            case Member(base=base):
                part = member_of(node)
                if part is not None and node.type.kind is TypeKind.ARRAY:
                    arrays[part] += 1
                root = _element_of(base)
                if root is not None:
                    by_member[root] += 1
                    members.add((root, node.name))
            case Assign(target=target, op=op, value=value):
                whole = _element_of(target)
                if whole is not None and op == "=" and is_all_zeros(value):
                    by_member[whole] += 1
                part = member_of(target)
                if part is not None and not (op == "=" and is_zero(value)):
                    changed.add(part)
            case Unary(op="&", operand=operand):
                part = member_of(operand)
                if part is not None:
                    addressed[part] += 1
            case Unary(op="++" | "--", operand=operand):
                changed.update(_parts(operand))
            case Call() if is_taken_seed(node):
                for part in _parts(node.arguments[0]):
                    addressed[part] -= 1
            case Call(name="atomicAdd"):
                for part in _parts(node.arguments[0]):
                    addressed[part] -= 1
                    changed.add(part)
            case Call() | Code() | Verbatim() | Exchange():
                for one in children(node):
                    part = None if isinstance(one, Stmt) else member_of(one)
                    if part is not None:
                        changed.add(part)
            case _:
                pass
    led_to = (*addressed.items(), *arrays.items())
    escaped |= {symbol for (symbol, _), count in led_to if count > 0}
    whole = escaped | {one for one in known if one not in started or named[one] != by_member[one]}
    return frozenset(one for one in members - changed if one[0] in known and one[0] not in whole)


def _starts_with_zeros(initial: Expr | None) -> bool:
    return is_all_zeros(initial) or (isinstance(initial, Literal) and initial.text == "{}")


def _element_of(place: Expr) -> Symbol | None:
    """The array that `array[i][j]`, or a variable, is an element of."""
    current = strip_parens(place)
    while isinstance(current, Index):
        current = strip_parens(current.base)
    return current.symbol if isinstance(current, VarRef) else None


def _parts(expr: Node) -> Iterator[_Part]:
    for node in walk(expr):
        if isinstance(node, Member):
            part = member_of(node)
            if part is not None:
                yield part
