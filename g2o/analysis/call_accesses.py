"""What calls read and write, and code that is not understood."""

from __future__ import annotations

from dataclasses import dataclass

from g2o.analysis.accesses import OUTPUT, AccessKind
from g2o.analysis.addresses import ANYWHERE, Address
from g2o.analysis.integer_types import is_integer, is_pointer
from g2o.analysis.loads_and_stores import LoadsAndStores
from g2o.analysis.memory import may_hold
from g2o.analysis.pure_functions import OUTPUT_FUNCTIONS, READING_FUNCTIONS, is_pure
from g2o.ir.expressions import (
    Binary,
    Call,
    Code,
    Expr,
    Index,
    InitList,
    Literal,
    Member,
    Remote,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.types import TypeKind
from g2o.polyhedral.polynomial import ZERO, Polynomial


@dataclass(slots=True)
class CallAccesses(LoadsAndStores):
    """Calls by what is known of the function: by name, or from its body."""

    def _call(self, call: Call) -> Polynomial:
        known = any(self.effects.functions.get(key) for key in call.key.split("|"))
        if not known:
            if is_pure(call):
                return self._pure(call)
            if call.name in OUTPUT_FUNCTIONS:
                self.visit_children(call)
                printed = Address(OUTPUT, ZERO, None)
                if call.name not in ("assert", "__assert_fail"):
                    self.record(AccessKind.WRITE, printed, call, None)
                return self.unknown(call)
            if call.name in READING_FUNCTIONS and call.arguments:
                place = self.address(call.arguments[0])
                self.record(AccessKind.READ, place, call, None)
                return self.unknown(call)
            if call.is_cuda and call.name.startswith("atomic") and call.arguments:
                for argument in call.arguments[1:]:
                    self.visit(argument)
                place = self.address(call.arguments[0])  # last: the record takes its subscripts
                if not place.private:
                    self.record(AccessKind.ATOMIC, place, call, None)
                return self.anything(varying=True)
        self._call_by_effects(call)
        return self.unknown(call)

    def _pure(self, call: Call) -> Polynomial:
        operands = [self.value(argument) for argument in call.arguments]
        if call.name in ("min", "max") and len(operands) == 2 and is_integer(call.type):
            return self.arithmetic.extreme(*operands, largest=call.name == "max")
        return self.arithmetic.opaque("v", ("call", call.name, *operands), *operands)

    def _call_by_effects(self, call: Call) -> None:
        """A call of which only the effects are known."""
        places = [self._passed(argument) for argument in call.arguments]
        if isinstance(call.callee, Member):
            places.append(self._passed(call.callee.base))
        plain = isinstance(call.callee, Literal) and not self._is_method(call)
        found = self.effects.of_called(call) if plain else self.effects.of(call)
        by_root = {place.root: place for place in places if place is not None}
        for kind, roots in (
            (AccessKind.READ, found.memory_reads),
            (AccessKind.WRITE, found.memory_writes),
        ):
            for root in sorted(roots, key=lambda one: -1 if one is None else one.id):
                self._touch(kind, root, by_root, call)
        if found.side_effects:
            self.record(AccessKind.WRITE, ANYWHERE, call, None)
        for symbol in sorted(found.writes, key=lambda one: one.id):
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._bind(symbol, None)

    def _is_method(self, call: Call) -> bool:
        """May it look at all of an object, which is not among the parameters it names?"""
        known = (self.effects.functions.get(key) for key in call.key.split("|"))
        return any(one is not None and one.is_method for one in known)

    def _passed(self, argument: Expr) -> Address | None:
        if is_pointer(argument):
            return self.address(argument)
        if isinstance(argument, (VarRef, Index, Member)):
            place = self.place(argument)
            if not place.private:
                self.record(AccessKind.READ, place, argument, None)
            return place
        self.value(argument)
        return None

    def _touch(
        self, kind: AccessKind, root: Symbol | None, known: dict[Symbol | None, Address], call: Call
    ) -> None:
        """Memory anywhere behind `root`, which may be a local pointer."""
        if root is None:
            self.record(kind, ANYWHERE, call, None)
            return
        place = known.get(root)
        if place is None:
            pointer = root.type.kind is TypeKind.POINTER
            place = self._pointer(root) if pointer else self._variable(root)
        if not place.private:
            self.record(kind, Address(place.root, None, None), call, None)
        elif may_hold(root.type):
            self.record(kind, ANYWHERE, call, None)  # behind the pointers of an object

    def unknown_code(self, node: Verbatim | Code) -> None:
        """Code that is not understood: it may do anything with what it names."""
        for part in node.parts:
            if not isinstance(part, str):
                self.visit(part)
        if isinstance(node, Verbatim) or not node.pure:
            self.record(AccessKind.READ, ANYWHERE, node, None)
        if node.pure:
            return
        self.record(AccessKind.WRITE, ANYWHERE, node, None)
        for symbol in sorted(self.effects.of(node).writes, key=lambda one: one.id):
            if symbol.storage in (Storage.LOCAL, Storage.PARAMETER):
                self._bind(symbol, None)

    def visit_children(self, expr: Expr) -> None:
        match expr:
            case Verbatim() | Code():
                self.unknown_code(expr)
            case Unary(op="&", operand=operand):
                place = self.place(operand)
                if place.private and place.root is not None:
                    self._bind(place.root, None)
            case Unary(operand=operand):
                self.visit(operand)
            case Binary(left=left, right=right):
                self.visit(left)
                self.visit(right)
            case InitList(elements=elements) | Call(arguments=elements):
                for element in elements:
                    self.visit(element)
            case Remote(thread=thread) if thread is not None:
                self.visit(thread)
            case _:
                pass
