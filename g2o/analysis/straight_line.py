"""Straight-line arithmetic: what compilers make vectors of."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from g2o.analysis.effect_sets import FunctionEffects
from g2o.analysis.effects import declared_in
from g2o.analysis.lvalues import root_symbol
from g2o.analysis.vector_math import inline_name
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, unqualified, vector_number

# Calls that both g++ and clang++ turn into vector instructions without a vector library. Not square
# roots: those of negative numbers set `errno`, unless the compiler is told that nobody looks.
_VECTOR_FUNCTIONS = frozenset({"fabs", "fabsf", "abs", "labs", "llabs"})
# The runtime's own, which set no `errno` where a compiler has such.
_RUNTIME_FUNCTIONS = frozenset({"rsqrt", "rsqrtf"})
_ROOTS = frozenset({"sqrt", "sqrtf"})
# The same of those for which the runtime has inline code.
_INLINE_FUNCTIONS = frozenset({"fmin", "fminf", "fmax", "fmaxf"})
# What stands behind INFINITY, HUGE_VAL and NAN.
_CONSTANTS = frozenset(f"__builtin_{name}{end}" for name in ("inf", "huge_val", "nan")
                       for end in ("", "f"))  # fmt: skip
# Those that are vectors only with some flags or on some CPUs.
_INSTRUCTIONS = _ROOTS | frozenset(
    name + end
    for name in ("rsqrt", "fma", "floor", "ceil", "trunc", "rint", "abs", "__mul24", "__umul24")
    for end in ("", "f")
) | {"__fdividef", "__saturatef", "__fmaf_rn", "__fma_rn", "__fmul_rn", "__fadd_rn"}  # fmt: skip

_MOST_MEMBERS = 4


def obstacle(
    body: Node,
    records: bool = False,
    functions: Mapping[str, FunctionEffects] | None = None,
) -> Node | None:
    """The first thing in the body of a thread loop that is not fit for `omp simd`: conditions that
    decide more than which of two numbers it is, among others. `records`: small structures and
    square roots are fit. With `functions`, what compilers can make vectors of but
    need not: conditions, too, and calls of those that are straight-line arithmetic themselves."""
    free = functions is not None
    inside = declared_in(body)
    for node in walk(body):
        match node:
            case For() | While() | DoWhile() | Switch() | Labelled() | Jump() | Return():
                return node
            case If() | Conditional():
                if not free and not _is_select(node, inside):
                    return node
            case CountedLoop() | LocalFunction() | Text() | Verbatim():
                return node
            case Code(pure=False):
                return node
            case Code(parts=(str() as text, *_)) if _is_between_lanes(text):
                return node  # a loop over lanes
            case Call():
                is_root = records and node.name in _ROOTS and len(node.arguments) == 1
                is_fit = is_root or is_vector_function(node)
                if not is_fit and not (functions is not None and _is_inline(node, functions)):
                    return node
            case Unary(op="++" | "--"):
                if not free:
                    return node
            case Binary(op="/" | "%", type=ctype, right=divisor):
                if free and ctype.kind is TypeKind.INTEGER and integer_value(divisor) is None:
                    return node  # no CPU divides vectors of integers
            case Index() | Member() | Unary(op="*") if _is_volatile(node):
                return node
            case Assign(target=target) if target.type.kind is TypeKind.RECORD:
                return node  # copied as bytes, often by `memcpy`
            case Declare(variables=variables):
                types = [v.symbol.type for v in variables if not is_lead(v, body)]
                if not all(
                    one.is_arithmetic
                    or ((records or free) and is_small_record(one))
                    or (free and is_open_number(one))
                    for one in types
                ):
                    return node
                if any(v.symbol.type.kind is TypeKind.ARRAY for v in variables):
                    return node
            case _:
                pass
    return None


def is_lead(variable: Variable, body: Node) -> bool:
    """Is it a pointer that stays where it is, to elements that are named by it?"""
    symbol = variable.symbol
    if symbol.type.kind is not TypeKind.POINTER or variable.initial is None or variable.suffix:
        return False
    named = sum(isinstance(node, VarRef) and node.symbol == symbol for node in walk(body))
    based = 0
    for node in walk(body):
        match node:
            case Index(base=VarRef(symbol=base)) | Unary(op="*", operand=VarRef(symbol=base)):
                based += base == symbol
            case _:
                pass
    return named == based


def _is_select(node: Node, own: Collection[Symbol]) -> bool:
    """Does a condition only decide which number one of its `own` variables is, so that both can be
    computed? What is loaded for one of them may not be there for the other."""
    match node:
        case Conditional(condition=condition, if_true=one, if_false=other):
            return _is_number(node.type) and _is_asked(condition) and _are_computed(one, other)
        case If(condition=condition, then=then, otherwise=otherwise):
            parts = (then,) if otherwise is None else (then, otherwise)
            inner = (one.condition for part in parts for one in walk(part) if isinstance(one, If))
            alone = _is_asked(condition) and _are_computed(*inner)
            return alone and all(_is_select(part, own) for part in parts)
        case Block(statements=statements):
            return all(_is_select(one, own) for one in statements)
        case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)):
            return symbol in own and _is_number(symbol.type) and _are_computed(value)
        case _:
            return False


def _is_number(ctype: CType) -> bool:
    return ctype.kind in (TypeKind.INTEGER, TypeKind.FLOATING) and ctype.bits >= 32


def _is_asked(condition: Expr) -> bool:
    """Is all that is loaded for a condition loaded in any case?"""
    parts = list(walk(condition))
    some = any(isinstance(one, Conditional) or _is_logical(one) for one in parts)
    return _are_computed(condition) or not some


def _is_logical(node: Node) -> bool:
    return isinstance(node, Binary) and node.op in ("&&", "||")


def _are_computed(*values: Expr) -> bool:
    """Are they computed from variables alone, by what never fails?"""
    for node in (inner for value in values for inner in walk(value)):
        match node:
            case Binary(op="/" | "%", type=ctype) if ctype.kind is not TypeKind.FLOATING:
                return False
            case VarRef() | Literal() | Binary() | Cast() | Paren() | Conditional():
                pass
            case Unary(op="-" | "+" | "!" | "~"):
                pass
            case Index() if _is_own_element(node):
                pass
            case _:
                return False
    return True


def _is_own_element(place: Index) -> bool:
    """Is it the thread's element of an array that lowering has made for all threads of the loop?"""
    index = place.index
    if isinstance(index, Binary) and index.op == "-":  # `t - first`
        index = index.left
    if not isinstance(index, VarRef) or index.symbol.storage is not Storage.INDEX:
        return False
    match place.base:
        case Index() as row:  # of an array with rows; no pointer that a thread has kept
            return row.type.kind is not TypeKind.POINTER and _is_own_element(row)
        case VarRef(symbol=symbol):
            return symbol.storage is Storage.BLOCK
        case _:
            return False


def _is_volatile(place: Expr) -> bool:
    """Does it stay so? Shared memory is not what threads wait for each other by any more."""
    root = root_symbol(place)
    shared = root is not None and root.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return place.type.is_volatile and not shared


def _is_between_lanes(text: str) -> bool:
    """Does code begin with a function that looks at the values of several lanes?"""
    return text.startswith("g2o::") and text.endswith("(") and not text.endswith("_lane(")


def is_open_number(ctype: CType) -> bool:
    """The parameter of a template, which is a number for all that straight-line code does to it."""
    return ctype.kind is TypeKind.DEPENDENT and unqualified(ctype).isidentifier()


def is_small_record(ctype: CType) -> bool:
    """A structure that compilers keep in registers."""
    if ctype.kind is not TypeKind.RECORD or ctype.constructs:
        return False
    few = 0 < len(ctype.fields) <= _MOST_MEMBERS and all(t.is_arithmetic for _, t in ctype.fields)
    return few or vector_number(ctype) is not None


def _is_inline(call: Call, functions: Mapping[str, FunctionEffects]) -> bool:
    known = functions.get(call.key)
    return call.name in _INSTRUCTIONS if known is None else known.is_arithmetic


def is_inverse_root(call: Call) -> bool:
    """Is it the runtime's `rsqrt`? It costs as much as much else, but may be in vectors."""
    return call.is_cuda and call.name in _RUNTIME_FUNCTIONS and len(call.arguments) == 1


def is_vector_function(call: Call) -> bool:
    if inline_name(call) is not None or call.name in _CONSTANTS:
        return True
    if call.name in _VECTOR_FUNCTIONS:
        return len(call.arguments) == 1 and call.type.is_arithmetic
    if len(call.arguments) != 2 or not isinstance(call.callee, Literal):
        return False
    if call.name in ("min", "max"):
        return call.is_cuda
    return call.name in _INLINE_FUNCTIONS and call.callee.text == call.name  # not std::fmax


def is_arithmetic_function(function: Function, functions: Mapping[str, FunctionEffects]) -> bool:
    """Does it give a number for the numbers it is told, without loops and jumps?"""
    statements = function.body.statements
    types = (function.result, *(one.type for one in function.parameters))
    if not statements or not all(one.is_arithmetic for one in types):
        return False
    *before, last = statements
    if not isinstance(last, Return) or last.value is None:
        return False
    done = Block((*before, ExprStatement(last.value)))
    return obstacle(done, functions=functions) is None
