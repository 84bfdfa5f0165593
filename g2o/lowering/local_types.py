"""Local types and constants move to the top of the emitted function.

    using Vector = typename Pack<T>::Type;        using Vector = typename Pack<T>::Type;
    __shared__ Vector tile[N];                    for (int bx = 0; ...) {
    ...                                     ->        Vector tile[N];

Arrays that lowering makes stand outside of the loops over threads and have to see them. Legal
because they hold no state: types, and constants that are computed from constants. What a branch of
`if constexpr` declares is not for other instances of a template, which need not have it; it stays
where nothing waits, so that none of its arrays leave the loops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DeclareTypes,
    Exchange,
    For,
    If,
    Node,
    Stmt,
    Text,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk, with_children
from g2o.ir.types import TypeKind

_TYPE_NAME = re.compile(r"\s*(?:const\s+)?(?:\w+::)*(\w+)")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def hoist_local_types(
    body: Block, parameters: tuple[Symbol, ...], constants: bool
) -> tuple[tuple[Stmt, ...], Block]:
    """Take types (and `constants`, where arrays leave the loops) out of `body`.

    Returns them in order, and what is left. Raises Refusal for a type of an inner block that has a
    barrier and shares its name with something else.
    """
    hoister = _Hoister(body, parameters, constants)
    rest = hoister.block(body, outermost=True)
    return tuple(hoister.found), rest


@final
class _Hoister:
    def __init__(self, body: Block, parameters: tuple[Symbol, ...], constants: bool) -> None:
        self.found: list[Stmt] = []
        self.names = _declared_names(body) + [parameter.name for parameter in parameters]
        self.uses = _used_names(body)
        self.constant: set[Symbol] = set()
        self.of_instance = False  # in a branch of `if constexpr`
        self.wanted = self._wanted(body) if constants else set[Symbol]()

    def block(self, body: Block, outermost: bool = False) -> Block:
        kept: list[Stmt] = []
        for statement in body.statements:
            if self._moves(statement, body, outermost):
                self.found.append(statement)
                continue
            if isinstance(statement, DeclareTypes) and statement.names and _waits(body):
                names = ", ".join(statement.names)
                raise refuse("G2O0201", f"local type '{names}' next to a barrier", statement.span)
            kept.append(self._inner(statement))
        same = len(kept) == len(body.statements) and all(
            new is old for new, old in zip(kept, body.statements, strict=True)
        )
        return body if same else Block(tuple(kept), trivia=body.trivia, span=body.span)

    def _inner(self, statement: Stmt) -> Stmt:
        if isinstance(statement, Block):
            return self.block(statement)

        def replacement(node: Node) -> Node | None:
            if isinstance(node, If) and node.is_constexpr:
                return self._chosen(node)
            return self.block(node) if isinstance(node, Block) else None

        return rewrite(statement, replacement)

    def _chosen(self, statement: If) -> Stmt:
        was, self.of_instance = self.of_instance, True
        parts = tuple(
            self._inner(part) if isinstance(part, Stmt) else part for part in children(statement)
        )
        self.of_instance = was
        same = all(new is old for new, old in zip(parts, children(statement), strict=True))
        return statement if same else with_children(statement, parts)

    def _moves(self, statement: Stmt, around: Block, outermost: bool) -> bool:
        match statement:
            case DeclareTypes(names=()) if self.of_instance:
                return False  # `static_assert`
            case DeclareTypes(names=names):
                pass
            case Declare(variables=variables) if all(v.symbol in self.wanted for v in variables):
                names = tuple(variable.symbol.name for variable in variables)
            case _:
                return False
        if outermost:
            return True
        if self.of_instance and not _waits(around):
            return False
        inside = _used_names(around)
        return all(
            self.names.count(name) == 1 and inside[name] == self.uses[name] for name in names
        )

    # -- constants ------------------------------------------------------------------------------

    def _wanted(self, body: Block) -> set[Symbol]:
        """`constexpr` variables, and constants that arrays, types or they are made with."""
        declared: dict[Symbol, Variable] = {}
        in_headers = {
            id(node.initial) for node in walk(body) if isinstance(node, For) and node.initial
        }
        for node in walk(body):
            if not isinstance(node, Declare) or id(node) in in_headers:
                continue
            for variable in node.variables:
                if self._is_constant(variable):
                    self.constant.add(variable.symbol)
                    declared[variable.symbol] = variable
        wanted = {symbol for symbol, v in declared.items() if "constexpr" in v.declared.split()}
        texts = _texts(body)
        wanted |= {symbol for symbol in declared if symbol.name in texts}
        pending = list(wanted)
        while pending:
            initial = declared[pending.pop()].initial
            used: set[Symbol] = set() if initial is None else _variables(initial)
            pending.extend(used - wanted)
            wanted |= used
        return wanted

    def _is_constant(self, variable: Variable) -> bool:
        if variable.initial is None:
            return False
        if variable.symbol.storage not in (Storage.LOCAL, Storage.GLOBAL):
            return False
        if "constexpr" in variable.declared.split():
            return _variables(variable.initial) <= self.constant
        ctype = variable.symbol.type
        integral = ctype.kind in (TypeKind.INTEGER, TypeKind.BOOL)
        return ctype.is_const and integral and self._is_constant_value(variable.initial)

    def _is_constant_value(self, expr: Expr) -> bool:
        match expr:
            case Literal():
                return True
            case VarRef(symbol=symbol):
                return symbol in self.constant
            case Unary(op=op):
                inner = op in ("-", "+", "~", "!")
            case Verbatim(parts=parts, pure=pure):
                inner = pure and not parts
            case Binary() | Paren() | Cast() | Conditional():
                inner = True
            case _:
                inner = False
        return inner and all(
            self._is_constant_value(child)
            for child in children(expr)
            if not isinstance(child, Stmt)
        )


def _variables(expr: Expr) -> set[Symbol]:
    """Local variables that an expression names; a call counts as naming none."""
    return {
        node.symbol
        for node in walk(expr)
        if isinstance(node, VarRef) and node.symbol.storage is not Storage.GLOBAL
    }


def element_types(body: Iterable[Stmt]) -> frozenset[str]:
    """The names of the types whose objects stand in arrays without initial values, and so are made
    without arguments: `Pack` for `ns::Pack<float> kept[64]`."""
    found: set[str] = set()
    for statement in body:
        for node in walk(statement):
            spelled: list[str] = []
            if isinstance(node, Declare):
                arrays = (v for v in node.variables if v.suffix and v.initial is None)
                spelled = [variable.declared for variable in arrays]
            elif isinstance(node, Text):
                spelled = [array.type.innermost.spelling for array in node.declares]
            named = map(_TYPE_NAME.match, spelled)
            found.update(name[1] for name in named if name is not None)
    return frozenset(found)


def _declared_names(body: Block) -> list[str]:
    """Names of variables and types in `body`; those declared twice, twice."""
    names: list[str] = []
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                names.extend(variable.symbol.name for variable in variables)
            case DeclareTypes(names=declared):
                names.extend(declared)
            case _:
                pass
    return names


def _used_names(body: Block) -> Counter[str]:
    """How often what is no local variable is named: enumerators, functions, members, globals."""
    found: Counter[str] = Counter()
    for node in walk(body):
        match node:
            case Literal(text=text):
                found[text] += 1
            case Call(name=name) | Member(name=name):
                found[name] += 1
            case VarRef(symbol=symbol) if symbol.storage is Storage.GLOBAL:
                found[symbol.name] += 1
            case _:
                pass
    return found


def _texts(body: Block) -> set[str]:
    """Identifiers in what declares arrays and types."""
    found: set[str] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for variable in variables:
                    found.update(_IDENTIFIER.findall(variable.suffix))
                    found.update(_IDENTIFIER.findall(variable.declared))
            case DeclareTypes(text=text, span=span):
                shown = text or (span.text if span is not None else "")
                found.update(_IDENTIFIER.findall(shown))
            case _:
                pass
    return found


def _waits(node: Node) -> bool:
    return any(isinstance(inner, (Barrier, Exchange)) for inner in walk(node))
