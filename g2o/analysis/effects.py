"""What statements read and write: variables, and memory behind pointers and arrays.

Sound by default: what is not understood may read and write every variable it names and any memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import Block, Declare, Exchange, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind

# Functions of CUDA and the C library that have no effect but their value.
PURE_FUNCTIONS = frozenset(
    """
    abs fabs fabsf labs llabs sqrt sqrtf cbrt cbrtf rsqrt rsqrtf exp expf exp2 exp2f exp10 exp10f expm1
    expm1f log logf log2 log2f log10 log10f log1p log1pf pow powf powi sin sinf cos cosf tan tanf asin asinf acos
    acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf asinh asinhf acosh acoshf atanh
    atanhf erf erff erfc erfcf tgamma tgammaf lgamma lgammaf ceil ceilf floor floorf round roundf
    rint rintf trunc truncf nearbyint nearbyintf fmod fmodf remainder remainderf fma fmaf fmin fminf
    fmax fmaxf fdim fdimf hypot hypotf copysign copysignf min max isnan isinf isfinite signbit umin
    umax llmin llmax sinpi sinpif cospi cospif ldexp ldexpf scalbn scalbnf ilogb logb fdividef
    __expf __exp10f __logf __log2f __log10f __powf __sinf __cosf __tanf __fdividef __saturatef
    __fmaf_rn __fmul_rn __fadd_rn __fsub_rn __fdiv_rn __frcp_rn __fsqrt_rn __frsqrt_rn __dmul_rn
    __dadd_rn __fma_rn __drcp_rn __dsqrt_rn __ddiv_rn __mul24 __umul24 __mulhi __umulhi __mul64hi
    __umul64hi __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __byte_perm __sad __usad
    __hadd __rhadd __uhadd __urhadd __int_as_float __float_as_int __uint_as_float __float_as_uint
    __double_as_longlong __longlong_as_double __hiloint2double __double2hiint __double2loint
    __float2int_rn __float2int_rz __float2int_ru __float2int_rd __float2uint_rn __float2uint_rz
    __int2float_rn __int2float_rz __uint2float_rn __double2int_rn __double2int_rz __int2double_rn
    __float2ll_rn __ll2float_rn __float2half __half2float __funnelshift_l __funnelshift_r
    make_float2 make_float3 make_float4 make_double2 make_double3 make_double4 make_int2 make_int3
    make_int4 make_uint2 make_uint3 make_uint4 make_char2 make_char4 make_uchar2 make_uchar3
    make_uchar4 make_short2 make_short4 make_ushort2 make_ushort4 make_longlong2 make_ulonglong2
    normcdf normcdff normcdfinv normcdfinvf erfinv erfinvf erfcinv norm3d norm3df norm4d norm4df
    rnorm3d rnorm3df rhypot rhypotf rcbrt rcbrtf
    """.split()
)
# They read memory behind their arguments and write none.
READING_FUNCTIONS = frozenset({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldcv", "__ldlu"})


@final
@dataclass(frozen=True, slots=True)
class FunctionEffects:
    """What calling a function of the program can do, its callees included."""

    reads_thread: bool = False  # uses threadIdx, lanes, clocks: differs between threads
    reads_block: bool = False
    has_barrier: bool = False
    has_exchange: bool = False
    has_shared: bool = False  # declares or names shared memory
    reads_dimensions: bool = False  # blockDim, gridDim
    writes_memory: bool = True
    reads_memory: bool = True
    has_atomics: bool = True
    written_parameters: frozenset[int] = frozenset()

    @property
    def needs_context(self) -> bool:
        """Does the function only make sense inside a kernel?"""
        return (
            self.reads_thread or self.reads_block or self.has_barrier or self.has_exchange
            or self.has_shared or self.reads_dimensions
        )  # fmt: skip


@final
@dataclass(slots=True)
class Effects:
    """Effects of a piece of code. Memory is named by the variable it is reached through; `None`
    stands for memory that can be anywhere."""

    reads: set[Symbol] = field(default_factory=set[Symbol])
    writes: set[Symbol] = field(default_factory=set[Symbol])
    memory_reads: set[Symbol | None] = field(default_factory=set["Symbol | None"])
    memory_writes: set[Symbol | None] = field(default_factory=set["Symbol | None"])
    side_effects: bool = False  # output, atomics, calls of unknown functions

    @property
    def is_pure(self) -> bool:
        return not self.writes and not self.memory_writes and not self.side_effects

    def add(self, other: Effects) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.memory_reads |= other.memory_reads
        self.memory_writes |= other.memory_writes
        self.side_effects = self.side_effects or other.side_effects


def is_memory(symbol: Symbol) -> bool:
    """Is the variable itself memory that other threads see?"""
    return symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED, Storage.GLOBAL)


def root_symbol(expr: Expr) -> Symbol | None:
    """The variable through which an lvalue is reached, or None."""
    match expr:
        case VarRef(symbol=symbol):
            return symbol
        case Index(base=base) | Member(base=base):
            return root_symbol(base)
        case Paren(inner=inner):
            return root_symbol(inner)
        case Cast(operand=operand):
            return root_symbol(operand)
        case Unary(op="*" | "&" | "++" | "--", operand=operand):
            return root_symbol(operand)
        case Binary(op="+" | "-", left=left, right=right):
            if _is_address(left):
                return root_symbol(left)
            return root_symbol(right) if _is_address(right) else None
        case Code(parts=(only,)) if not isinstance(only, str):
            return root_symbol(only)
        case _:
            return None


def _is_address(expr: Expr) -> bool:
    return expr.type.is_indirect or (
        isinstance(expr, VarRef) and expr.symbol.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
    )


def goes_through_pointer(expr: Expr) -> bool:
    """Does the lvalue lie behind a pointer, rather than inside its root variable?"""
    match expr:
        case Index(base=base):
            return base.type.kind is not TypeKind.ARRAY or goes_through_pointer(base)
        case Member(base=base, arrow=arrow):
            return arrow or goes_through_pointer(base)
        case Paren(inner=inner):
            return goes_through_pointer(inner)
        case Unary(op="*"):
            return True
        case Cast(operand=operand):
            return goes_through_pointer(operand)
        case VarRef(symbol=symbol):
            return symbol.type.kind is TypeKind.REFERENCE and symbol.storage is Storage.LOCAL
        case _:
            return False


@final
class EffectsOf:
    """Answers what code does, given what is known of the functions it calls."""

    def __init__(self, functions: dict[str, FunctionEffects]) -> None:
        self.functions = functions

    def of(self, node: Node) -> Effects:
        effects = Effects()
        self._visit(node, effects)
        return effects

    def of_all(self, nodes: Iterable[Node]) -> Effects:
        effects = Effects()
        for node in nodes:
            self._visit(node, effects)
        return effects

    def is_pure(self, node: Node) -> bool:
        return self.of(node).is_pure

    def _visit(self, node: Node, effects: Effects) -> None:
        match node:
            case Assign(op=op, target=target, value=value):
                self._store(target, effects)
                if op != "=":
                    self._load(target, effects)
                self._visit(value, effects)
            case Unary(op="++" | "--", operand=operand):
                self._store(operand, effects)
                self._load(operand, effects)
            case Unary(op="&", operand=operand):
                self._address(operand, effects)
            case VarRef() | Index() | Member() | Unary(op="*"):
                self._load(node, effects)
            case Call():
                self._call(node, effects)
            case Verbatim(parts=parts, pure=pure):
                for part in parts:
                    self._visit(part, effects)
                    if not pure:
                        self._may_write(part, effects)
                if not pure:
                    effects.side_effects = True
                    effects.memory_reads.add(None)
                    effects.memory_writes.add(None)
            case Code(parts=parts, pure=pure):
                for part in parts:
                    if not isinstance(part, str):
                        self._visit(part, effects)
                        if not pure:
                            self._may_write(part, effects)
                effects.side_effects = effects.side_effects or not pure
            case Declare(variables=variables):
                for variable in variables:
                    for extent in variable.extents:
                        self._visit(extent, effects)
                    if variable.initial is not None:
                        self._visit(variable.initial, effects)
                        effects.writes.add(variable.symbol)
                        if variable.symbol.type.kind is TypeKind.REFERENCE:
                            self._may_write(variable.initial, effects)
            case Exchange(result=result, operands=operands):
                for operand in operands:
                    self._visit(operand, effects)
                effects.writes.add(result)
            case _:
                for child in children(node):
                    self._visit(child, effects)

    def _indices(self, expr: Expr, effects: Effects) -> None:
        """The subexpressions of an lvalue that are evaluated as values."""
        match expr:
            case Index(base=base, index=index):
                self._visit(index, effects)
                self._indices(base, effects)
            case Member(base=base):
                self._indices(base, effects)
            case Paren(inner=inner) | Cast(operand=inner):
                self._indices(inner, effects)
            case Unary(op="*", operand=operand):
                self._visit(operand, effects)
            case VarRef():
                pass
            case _:
                self._visit(expr, effects)

    def _store(self, target: Expr, effects: Effects) -> None:
        self._indices(target, effects)
        match target:
            case Paren(inner=inner):
                self._store(inner, effects)
                return
            case Conditional(if_true=if_true, if_false=if_false):
                self._store(if_true, effects)
                self._store(if_false, effects)
                return
            case _:
                pass
        root = root_symbol(target)
        if goes_through_pointer(target):
            effects.memory_writes.add(root)
            if root is not None:
                effects.reads.add(root)
        elif root is None:
            effects.memory_writes.add(None)
            effects.side_effects = True
        elif is_memory(root):
            effects.memory_writes.add(root)
        else:
            effects.writes.add(root)

    def _load(self, expr: Expr, effects: Effects) -> None:
        self._indices(expr, effects)
        root = root_symbol(expr)
        if root is None:
            if goes_through_pointer(expr):
                effects.memory_reads.add(None)
            return
        effects.reads.add(root)
        if goes_through_pointer(expr) or is_memory(root):
            effects.memory_reads.add(root)

    def _address(self, operand: Expr, effects: Effects) -> None:
        """An address by itself reads nothing; a private variable whose address is taken may change
        through it, so that counts as a write."""
        self._indices(operand, effects)
        root = root_symbol(operand)
        if root is None:
            return
        effects.reads.add(root)
        if not is_memory(root) and not goes_through_pointer(operand):
            effects.writes.add(root)

    def _may_write(self, expr: Expr, effects: Effects) -> None:
        for node in walk(expr):
            if not isinstance(node, VarRef):
                continue
            symbol = node.symbol
            if is_memory(symbol) or symbol.type.kind is TypeKind.POINTER:
                effects.memory_writes.add(symbol)
            if not symbol.type.is_const:
                effects.writes.add(symbol)

    def _call(self, call: Call, effects: Effects) -> None:
        if not isinstance(call.callee, Literal):
            self._visit(call.callee, effects)
        for argument in call.arguments:
            self._visit(argument, effects)
        if call.name in PURE_FUNCTIONS and not call.key.startswith("?"):
            return
        if call.name in READING_FUNCTIONS:
            for argument in call.arguments:
                effects.memory_reads.add(root_symbol(argument))
            return
        known = [self.functions.get(key) for key in call.key.split("|")] if call.key else [None]
        certain = [one for one in known if one is not None]
        unknown = len(certain) < len(known)
        if call.is_cuda or unknown:
            effects.side_effects = True
        if unknown or any(one.reads_memory for one in certain):
            effects.memory_reads.update(root_symbol(argument) for argument in call.arguments)
            if unknown:
                effects.memory_reads.add(None)
        writes_any = unknown or any(one.writes_memory or one.has_atomics for one in certain)
        if any(one.has_atomics for one in certain):
            effects.side_effects = True
        if isinstance(call.callee, Member):
            self._receiver(call.callee, effects)
        for position, argument in enumerate(call.arguments):
            by_reference = unknown or any(position in one.written_parameters for one in certain)
            if by_reference and _is_lvalue(argument):
                self._store(argument, effects)
            if writes_any and (_is_address(argument) or unknown):
                self._written_through(argument, effects)
        if writes_any and not call.is_cuda and not any(map(_is_address, call.arguments)):
            effects.memory_writes.add(None)

    def _receiver(self, callee: Member, effects: Effects) -> None:
        root = root_symbol(callee.base)
        if callee.arrow or root is None:
            effects.memory_writes.add(root)
        elif is_memory(root):
            effects.memory_writes.add(root)
        else:
            effects.writes.add(root)

    def _written_through(self, argument: Expr, effects: Effects) -> None:
        inner = argument
        while isinstance(inner, (Paren, Cast)):
            inner = inner.inner if isinstance(inner, Paren) else inner.operand
        match inner:
            case Unary(op="&", operand=operand):
                self._store(operand, effects)
            case Literal():
                pass
            case _:
                if inner.type.kind in (TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL):
                    return
                if _points_to_const(inner):
                    return
                root = root_symbol(inner)
                effects.memory_writes.add(root)
                if root is not None and root.type.kind is TypeKind.ARRAY and not is_memory(root):
                    effects.writes.add(root)


def _points_to_const(expr: Expr) -> bool:
    element = expr.type.element
    return element is not None and element.is_const


def _is_lvalue(expr: Expr) -> bool:
    match expr:
        case VarRef() | Index() | Member() | Unary(op="*"):
            return True
        case Paren(inner=inner):
            return _is_lvalue(inner)
        case _:
            return False


def symbols_in(node: Node) -> set[Symbol]:
    """Variables that `node` names or declares."""
    found: set[Symbol] = set()
    for inner in walk(node):
        if isinstance(inner, VarRef):
            found.add(inner.symbol)
        elif isinstance(inner, Declare):
            found.update(variable.symbol for variable in inner.variables)
        elif isinstance(inner, Exchange):
            found.add(inner.result)
    return found


def declared_in(node: Node) -> set[Symbol]:
    return {
        variable.symbol
        for inner in walk(node)
        if isinstance(inner, Declare)
        for variable in inner.variables
    }


def launch_refs(node: Node) -> list[LaunchRef]:
    return [inner for inner in walk(node) if isinstance(inner, LaunchRef)]


def statements_of(body: Stmt) -> tuple[Stmt, ...]:
    """The statements of a block, or the statement itself."""
    return body.statements if isinstance(body, Block) else (body,)
