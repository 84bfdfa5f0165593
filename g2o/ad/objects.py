"""Objects that constructors make, as the values that their members get.

    Line line(a, b);     with     Line(double s, double t) : slope(s), offset(t) {}

stays in the text as it is; to differentiation it is `{a, b}`. Legal where the constructor gives
every member its value from its arguments alone, in straight line, and the arguments change
nothing: then it does not matter how often they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from g2o.ad.reals import fields_of, is_real
from g2o.analysis.copied_elements import bytes_measured, bytes_of
from g2o.analysis.functions import FunctionTable
from g2o.analysis.lvalues import object_at
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Refusal
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, DeclareTypes, ExprStatement, Node, Stmt, Variable
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified


def with_values_of_objects(body: Block, functions: FunctionTable) -> Block:
    """`body` with the values of members for constructors that give them these."""
    if not any(isinstance(node, Verbatim) and node.key for node in walk(body)):
        return body

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, Verbatim) or not node.key:
            return None
        values = _values(node, functions)
        if values is None:
            return None
        inner = tuple(rewrite(value, replacement) for value in values)
        return InitList(inner, node.type, said=node, span=node.span)

    return rewrite(body, replacement)


def _values(made: Verbatim, functions: FunctionTable) -> tuple[Expr, ...] | None:
    """What the members of the object get, in their order; None where that is not known."""
    fields = fields_of(made.type)
    if not fields or made.type.kind is not TypeKind.RECORD or not made.pure:
        return None
    try:
        constructor = functions.body(made.key)
    except Refusal:
        return None
    if constructor is None or not constructor.is_constructor:
        return None
    given = _arguments(made, constructor)
    if given is None:
        return None
    found: dict[str, Expr] = {}
    elements: dict[str, dict[int, Expr]] = {}
    for statement in _one_by_one(constructor.body):
        match statement:
            case ExprStatement(
                expr=Assign(target=Unary(op="*", operand=VarRef(symbol=this)), value=made_of)
            ) if this == constructor.receiver:
                inherited = _handed_on(made_of, constructor, given, functions)
                if inherited is None or inherited.keys() & found.keys():
                    return None
                found |= inherited
            case ExprStatement(expr=Assign(op="=", target=target, value=value)):
                name, index = _part(target, constructor)
                known = _put(value, constructor, given, found)
                if known is None or name is None:
                    return None
                if index is None:
                    if name in elements:
                        return None
                    found[name] = known
                elif (
                    name in found
                    or elements.setdefault(name, {}).setdefault(index, known) is not known
                ):
                    return None
            case ExprStatement(expr=Call(name="memcpy", arguments=(to, what, size))):
                name, index = _part(object_at(to) or to, constructor)
                listed = None if index is not None else _numbers_of(to, what, size, given)
                if listed is None or name is None or name in found or name in elements:
                    return None
                found[name] = listed
            case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                is_real(symbol.type) and initial is not None
            ):
                known = _put(initial, constructor, given, found)
                if known is None or not is_real(value_type(known)):
                    return None
                same = symbol.type.bits == value_type(known).bits
                given[symbol] = Paren(known if same else Cast(known, symbol.type), symbol.type)
            case DeclareTypes(names=()):
                pass
            case _:
                return None
    found |= {
        name: InitList(tuple(elements[name][k] for k in range(len(elements[name]))), ctype)
        for name, ctype in fields
        if name in elements and sorted(elements[name]) == list(range(ctype.extent or 0))
    }
    names = [name for name, _ in fields]
    if len(set(names)) != len(names) or set(found) != set(names):
        return None
    return tuple(found[name] for name in names)


def _one_by_one(body: Block) -> Iterator[Stmt]:
    """The statements of a constructor, those of `x = a, y = b;` each for itself."""
    for statement in body.statements:
        expr = strip_parens(statement.expr) if isinstance(statement, ExprStatement) else None
        if isinstance(expr, Binary) and expr.op == ",":
            parts = (ExprStatement(one, span=one.span) for one in (expr.left, expr.right))
            yield from _one_by_one(Block(tuple(parts)))
        else:
            yield statement


def _handed_on(
    value: Expr, constructor: Function, given: dict[Symbol, Expr], functions: FunctionTable
) -> dict[str, Expr] | None:
    """The members that another constructor gives their values, of this class or of a base."""
    made = _put(value, constructor, given, {})
    if not isinstance(made, Verbatim) or not made.key:
        return None
    values = _values(made, functions)
    names = [name for name, _ in fields_of(made.type)]
    return None if values is None else dict(zip(names, values, strict=True))


def _numbers_of(to: Expr, what: Expr, size: Expr, given: dict[Symbol, Expr]) -> InitList | None:
    """The elements of a member that gets all bits of an argument."""
    array = value_type(object_at(to) or to)
    element, count, source = array.element, array.extent, object_at(what)
    value = given.get(source.symbol) if isinstance(source, VarRef) else None
    place = None if value is None else strip_parens(value)
    if array.kind is not TypeKind.ARRAY or element is None or count is None:
        return None
    if not is_real(element) or not isinstance(place, (VarRef, Index, Member, Unary)):
        return None
    if bytes_measured(size) != bytes_of(array) or bytes_of(value_type(place)) != bytes_of(array):
        return None
    pointer = CType(f"{element.spelling} *", TypeKind.POINTER, 64, False, element=element)
    start = Cast(Unary("&", place, type=pointer), pointer)
    numbers = (Index(start, Literal(str(k), k, INT), element) for k in range(count))
    return InitList(tuple(numbers), array)


def _part(target: Expr, constructor: Function) -> tuple[str | None, int | None]:
    """The member that a statement of a constructor sets, or which element of it."""
    match strip_parens(target):
        case Member(base=base, name=name):
            inner = strip_parens(base)
            own = isinstance(inner, VarRef) and inner.symbol == constructor.receiver
            return (name, None) if own else (None, None)
        case Index(base=base, index=index) if base.type.kind is TypeKind.ARRAY:
            name, outer = _part(base, constructor)
            position = integer_value(index)
            return (None, None) if outer is not None or position is None else (name, position)
        case _:
            return None, None


def _arguments(made: Verbatim, constructor: Function) -> dict[Symbol, Expr] | None:
    """What stands for the parameters."""
    missing = constructor.defaults[len(made.parts) : len(constructor.parameters)]
    values = (*made.parts, *(one for one in missing if one is not None))
    if len(values) != len(constructor.parameters):
        return None
    found: dict[Symbol, Expr] = {}
    for parameter, value in zip(constructor.parameters, values, strict=True):
        ctype = parameter.type
        if ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
            if not ctype.element.is_const:
                return None
            ctype = ctype.element
        known = value_type(value)
        if ctype.kind is TypeKind.RECORD:
            if unqualified(ctype) != unqualified(known):
                return None  # converted, who knows how
        elif ctype.is_arithmetic:
            if not known.is_arithmetic and not is_real(known):
                return None
            if (ctype.kind, ctype.bits) != (known.kind, known.bits):
                value = Cast(value, ctype)
        elif ctype.kind is TypeKind.POINTER:
            if known.kind not in (TypeKind.POINTER, TypeKind.ARRAY):
                return None
        elif not is_real(ctype):
            return None
        simple = isinstance(value, (VarRef, Literal, Member, Paren))
        found[parameter] = value if simple else Paren(value, value.type)
    return found


def _put(
    value: Expr, constructor: Function, given: dict[Symbol, Expr], members: dict[str, Expr]
) -> Expr | None:
    """The value with arguments for parameters, and what members have got for these; None where it
    names anything else."""
    unknown = False

    def replacement(node: Node) -> Node | None:
        nonlocal unknown
        match node:
            case Member(base=VarRef(symbol=symbol), name=name) if symbol == constructor.receiver:
                unknown = unknown or name not in members
                return members.get(name)
            case VarRef(symbol=symbol):
                unknown = unknown or symbol not in given
                return given.get(symbol)
            case Assign() | Verbatim(key=""):
                unknown = True
                return None
            case _:
                return None

    new = rewrite(value, replacement)
    return None if unknown else new
