"""When `#pragma omp simd` may stand on a loop over threads.

Legality: threads of one barrier interval do not depend on each other in a program without races, so
the loop carries no dependence, unless an operation between threads hides in the body. Profit, and
compilers that warn when a demanded vectorisation fails, ask for more: straight-line arithmetic.
"""

from __future__ import annotations

from g2o.analysis.lvalues import root_symbol
from g2o.ir.expressions import (
    Assign,
    Call,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Unary,
    Verbatim,
)
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Switch,
    Text,
    While,
)
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind
from g2o.lowering.reloads import makes_wrong_vectors

# Calls that both g++ and clang++ turn into vector instructions without a vector library. Not square
# roots: those of negative numbers set `errno`, unless the compiler is told that nobody looks.
_VECTOR_FUNCTIONS = frozenset({"fabs", "fabsf"})
_ROOTS = frozenset({"sqrt", "sqrtf"})
# The same of those for which the runtime has inline code.
_INLINE_FUNCTIONS = frozenset({"fmin", "fminf", "fmax", "fmaxf"})

_MOST_MEMBERS = 4


def may_vectorise(body: Node) -> bool:
    """Is the body of a thread loop fit for `omp simd`?"""
    return obstacle(body) is None and not makes_wrong_vectors(body)


def may_vectorise_with_records(body: Node) -> bool:
    """The same for the sums of an adjoint. Variables may be small structures of numbers, used
    member by member; square roots may stay, as no compiler adds up in another order unless told to.
    """
    return obstacle(body, records=True) is None and not makes_wrong_vectors(body)


def obstacle(body: Node, records: bool = False) -> Node | None:
    """The first thing in the body of a thread loop that is not fit for `omp simd`."""
    for node in walk(body):
        match node:
            case For() | While() | DoWhile() | Switch() | Labelled() | Jump() | Return():
                return node
            case CountedLoop() | LocalFunction() | Text() | Verbatim() | If() | Conditional():
                return node
            case Code(pure=False):
                return node
            case Code(parts=(str() as text, *_)) if _is_between_lanes(text):
                return node  # a loop over lanes
            case Call():
                is_root = records and node.name in _ROOTS and len(node.arguments) == 1
                if not is_root and not _is_vector_function(node):
                    return node
            case Unary(op="++" | "--"):
                return node
            case Index() | Member() | Unary(op="*") if _is_volatile(node):
                return node
            case Assign(target=target) if target.type.kind is TypeKind.RECORD:
                return node  # copied as bytes, often by `memcpy`
            case Declare(variables=variables):
                if not all(
                    v.symbol.type.is_arithmetic or (records and _is_numbers(v.symbol.type))
                    for v in variables
                ):
                    return node
                if any(v.symbol.type.kind is TypeKind.ARRAY for v in variables):
                    return node
            case _:
                pass
    return None


def _is_volatile(place: Expr) -> bool:
    """Does it stay so? Shared memory is not what threads wait for each other by any more."""
    root = root_symbol(place)
    shared = root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return place.type.is_volatile and not shared


def _is_between_lanes(text: str) -> bool:
    """Does code begin with a function that looks at the values of several lanes?"""
    return text.startswith("g2o::") and text.endswith("(") and not text.endswith("_lane(")


def _is_numbers(ctype: CType) -> bool:
    """A structure that compilers keep in registers."""
    few = 0 < len(ctype.fields) <= _MOST_MEMBERS
    return ctype.kind is TypeKind.RECORD and few and all(t.is_arithmetic for _, t in ctype.fields)


def _is_vector_function(call: Call) -> bool:
    if call.name in _VECTOR_FUNCTIONS:
        return len(call.arguments) == 1
    if len(call.arguments) != 2 or not isinstance(call.callee, Literal):
        return False
    if call.name in ("min", "max"):
        return call.is_cuda
    return call.name in _INLINE_FUNCTIONS and call.callee.text == call.name  # not std::fmax
