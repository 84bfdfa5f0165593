"""Structures of numbers that loops add up in are taken apart, so that neighbours go together.

    float3 sum = {0, 0, 0};                     float sum_x = 0, sum_y = 0, sum_z = 0;
    for (int j = 0; j < n; ++j)                 for (int j = 0; j < n; ++j) {
        sum = add(me, x[j], sum);         ->        const float d_x = x[j].x - me_x;
    y[i] = sum;                                     ...
                                                    sum_x += d_x * s;
                                                }
                                                y[i] = float3{sum_x, sum_y, sum_z};

Threads that go through such a loop together (`lowering/strip_mine.py`) have their numbers beside
each other then, and compilers make vectors of them. What the loop calls is inlined where that is
arithmetic alone.

Scalar replacement of aggregates (Muchnick, "Advanced Compiler Design and Implementation", 1997,
12.2). Legal where a structure has nothing but numbers, and every use names one of them, or copies
all: nothing leads to it by an address. It is done where the loop is straight-line code without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import with_variables
from g2o.analysis.effects import EffectsOf, declared_in, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.lvalues import root_symbol
from g2o.analysis.pure_functions import is_pure
from g2o.analysis.straight_line import obstacle
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Refusal
from g2o.ir.expressions import (
    Assign,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Node,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, CType, TypeKind, unqualified, vector_number
from g2o.transforms.inline import inline_context_functions

_MOST_MEMBERS: Final = 4
_MOST_ROUNDS: Final = 4
_MOST_NODES: Final = 300
_LOOPS: Final = (For, While, DoWhile)
_AXES: Final = "xyzw"


def take_structures_apart(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel without structures that loops carry from turn to turn, where that leaves vectors
    to be made; else the kernel itself."""
    if not any(True for _ in _carrying(kernel.body)):
        return kernel
    made = _with_calls_inlined(kernel, functions)
    effects = functions.for_node(made.body)
    symbols = SymbolTable(continued=made.function.symbols)
    apart = _Apart(effects, symbols)
    body = apart.body(made.body)
    loops = [one for one in walk(body) if isinstance(one, For) and _is_innermost(one)]
    fit = [one for one in loops if obstacle(one.body, functions=effects.functions) is None]
    if not apart.parts or not fit or any(True for _ in _carrying(body)):
        return kernel
    return replace(made, function=replace(made.function, body=body, symbols=symbols))


def _carrying(body: Node) -> Iterator[For]:
    """The innermost loops that change a structure of numbers declared around them."""
    for loop in walk(body):
        if not isinstance(loop, For) or not _is_innermost(loop):
            continue
        inside = declared_in(loop.body)
        changed = {root_symbol(one.target) for one in walk(loop.body) if isinstance(one, Assign)}
        if any(one is not None and one not in inside and _is_plain(one) for one in changed):
            yield loop


def _is_innermost(loop: For) -> bool:
    return not any(isinstance(node, _LOOPS) for node in walk(loop.body))


def _is_plain(symbol: Symbol) -> bool:
    return symbol.storage is Storage.LOCAL and bool(members_of(symbol.type))


def members_of(ctype: CType) -> tuple[tuple[str, CType], ...]:
    """The members of a structure of a few numbers; none of other types."""
    if ctype.kind is not TypeKind.RECORD or ctype.constructs or ctype.is_built or ctype.is_volatile:
        return ()
    number = vector_number(ctype)
    if number is not None:
        count = int(unqualified(ctype)[-1])
        return tuple((axis, number) for axis in _AXES[:count])
    plain = all(one.is_arithmetic and not one.is_volatile for _, one in ctype.fields)
    whole = sum(one.bits for _, one in ctype.fields) == ctype.bits  # there are no bit-fields
    return ctype.fields if plain and whole and len(ctype.fields) <= _MOST_MEMBERS else ()


def _with_calls_inlined(kernel: Kernel, functions: FunctionTable) -> Kernel:
    """The kernel with functions of arithmetic inlined that such loops call."""
    for _ in range(_MOST_ROUNDS):
        called = {
            node.key
            for loop in _carrying(kernel.body)
            for node in walk(loop.body)
            if isinstance(node, Call) and node.key
        }
        wanted = {key for key in called if _is_arithmetic(key, functions)}
        if not wanted:
            return kernel
        try:
            made = inline_context_functions(kernel, functions, wanted.__contains__)
        except Refusal:
            return kernel
        if made is kernel:
            return kernel
        kernel = made
    return kernel


def _is_arithmetic(key: str, functions: FunctionTable) -> bool:
    """Is a function small, without loops, and does it change nothing but what it gives?"""
    function, effects = functions.body(key), functions.effects(key)
    if function is None or effects is None or effects.has_atomics or effects.writes_through:
        return False
    nodes = list(walk(function.body))
    returns = [node for node in nodes if isinstance(node, Return)]
    ends = function.body.statements[-1:]
    plain = len(nodes) <= _MOST_NODES and not any(isinstance(node, _LOOPS) for node in nodes)
    return plain and not effects.writes_elsewhere and all(one in ends for one in returns)


@final
@dataclass(slots=True)
class _Apart:
    """Takes structures apart whose uses are all understood."""

    effects: EffectsOf
    symbols: SymbolTable
    parts: dict[Symbol, dict[str, Symbol]] = field(default_factory=dict[Symbol, dict[str, Symbol]])

    def body(self, body: Block) -> Block:
        loops = list(_carrying(body))
        inside = {one for loop in loops for one in symbols_in(loop.body) | declared_in(loop.body)}
        named = [symbol for symbol in _declared(body) if symbol in inside and _is_plain(symbol)]
        uses = _Uses(self.effects)
        uses.visit(body)
        for symbol in named:
            if uses.understood.get(symbol, 0) != uses.all.get(symbol, 0):
                continue
            self.parts[symbol] = {
                name: self.symbols.fresh(f"{symbol.name}_{name}", _bare(ctype), Storage.LOCAL)
                for name, ctype in members_of(symbol.type)
            }
        if not self.parts:
            return body
        made = rewrite(body, self._replaced)
        assert isinstance(made, Block)
        return made

    def _replaced(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new = [part for one in statements for part in self._statements(one)]
                return replace(node, statements=tuple(self._joined(new)), form=Form.BUILT)
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol))) if (
                symbol in self.parts
            ):  # the body of a branch or a loop
                return Block(tuple(self._statements(node)))
            case Member(base=base, name=name, arrow=False):
                root = strip_parens(base)
                if isinstance(root, VarRef) and root.symbol in self.parts:
                    return VarRef(self.parts[root.symbol][name])
                return None
            case VarRef(symbol=symbol) if symbol in self.parts:
                whole = InitList(tuple(map(VarRef, self.parts[symbol].values())), symbol.type)
                return Cast(whole, replace(symbol.type, spelling=unqualified(symbol.type)))
            case _:
                return None

    def _joined(self, statements: list[Stmt]) -> Iterator[Stmt]:
        """The statements with parts declared where they get their first value."""
        own = {one for parts in self.parts.values() for one in parts.values()}
        waiting: dict[Symbol, Declare] = {}
        for statement in statements:
            match statement:
                case Declare(variables=(Variable(symbol=symbol, initial=None),)) if symbol in own:
                    waiting[symbol] = statement
                    continue
                case ExprStatement(
                    expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)
                ) if symbol in waiting and symbol not in symbols_in(value):
                    yield from (
                        waiting.pop(one) for one in list(waiting) if one in symbols_in(value)
                    )
                    (variable,) = waiting.pop(symbol).variables
                    given = replace(variable, initial=value, initial_style="=")
                    yield Declare((given,), trivia=statement.trivia)
                    continue
                case _:
                    pass
            named = symbols_in(statement)
            yield from (waiting.pop(one) for one in list(waiting) if one in named)
            yield statement

    def _statements(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Declare(variables=variables) if any(v.symbol in self.parts for v in variables):
                return [part for one in variables for part in self._declared(one, statement)]
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in self.parts
            ):
                own = self.parts[symbol].values()
                values = [self._put(one) for one in self._values(value, symbol.type)]
                if len(own) > 1 and symbol in symbols_in(value):
                    before = [self._kept(one, part) for one, part in zip(values, own, strict=True)]
                    values = [VarRef(one.variables[0].symbol) for one in before]
                else:
                    before = []
                pairs = zip(own, values, strict=True)
                new = (Assign("=", VarRef(one), value, one.type) for one, value in pairs)
                return [*before, *map(ExprStatement, new)]
            case Block(statements=inner) if _is_inlined(statement):
                return [part for one in inner for part in self._statements(one)]
            case _:
                return [rewrite(statement, self._replaced)]

    def _kept(self, value: Expr, part: Symbol) -> Declare:
        """A new value, until the old ones are not needed any more."""
        new = self.symbols.fresh(f"new_{part.name}", part.type, Storage.LOCAL)
        return Declare((Variable(new, f"const {part.type.spelling} ", "", value, "="),))

    def _declared(self, variable: Variable, statement: Declare) -> list[Stmt]:
        symbol = variable.symbol
        if symbol not in self.parts:
            return [rewrite(with_variables(statement, (variable,)), self._replaced)]
        own = list(self.parts[symbol].values())
        constant = "const " if symbol.type.is_const else ""
        spelled = [f"{constant}{one.type.spelling} " for one in own]
        if variable.initial is None:
            return [Declare((Variable(one, text),)) for one, text in zip(own, spelled, strict=True)]
        values = self._values(variable.initial, symbol.type)
        return [
            Declare((Variable(one, text, "", self._put(value), "="),))
            for one, text, value in zip(own, spelled, values, strict=True)
        ]

    def _values(self, value: Expr, ctype: CType) -> list[Expr]:
        found = values_of(value, ctype)
        assert found is not None
        return found

    def _put(self, value: Expr) -> Expr:
        new = rewrite(value, self._replaced)
        assert not isinstance(new, Stmt)
        return new


@final
@dataclass(slots=True)
class _Uses:
    """How often structures are named, and in ways that are understood."""

    effects: EffectsOf
    all: dict[Symbol, int] = field(default_factory=dict[Symbol, int])
    understood: dict[Symbol, int] = field(default_factory=dict[Symbol, int])

    def visit(self, node: Node) -> None:
        match node:
            case VarRef(symbol=symbol):
                self.all[symbol] = self.all.get(symbol, 0) + 1
            case For(initial=Declare(variables=variables)):
                for one in variables:  # several declarations do not go there
                    self.understood[one.symbol] = -1_000_000
            case Declare(variables=variables):
                for one in variables:
                    self._given(one.symbol, one.initial)
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
                self._is(symbol)
                self._given(symbol, value)
            case Assign(op="=", target=Index() | Member() | Unary(), value=value):
                self._whole(strip_parens(value))
            case Unary(op="&"):
                for one in walk(node):
                    if isinstance(one, VarRef):  # from there an address leads to the others
                        self.understood[one.symbol] = -1_000_000
            case Call():
                self._handed(node)
            case Member(base=base, name=name, arrow=False):
                root = strip_parens(base)
                if isinstance(root, VarRef) and name in dict(members_of(root.symbol.type)):
                    self._is(root.symbol)
            case _:
                pass
        for child in children(node):
            self.visit(child)

    def _is(self, symbol: Symbol) -> None:
        self.understood[symbol] = self.understood.get(symbol, 0) + 1

    def _whole(self, expr: Expr) -> None:
        match strip_parens(expr):
            case VarRef(symbol=symbol):
                self._is(symbol)
            case Conditional(if_true=one, if_false=other):
                self._whole(one)
                self._whole(other)
            case _:
                pass

    def _given(self, symbol: Symbol, value: Expr | None) -> None:
        """A structure gets a value."""
        if value is None or not _is_plain(symbol):
            return
        bare = strip_parens(value)
        found = values_of(value, symbol.type)
        plain = self.effects.is_pure(value) or isinstance(bare, InitList | Call)
        if found is None or not plain:
            self.understood[symbol] = -1_000_000
        self._whole(bare)

    def _handed(self, call: Call) -> None:
        known = self.effects.functions.get(call.key) if call.key else None
        pure = is_pure(call)
        for position, argument in enumerate(call.arguments):
            bare = strip_parens(argument)
            number = call.is_cuda and value_type(bare).is_arithmetic  # no function of CUDA refers
            by_value = pure or number or (known is not None and position not in known.references)
            if isinstance(bare, VarRef) and by_value:
                self._is(bare.symbol)
            root = root_symbol(bare)
            if root is not None and not by_value:
                self.understood[root] = -1_000_000


def values_of(value: Expr, ctype: CType) -> list[Expr] | None:
    """The numbers that a structure of the type is given; None where that is not known."""
    members = members_of(ctype)
    match strip_parens(value):
        case VarRef() | Index() | Member() | Unary(op="*") as place:
            if unqualified(place.type) != unqualified(ctype):
                return None
            return [Member(place, name, False, one) for name, one in members]
        case InitList(elements=elements) | Cast(operand=InitList(elements=elements)):
            return _filled(elements, members)
        case Call(name=name, arguments=arguments, is_cuda=True) if name.startswith("make_"):
            return _filled(arguments, members) if len(arguments) == len(members) else None
        case Conditional(condition=condition, if_true=one, if_false=other):
            first, second = values_of(one, ctype), values_of(other, ctype)
            if first is None or second is None:
                return None
            pairs = zip(first, second, members, strict=True)
            return [Conditional(condition, a, b, part) for a, b, (_, part) in pairs]
        case _:
            return None


def _filled(elements: Sequence[Expr], members: Sequence[tuple[str, CType]]) -> list[Expr] | None:
    if len(elements) > len(members) or any(not one.type.is_arithmetic for one in elements):
        return None
    rest = len(members) - len(elements)
    return [*elements, *(Literal("0", 0, INT) for _ in range(rest))]


def _is_inlined(block: Block) -> bool:
    """Is it what is left of a call, `{ T x = ...; y = ...; }`?"""
    plain = all(isinstance(one, Declare | ExprStatement | Block) for one in block.statements)
    return plain and block.trivia == NO_TRIVIA and not block.directive


def _declared(body: Node) -> Iterator[Symbol]:
    for node in walk(body):
        if isinstance(node, Declare):
            yield from (one.symbol for one in node.variables if not one.suffix)


def _bare(ctype: CType) -> CType:
    return replace(ctype, spelling=unqualified(ctype), is_const=False)
