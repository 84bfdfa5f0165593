"""Memory on a boundary that is asked for as plain memory, in derivatives.

    double *w = aligned_alloc(64, n);              double *w = malloc(n);
    double *v;
    if (posix_memalign((void **)&v, 64, n))   ->   double *v;
        return -1.0;                               if (!(v = malloc(n)))
                                                       return -1.0;

Nothing but speed depends on the boundary, as no clause of a derivative says that there is one. What
the function of POSIX gives back is 0 or the number of a fault, of which there is one: no memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from g2o.ir.expressions import (
    Assign,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Block, Declare, ExprStatement, Node, Stmt
from g2o.ir.traverse import rewrite
from g2o.ir.types import BOOL, INT, CType, TypeKind

_WITH_BOUNDARY: Final = ("aligned_alloc", "memalign")
_NO_MEMORY: Final = Literal("12", 12, INT)  # ENOMEM


def with_plain_allocations(body: Block) -> Block:
    """`body` where memory comes from `malloc` instead."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements) if any(map(_keeps_fault, statements)):
                made = tuple(part for one in statements for part in _apart(one))
                return rewrite(replace(node, statements=made, form=Form.BUILT), replacement)
            case Call(name=name, arguments=(_, size)) if name in _WITH_BOUNDARY:
                return _malloc(size, node.type)
            case ExprStatement(expr=Call() as call) if (given := _by_address(call)) is not None:
                return replace(node, expr=given, form=Form.BUILT)
            case Call() if (given := _by_address(node)) is not None:
                return Unary("!", Paren(given, given.type), type=BOOL)
            case _:
                return None

    return rewrite(body, replacement)


def _keeps_fault(statement: Stmt) -> bool:
    """Does it keep what the function of POSIX gives back?"""
    match statement:
        case Declare(variables=(variable,)) if variable.initial is not None:
            return _by_address(variable.initial) is not None
        case ExprStatement(expr=Assign(op="=", value=value)):
            return _by_address(value) is not None
        case _:
            return False


def _apart(statement: Stmt) -> Iterator[Stmt]:
    match statement:
        case Declare(variables=(variable,)) if variable.initial is not None:
            given = _by_address(variable.initial)
        case ExprStatement(expr=Assign(op="=", value=value)):
            given = _by_address(value)
        case _:
            given = None
    if given is None:
        yield statement
        return
    yield ExprStatement(given, trivia=statement.trivia, form=Form.BUILT)
    fault = Conditional(given.target, Literal("0", 0, INT), _NO_MEMORY, INT)
    match statement:
        case Declare(variables=(variable,)):
            yield Declare((replace(variable, initial=fault),))
        case ExprStatement(expr=Assign() as assigned):
            yield ExprStatement(replace(assigned, value=fault), form=Form.BUILT)
        case _:
            pass


def _by_address(expr: Expr) -> Assign | None:
    """What `posix_memalign` does, as an assignment; None for all else, and where the address is
    not that of a variable."""
    match strip_parens(expr):
        case Call(name="posix_memalign", arguments=(target, _, size)):
            place = strip_parens(target)
        case _:
            return None
    place = strip_parens(place.operand) if isinstance(place, Cast) else place
    match place:
        case Unary(op="&", operand=VarRef() as pointer) if pointer.type.kind is TypeKind.POINTER:
            return Assign("=", pointer, _malloc(size, pointer.type), pointer.type)
        case _:
            return None


def _malloc(size: Expr, ctype: CType) -> Call:
    return Call("malloc", Literal("malloc"), (size,), type=ctype)
