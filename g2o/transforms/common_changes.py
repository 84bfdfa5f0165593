"""What all threads of a parallel region do to something that they share: a program whose results do
not depend on their number does none of it.

#pragma omp parallel
    {
        count += 1;              // refused
        double t = 0.0;          // everyone has a `t`
        fill(n, x, &t);          // and does what the function does, which shares out its loops
    }
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.directives import CRITICAL, SINGLE
from g2o.ir.expressions import Assign, Call, Expr, Unary, VarRef, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, ExprStatement, For, Node, Worksharing
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, walk
from g2o.ir.types import TypeKind
from g2o.transforms.region_variables import adds_own_values

_CODE: Final = "G2O0412"


def _no_function(_: str) -> Function | None:
    return None


def _no_constructs(_: str) -> frozenset[str]:
    return frozenset()


@final
@dataclass(frozen=True, slots=True)
class OfThreads:
    """What is known of a file: its functions without regions as they are read, by key, the names
    of those of its variables of which every thread has its own, and what is in its functions of
    constructs."""

    function: Callable[[str], Function | None] = _no_function
    private: frozenset[str] = frozenset()
    constructs: Callable[[str], frozenset[str]] = _no_constructs

    def own_in(self, node: Node) -> set[Symbol]:
        """What each thread that runs the code has for itself."""
        own = {one for one in declared_in(node) if one.storage is not Storage.GLOBAL}
        return own | self._variables_in(node)

    def meets_private(self, node: Node, seen: frozenset[str] = frozenset()) -> bool:
        """Does the code, or what it calls, use variables of the file that every thread has for
        itself? What one thread leaves there, another one does not find."""
        if not self.private:
            return False
        keys = {one.key for one in walk(node) if isinstance(one, Call)} - seen
        called = [function for key in keys if (function := self.function(key)) is not None]
        return bool(self._variables_in(node)) or any(
            self.meets_private(one.body, seen | keys) for one in called
        )

    def _variables_in(self, node: Node) -> set[Symbol]:
        found = symbols_in(node) if self.private else ()
        return {one for one in found if one.storage is Storage.GLOBAL and one.name in self.private}


@final
@dataclass(frozen=True, slots=True)
class CommonChanges:
    """Looks for them in the region behind a pragma."""

    effects: EffectsOf
    of_threads: OfThreads
    pragma: SourceSpan
    _memory: frozenset[Symbol] = field(default=frozenset())  # pointers to what is a thread's own

    def refuse_in(self, node: Node, own: Collection[Symbol]) -> None:
        """Raises Refusal. Each thread has `own` for itself."""
        match node:
            case For(shared=Worksharing()):
                return
            case Block(directive=mark) if mark == SINGLE:
                return
            case Block(directive=mark) if mark == CRITICAL and adds_own_values(node, own):
                return
            case ExprStatement(expr=Call(name="atomicAdd")) if adds_own_values(node, own):
                return
            case Assign(target=target) | Unary(op="++" | "--", operand=target):
                if not self._is_own(target, own):
                    message = "something that all threads of a region change"
                    raise refuse(_CODE, message, node.span or self.pragma)
            case Call() if not self.effects.is_pure(node):
                self._refuse_in_function(node, own)
            case _:
                pass
        for child in children(node):
            self.refuse_in(child, own)

    def _is_own(self, target: Expr, own: Collection[Symbol]) -> bool:
        root = root_symbol(target)
        if root is None or root in self._memory:
            return root is not None
        is_variable = isinstance(strip_parens(target), VarRef)
        return root in own and (is_variable or root.type.kind is not TypeKind.POINTER)

    def _refuse_in_function(self, call: Call, own: Collection[Symbol]) -> None:
        """Refuse what a function does that all threads call."""
        callee = self.of_threads.function(call.key)
        if callee is None or len(callee.parameters) != len(call.arguments):
            message = f"a call of '{call.name}' by all threads of a region"
            raise refuse(_CODE, message, call.span or self.pragma)
        inside = self.of_threads.own_in(callee.body)
        memory: set[Symbol] = set()
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            root = root_symbol(argument)
            if not parameter.type.is_indirect:
                inside.add(parameter)
            elif root is not None and (
                root in self._memory or (root in own and root.type.kind is not TypeKind.POINTER)
            ):
                memory.add(parameter)
        within = CommonChanges(self.effects, self.of_threads, self.pragma, frozenset(memory))
        within.refuse_in(callee.body, inside)
