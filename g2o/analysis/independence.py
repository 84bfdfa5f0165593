"""Whether the iterations of a loop could run in any order, and at the same time.

    for (int i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];          // every iteration has elements of its own

Asked of loops whose iterations one CUDA thread runs one after the other, so that the absence of
races in the source says nothing. Proved by index: all accesses to what is written are at
`c * i + k` with one constant c and constants k that are less than c apart. Memory is told apart by
`__restrict__` and by element type, as C++ tells it apart.

`conflicts` asks about the threads of a block, and of a kernel before it is lowered, whose absence
of races it may rely on. Here the loop is one that lowering has made or kept, with loop indices in
place of threads and nothing to rely on; the one form of index that is recognised is that of the
loops whose iterations become vector lanes, and deciding it needs no solver.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effect_sets import FunctionEffects
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.analysis.integer_types import same_element
from g2o.analysis.led_apart import lead_apart
from g2o.analysis.lvalues import is_address
from g2o.analysis.memory import Memory
from g2o.analysis.mixed_radix import Digits
from g2o.analysis.pure_functions import READING_FUNCTIONS, is_pure
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Expr,
    Index,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    is_variable,
)
from g2o.ir.statements import Barrier, Declare, Exchange, LocalFunction, Node, Stmt, Text
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import CType, TypeKind, may_share_memory


@final
@dataclass(frozen=True, slots=True)
class AffineIndex:
    """`scale * i + offset + rest`, where `rest` spells what is the same in every iteration."""

    scale: int
    offset: int
    rest: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class _Access:
    root: Symbol
    index: AffineIndex | None  # None: anywhere
    element: CType | None
    writes: bool
    atomic: bool = False


def dependence_between_iterations(
    body: Stmt,
    variable: Symbol,
    effects: EffectsOf,
    changing: set[Symbol],
    apart: Collection[Symbol] = (),
    expected: set[tuple[Symbol, Symbol, int]] | None = None,
) -> str | None:
    """Why iterations of a loop over `variable` may depend on each other; None where they do not.

    `changing` are variables from outside of the loop that are not the same in every iteration,
    `apart` pointers that do not overlap each other where iterations could tell. Two other arrays of
    which each iteration has as many elements have to begin at one place, or as far apart as all
    iterations go: they are added to `expected`, with that number; without it that is a reason.
    """
    written = effects.of(body).writes - declared_in(body)
    if written:
        names = ", ".join(sorted(symbol.name for symbol in written))
        return f"iterations share the variable '{names}'"
    collector = _Collector(body, variable, effects, changing)
    collector.visit(body)
    if collector.refusal is not None:
        return collector.refusal
    return _conflict(collector.accesses, apart, expected, effects.memory)


def _conflict(
    accesses: list[_Access],
    apart: Collection[Symbol],
    expected: set[tuple[Symbol, Symbol, int]] | None,
    memory: Memory,
) -> str | None:
    for write in accesses:
        if not write.writes:
            continue
        for other in accesses:
            if other is write and write.index is not None and write.index.scale != 0:
                continue
            if write.atomic and (other.atomic or other.root != write.root):
                continue
            if other.root != write.root:
                told_apart = write.root in apart and other.root in apart
                if told_apart or not _may_alias(write, other, memory):
                    continue
                scale = _scale_of_both(write, other)
                if expected is None or scale is None:
                    return f"'{write.root.name}' and '{other.root.name}' may overlap"
                expected.add((write.root, other.root, scale))
            elif not _apart(write.index, other.index):
                return f"iterations may meet in '{write.root.name}'"
    return None


def _scale_of_both(one: _Access, other: _Access) -> int | None:
    """How many elements of each array an iteration has, if they meet in no other iteration where
    both arrays begin at one place."""
    moved = Storage.LOCAL in (one.root.storage, other.root.storage)
    if moved or one.index is None or not _same_size(one.element, other.element):
        return None
    return abs(one.index.scale) if _apart(one.index, other.index) else None


def _same_size(one: CType | None, other: CType | None) -> bool:
    """Is element number i of both at the same place, where both begin at one?"""
    if one is None or other is None:
        return False
    # Parameters of templates have no size, but one.
    return one.bits == other.bits > 0 or same_element(one, other)


def _apart(one: AffineIndex | None, other: AffineIndex | None) -> bool:
    """Do different iterations never touch the same element with these two?"""
    if one is None or other is None or one.scale == 0:
        return False
    if one.scale != other.scale or one.rest != other.rest:
        return False
    return abs(one.offset - other.offset) < abs(one.scale)


def _may_alias(one: _Access, other: _Access, memory: Memory) -> bool:
    if one.root.type.is_restrict or other.root.type.is_restrict:
        return False
    if lead_apart(one.root, other.root, memory):
        return False
    return may_share_memory(one.element, other.element)


@final
@dataclass(slots=True)
class _Collector:
    """Gathers the accesses to memory that other iterations see."""

    body: Stmt
    variable: Symbol
    effects: EffectsOf
    changing: set[Symbol]
    accesses: list[_Access] = field(default_factory=list[_Access])
    refusal: str | None = None
    own: set[Symbol] = field(default_factory=set[Symbol])
    values: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    starts: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    """The values, and where pointers start that walk on."""
    digits: Digits = field(init=False)

    def __post_init__(self) -> None:
        self.own = declared_in(self.body)
        written = written_after_declaration(self.body, self.effects)
        for node in walk(self.body):
            if not isinstance(node, Declare):
                continue
            for declared in node.variables:
                symbol = declared.symbol
                if declared.initial is None:
                    continue
                if symbol not in written:
                    self.values[symbol] = declared.initial
                elif symbol.type.kind is TypeKind.POINTER and self._only_walks(symbol):
                    self.starts[symbol] = declared.initial
        self.starts.update(self.values)
        self.digits = Digits(self.variable, self.starts)

    def _only_walks(self, pointer: Symbol) -> bool:
        """Is a pointer only moved from where it is, under its own name?"""
        for node in walk(self.body):
            match node:
                case Assign(op="=", target=target) if is_variable(target, pointer):
                    return False
                case Call() if pointer in self.effects.of(node).writes:
                    return False
                case Declare(variables=variables):
                    for one in variables:
                        is_reference = one.symbol.type.kind is TypeKind.REFERENCE
                        if is_reference and one.initial and pointer in symbols_in(one.initial):
                            return False
                case _:
                    pass
        return True

    def refuse(self, reason: str) -> None:
        if self.refusal is None:
            self.refusal = reason

    def visit(self, node: Node) -> None:
        match node:
            case Assign(target=target, value=value):
                self._access(target, writes=True)
                self.visit(value)
            case Unary(op="++" | "--", operand=operand):
                self._access(operand, writes=True)
            case Unary(op="&"):
                self.refuse("the address of a variable is taken")
            case VarRef() | Index() | Member() | Unary(op="*"):
                self._access(node, writes=False)
            case Call():
                self._call(node)
            case Verbatim(pure=False) | Code(pure=False):
                self.refuse("there is code that is not understood")
            case Barrier() | Exchange() | Text() | LocalFunction():
                self.refuse("there is code that is not understood")
            case Declare(variables=variables):
                for declared in variables:
                    self._declare(declared.symbol, declared.initial)
            case _:
                for child in children(node):
                    self.visit(child)

    def _declare(self, symbol: Symbol, initial: Expr | None) -> None:
        if symbol.storage is not Storage.LOCAL:
            self.refuse(f"'{symbol.name}' outlives an iteration")
        if initial is None:
            return
        if symbol.type.kind is TypeKind.REFERENCE:
            self._access(initial, writes=not _refers_to_const(symbol.type))
        elif symbol.type.kind is TypeKind.POINTER:
            if self._lead(VarRef(symbol)) is None:
                self.refuse(f"'{symbol.name}' points somewhere")
            self._address(initial)
        else:
            self.visit(initial)

    # -- memory ---------------------------------------------------------------------------------

    def _access(self, place: Expr, writes: bool, atomic: bool = False) -> None:
        match place:
            case Paren(inner=inner):
                self._access(inner, writes, atomic)
            case VarRef(symbol=symbol):
                self._variable(symbol, writes, atomic)
            case Member(base=base, arrow=False):
                self._access(base, writes, atomic)
            case Index(base=VarRef(symbol=symbol), index=index):
                self._element(symbol, index, writes, atomic)
                self.visit(index)
            case Unary(op="*", operand=operand):
                self._pointed_at(operand, writes, atomic)
            case _:
                self._anywhere(place, writes, atomic)

    def _variable(self, symbol: Symbol, writes: bool, atomic: bool) -> None:
        if symbol in self.own or symbol == self.variable:
            if symbol.type.kind is TypeKind.REFERENCE and symbol.storage is Storage.LOCAL:
                bound = self.values.get(symbol)
                if bound is None:
                    self.refuse(f"'{symbol.name}' refers to something")
                elif writes and _refers_to_const(symbol.type):
                    self.refuse(f"'{symbol.name}' is constant")
            return
        if symbol.storage is Storage.GLOBAL:
            self._record(symbol, AffineIndex(0, 0), symbol.type, writes, atomic)
        elif symbol.type.is_volatile or symbol.type.kind is TypeKind.REFERENCE:
            self.refuse(f"'{symbol.name}' may change")

    def _element(self, symbol: Symbol, index: Expr, writes: bool, atomic: bool) -> None:
        if symbol in self.own:
            lead = self._lead(VarRef(symbol))
            if lead is not None:
                place = self.affine(index) if self._is_start(VarRef(symbol)) else None
                self._record(lead, place, symbol.type.element, writes, atomic)
            elif symbol.type.kind is not TypeKind.ARRAY:
                self.refuse(f"'{symbol.name}' points somewhere")
            return
        if symbol.storage is Storage.LOCAL and symbol.type.kind is TypeKind.ARRAY:
            return  # written ones are refused as shared variables
        if symbol in self.changing or symbol.type.kind not in (TypeKind.POINTER, TypeKind.ARRAY):
            self.refuse(f"'{symbol.name}' points to different places")
            return
        element = symbol.type.element
        self._record(symbol, self.affine(index), element, writes, atomic)

    def _pointed_at(self, operand: Expr, writes: bool, atomic: bool) -> None:
        inner = operand
        while isinstance(inner, Paren):
            inner = inner.inner
        match inner:
            case Binary(op="+", left=VarRef(symbol=symbol), right=right) if (
                symbol.type.kind is TypeKind.POINTER
            ):
                self._element(symbol, right, writes, atomic)
                self.visit(right)
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.POINTER:
                self._element(symbol, Literal("0", 0), writes, atomic)
            case _:
                self._anywhere(operand, writes, atomic)

    def _anywhere(self, place: Expr, writes: bool, atomic: bool) -> None:
        root = root_symbol(place)
        if root is not None and root in self.own and root.type.kind is TypeKind.POINTER:
            root = self._lead(VarRef(root))
        if root is None or root in self.own:
            self.refuse("an address is not understood")
            return
        element = root.type.element
        flat = element is not None and element.is_arithmetic
        index = self._by_digits(place)
        self._record(root, index, element if flat else None, writes, atomic)
        if index is not None:
            return  # its indices are numbers
        for child in children(place):
            self.visit(child)

    def _by_digits(self, place: Expr) -> AffineIndex | None:
        """An element of an array with several indices, the digits of the variable: another one in
        each iteration, as no index exceeds its extent."""
        indices: list[Expr] = []
        while isinstance(place, Index):
            indices.append(place.index)
            place = place.base
        match place:
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.ARRAY:
                if self.digits.told_by(indices) and self._stay(indices):
                    return AffineIndex(1, 0, tuple(repr(self.digits.of(one)) for one in indices))
            case _:
                pass
        return None

    def _lead(self, address: Expr) -> Symbol | None:
        """The pointer or array from outside of the loop that an address is computed from."""
        match address:
            case VarRef(symbol=symbol) if symbol in self.own:
                is_pointer = symbol.type.kind is TypeKind.POINTER and symbol in self.starts
                return self._lead(self.starts[symbol]) if is_pointer else None
            case VarRef(symbol=symbol):
                stays = symbol not in self.changing and symbol.storage is not Storage.LOCAL
                return symbol if stays and is_address(address) else None
            case Paren(inner=inner) | Cast(operand=inner):
                return self._lead(inner)
            case Unary(op="&", operand=Index(base=base)):
                return self._lead(base)
            case Binary(op="+" | "-" as op, left=left, right=right):
                lead = self._lead(left)
                return self._lead(right) if lead is None and op == "+" else lead
            case _:
                return None

    def _is_start(self, address: Expr) -> bool:
        """Is it where the pointer or array begins that it is computed from?"""
        match address:
            case VarRef(symbol=symbol) if symbol in self.own:
                return symbol in self.values and self._is_start(self.values[symbol])
            case VarRef():
                return True
            case Paren(inner=inner) | Cast(operand=inner):
                return self._is_start(inner)
            case _:
                return False

    def _record(
        self,
        root: Symbol,
        index: AffineIndex | None,
        element: CType | None,
        writes: bool,
        atomic: bool,
    ) -> None:
        if root.storage is Storage.GLOBAL and root.type.is_const:
            return
        if element is not None and element.is_volatile:
            self.refuse(f"'{root.name}' is volatile")
        self.accesses.append(_Access(root, index, element, writes, atomic))

    def _call(self, call: Call) -> None:
        if call.is_cuda and call.name.startswith("atomic") and call.arguments:
            target, *operands = call.arguments
            self._atomic(target)
            for operand in operands:
                self.visit(operand)
            return
        known = self.effects.functions.get(call.key)
        for argument in call.arguments:
            if known is not None and argument.type.is_indirect:
                self._address(argument)
            else:
                self.visit(argument)
        if known is None and is_pure(call):
            return
        if call.name in READING_FUNCTIONS and known is None:
            for argument in call.arguments:
                self._anywhere(argument, writes=False, atomic=False)
            return
        if known is None or known.has_atomics or known.writes_elsewhere or known.writes_through:
            self.refuse(f"'{call.name}' may write memory")
            return
        if known.reads_elsewhere:
            self.refuse(f"'{call.name}' may read any memory")
        self._of_known_call(call, known)

    def _address(self, argument: Expr) -> None:
        """What computing an address reads."""
        match argument:
            case VarRef():
                pass
            case Paren(inner=inner) | Unary(op="&", operand=inner) | Cast(operand=inner):
                self._address(inner)
            case Index(base=base, index=index):
                self._address(base)
                self.visit(index)
            case Member(base=base, arrow=False):
                self._address(base)
            case Binary(op="+" | "-", left=left, right=right):
                for operand in (left, right):
                    if operand.type.is_indirect:
                        self._address(operand)
                    else:
                        self.visit(operand)
            case _:
                self.refuse("an address is not understood")

    def _of_known_call(self, call: Call, known: FunctionEffects) -> None:
        receiver: Expr | None = None
        arguments = call.arguments
        if isinstance(call.callee, Member):
            receiver = call.callee.base
        elif known.is_method and arguments:
            receiver, *rest = arguments
            arguments = tuple(rest)
        if receiver is not None:
            self._access(receiver, writes=known.writes_receiver)
        for position, argument in enumerate(arguments):
            if position in known.written_parameters:
                self._access(argument, writes=True)
            if position in known.reads_through:
                self._anywhere(argument, writes=False, atomic=False)

    def _atomic(self, target: Expr) -> None:
        inner = target
        while isinstance(inner, Paren):
            inner = inner.inner
        match inner:
            case Unary(op="&", operand=operand):
                self._access(operand, writes=True, atomic=True)
            case _:
                self._pointed_at(inner, writes=True, atomic=True)

    # -- indices --------------------------------------------------------------------------------

    def affine(self, expr: Expr) -> AffineIndex | None:
        """`expr` as a function of the loop variable, where it is affine with constant scale."""
        value = integer_value(expr)
        if value is not None:
            return AffineIndex(0, value)
        if isinstance(expr, Binary) and self.digits.spells(expr) and self._stay((expr,)):
            return AffineIndex(1, 0)
        match expr:
            case Paren(inner=inner):
                return self.affine(inner)
            case Cast(operand=operand, type=ctype) if (
                ctype.kind is TypeKind.INTEGER and ctype.bits >= 32
            ):
                return self.affine(operand)
            case VarRef(symbol=symbol):
                if symbol == self.variable:
                    return AffineIndex(1, 0)
                if symbol in self.values:
                    wide = symbol.type.kind is TypeKind.INTEGER and symbol.type.bits >= 32
                    return self.affine(self.values[symbol]) if wide else None
                return self._constant(expr)
            case Binary(op="+" | "-" as op, left=left, right=right):
                return _sum(self.affine(left), self.affine(right), 1 if op == "+" else -1)
            case Binary(op="*", left=left, right=right):
                return _product(self.affine(left), self.affine(right)) or self._constant(expr)
            case _:
                return self._constant(expr)

    def _stay(self, digits: Collection[Expr]) -> bool:
        """Is what the digits are found with the same in every iteration?"""
        found = [digit for one in digits for digit in self.digits.within(one)]
        radices = {one for digit in found for one in (*digit.low, *(digit.high or ()))}
        return all(self._constant(one) or integer_value(one) is not None for one in radices)

    def _constant(self, expr: Expr) -> AffineIndex | None:
        """Something that is the same in every iteration."""
        found = self.effects.of(expr)
        if not found.is_pure or found.memory_reads:
            return None
        if found.reads & (self.changing | self.own | {self.variable}):
            return None
        if any(_may_differ(node) for node in walk(expr)):
            return None
        return AffineIndex(0, 0, (repr(expr),))


def _may_differ(node: Node) -> bool:
    """May it have another value in each iteration, of the same variables?"""
    if isinstance(node, Call):
        return not is_pure(node)
    return isinstance(node, (LaunchRef, Verbatim, Code))


def _sum(left: AffineIndex | None, right: AffineIndex | None, sign: int) -> AffineIndex | None:
    if left is None or right is None or (sign < 0 and right.rest):
        return None
    rest = tuple(sorted((*left.rest, *right.rest)))
    return AffineIndex(left.scale + sign * right.scale, left.offset + sign * right.offset, rest)


def _product(left: AffineIndex | None, right: AffineIndex | None) -> AffineIndex | None:
    if left is None or right is None:
        return None
    if left.scale == 0 and not left.rest:
        left, right = right, left
    if right.scale != 0 or right.rest or left.rest:
        return None
    return AffineIndex(left.scale * right.offset, left.offset * right.offset)


def _refers_to_const(ctype: CType) -> bool:
    return ctype.element is not None and ctype.element.is_const
