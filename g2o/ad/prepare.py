"""What is done to a kernel before it is differentiated.

- parameters that the kernel changes become variables, so that their shadows stay what they are;
- `sincosf(x, &s, &c);` becomes two assignments;
- a variable that gets its only value after its declaration is declared where it gets it;
- braces that only group statements go;
- the value of a function whose derivative is made from that value gets a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from g2o.ad.components import behind
from g2o.ad.rules import rule_for
from g2o.ad.templates import names_in
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import is_known, value_type
from g2o.ir.bodies import with_bodies
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.statements import (
    NO_TRIVIA,
    Block,
    Declare,
    DoWhile,
    Exchange,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind

_SINCOS: Final = {
    "sincosf": ("sinf", "cosf"),
    "__sincosf": ("sinf", "cosf"),
    "sincos": ("sin", "cos"),
    "sincospif": ("sinpif", "cospif"),
    "sincospi": ("sinpi", "cospi"),
}


def own_parameters(
    body: Block, parameters: tuple[Symbol, ...], symbols: SymbolTable, effects: EffectsOf
) -> Block:
    """Parameters that the kernel changes become variables of their own."""
    written = effects.of(body).writes
    copies: list[Stmt] = []
    renames: dict[Symbol, Symbol] = {}
    for parameter in parameters:
        if parameter not in written or parameter.type.is_indirect:
            continue
        ctype = parameter.type
        own = symbols.fresh(f"my_{parameter.name}", ctype, Storage.LOCAL)
        copies.append(Declare((Variable(own, ctype.spelling, "", VarRef(parameter), "="),)))
        renames[parameter] = own
    if not copies:
        return body
    renamed = rename_symbols(body, renames)
    return Block((*copies, *renamed.statements), span=body.span)


def simplified(statements: tuple[Stmt, ...], symbols: SymbolTable) -> tuple[Stmt, ...]:
    """Statements without functions that have two results and without braces that only group."""
    names = Counter(symbol.name for s in statements for symbol in declared_in(s))
    return _sunk(_gathered(_flattened(statements, names, symbols)))


def _flattened(
    statements: tuple[Stmt, ...], names: Counter[str], symbols: SymbolTable
) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case Block(statements=inner) if _can_open(inner, names):
                result.extend(_flattened(inner, names, symbols))
            case Block() | If() | For() | While() | DoWhile():
                result.append(
                    with_bodies(statement, lambda inner: _flattened(inner, names, symbols))
                )
            case ExprStatement(expr=Call(name=name, arguments=(x, sine, cosine))) if (
                name in _SINCOS
            ):
                first, second = _SINCOS[name]
                two: list[Stmt] = []
                if not is_apart(x, behind(sine)):
                    ctype = replace(value_type(x), is_const=False)
                    angle = symbols.fresh("angle", ctype, Storage.LOCAL)
                    spelled = f"const {ctype.spelling.removeprefix('const ')}"
                    two.append(Declare((Variable(angle, spelled, "", x, "="),)))
                    x = VarRef(angle)
                two += [_assigned(sine, first, x), _assigned(cosine, second, x)]
                result.extend([replace(two[0], trivia=statement.trivia), *two[1:]])
            case ExprStatement(expr=Assign(value=value)) if isinstance(
                inner := strip_parens(value), Assign
            ):
                first = ExprStatement(inner, trivia=statement.trivia, span=inner.span)
                again = replace(statement.expr, value=inner.target, form=Form.BUILT)
                result.extend(_flattened((first, ExprStatement(again)), names, symbols))
            case _:
                result.append(statement)
    return tuple(result)


def _can_open(statements: tuple[Stmt, ...], names: Counter[str]) -> bool:
    direct = [v.symbol.name for s in statements if isinstance(s, Declare) for v in s.variables]
    return all(names[name] == 1 for name in direct)


def is_apart(value: Expr, place: Expr) -> bool:
    """Does the value stay what it is when the place changes, however often it is asked for?"""
    root = root_symbol(place)
    if root is None or _names(value, root):
        return False
    own = isinstance(place, VarRef) and not root.type.is_indirect
    for node in walk(value):
        match node:
            case Assign() | Unary(op="++" | "--") | Call() | Verbatim():
                return False
            case Index() | Member() | Unary(op="*"):
                if not own:
                    return False
            case VarRef(symbol=symbol):
                if not own and (symbol.type.is_indirect or root.storage is Storage.LOCAL):
                    return False
            case _:
                pass
    return True


def _assigned(result: Expr, name: str, argument: Expr) -> ExprStatement:
    target = behind(result)
    ctype = value_type(target)
    spelled = f"g2o::{name}" if "pi" in name else name
    value = Call(name, Literal(spelled), (argument,), is_cuda=True, type=ctype)
    return ExprStatement(Assign("=", target, value, ctype))


def _gathered(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`Complex q; q.re = a; q.im = b;` becomes `Complex q = {a, b};`: one value, given at once."""
    result: list[Stmt] = []
    for statement in statements:
        if isinstance(statement, (Block, If, For, While, DoWhile)):
            statement = with_bodies(statement, _gathered)
        result.append(statement)
        while len(result) >= 2:
            whole = _whole_record(result)
            if whole is None:
                break
            count, declaration = whole
            result[-count:] = [declaration]
    return tuple(result)


def _whole_record(statements: list[Stmt]) -> tuple[int, Declare] | None:
    """A declaration in place of the last statements, as many as the number says."""
    last = _member_set(statements[-1])
    if last is None:
        return None
    symbol = last[0]
    if symbol.type.constructs or symbol.type.is_built:
        return None  # what braces do is up to its constructors
    count = len(symbol.type.fields)
    if len(statements) <= count or not isinstance(statements[-count - 1], Declare):
        return None
    declare = statements[-count - 1]
    assert isinstance(declare, Declare)
    if len(declare.variables) != 1 or declare.variables[0].symbol != symbol:
        return None
    variable = declare.variables[0]
    if variable.initial is not None or symbol.storage is not Storage.LOCAL or variable.suffix:
        return None
    values: list[Expr] = []
    for statement, (name, ctype) in zip(statements[-count:], symbol.type.fields, strict=True):
        found = _member_set(statement)
        if found is None or found[:2] != (symbol, name) or _names(found[2], symbol):
            return None
        known = value_type(found[2])
        if (known.kind, known.bits) != (ctype.kind, ctype.bits):
            return None  # braces do not convert
        values.append(found[2])
    initial = InitList(tuple(values), symbol.type)
    made = replace(variable, initial=initial, initial_style="=")
    return count + 1, Declare((made,), trivia=declare.trivia)


def _member_set(statement: Stmt) -> tuple[Symbol, str, Expr] | None:
    """`symbol.name = value;`"""
    match statement:
        case ExprStatement(
            expr=Assign(op="=", target=Member(base=base, name=name, arrow=False), value=value)
        ):
            inner = strip_parens(base)
            return (inner.symbol, name, value) if isinstance(inner, VarRef) else None
        case _:
            return None


def _sunk(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`float s; ... s = e;` becomes `float s = e;` where that is the first use of s."""
    result: list[Stmt] = []
    waiting: dict[Symbol, tuple[int, Declare]] = {}
    dropped: set[int] = set()
    for statement in statements:
        match statement:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
                symbol in waiting and not _names(value, symbol)
            ):
                position, declare = waiting.pop(symbol)
                dropped.add(position)
                variable = replace(declare.variables[0], initial=value, initial_style="=")
                for other in list(waiting):
                    if _names(value, other):
                        del waiting[other]
                result.append(Declare((variable,), trivia=statement.trivia))
                continue
            case _:
                pass
        for symbol in list(waiting):
            if _names(statement, symbol):
                del waiting[symbol]
        match statement:
            case Declare(variables=(Variable(symbol=symbol, initial=None) as variable,)) if (
                symbol.storage is Storage.LOCAL
                and symbol.type.kind not in (TypeKind.ARRAY, TypeKind.REFERENCE)
                and not variable.suffix
                and symbol.type.kind is not TypeKind.OTHER
            ):
                waiting[symbol] = (len(result), statement)
            case Block() | If() | For() | While() | DoWhile():
                statement = with_bodies(statement, _sunk)
            case _:
                pass
        result.append(statement)
    return tuple(one for position, one in enumerate(result) if position not in dropped)


def _names(node: Node, symbol: Symbol) -> bool:
    return symbol in symbols_in(node)


# -- names of values ----------------------------------------------------------------------------


def name_values(
    statements: tuple[Stmt, ...],
    symbols: SymbolTable,
    functions: FunctionTable,
    depends: Callable[[Expr], bool],
    written: set[Symbol],
    always: Collection[Expr] = (),
) -> tuple[tuple[Stmt, ...], dict[int, Expr], dict[Symbol, Call]]:
    """Statements in which values that derivatives are made from have names, the names by the
    identity of the expression, and the new variables with the calls that they stand for in the
    statement behind them. Expressions that look alike elsewhere may have other values, and do not
    see the name.

    `depends` says whether an expression depends on active numbers, `written` are variables that
    get values behind their declaration. Calls in `always` get a name in any case.
    """
    namer = _Namer(symbols, functions, depends, written, always)
    return namer.sequence(statements), namer.named, namer.added


class _Namer:
    def __init__(
        self,
        symbols: SymbolTable,
        functions: FunctionTable,
        depends: Callable[[Expr], bool],
        written: set[Symbol],
        always: Collection[Expr],
    ) -> None:
        self.always = always
        self.functions = functions
        self.symbols = symbols
        self.depends = depends
        self.written = written
        self.named: dict[int, Expr] = {}
        self.added: dict[Symbol, Call] = {}

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(one for statement in statements for one in self._statement(statement))

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Block() | If() | For() | While() | DoWhile():
                return [with_bodies(statement, self.sequence)]
            case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if (
                initial is not None
            ):
                whole = initial
                own = symbol not in self.written and symbol.storage is Storage.LOCAL
                if own and _same_kind(symbol, whole) and self._is_wanted(whole):
                    return self._with_own_value(self._extract(statement, whole), symbol)
                return self._extract(statement, None)
            case ExprStatement(expr=Assign()):
                return self._extract(statement, None)
            case _:
                return [statement]

    def _with_own_value(self, statements: list[Stmt], symbol: Symbol) -> list[Stmt]:
        """The declaration of `symbol`, which comes last, with an initial value that is an object
        of its own: that one has the name."""
        last = statements[-1]
        assert isinstance(last, Declare)
        (variable,) = last.variables
        assert variable.initial is not None
        initial = replace(variable.initial)
        self.named[id(initial)] = VarRef(symbol)
        return [*statements[:-1], replace(last, variables=(replace(variable, initial=initial),))]

    def _is_wanted(self, expr: Expr) -> bool:
        """Is the value of the expression part of its derivative?"""
        if isinstance(expr, Binary) and expr.op == "/":
            return self.depends(expr.right)
        return isinstance(expr, Call) and self._is_call_wanted(expr)

    def _is_call_wanted(self, call: Call) -> bool:
        if call in self.always:
            return True
        rule = rule_for(call, self.functions)
        if rule is None:
            return False
        return any(
            "r" in names_in(partial) and self.depends(argument)
            for partial, argument in zip(rule.partials, call.arguments, strict=True)
        )

    def _extract(self, statement: Stmt, whole: Expr | None) -> list[Stmt]:
        """Name calls inside the statement, but for the one that is all of its value."""
        before: list[Stmt] = []
        while True:
            call = self._first(statement, whole)
            if call is None:
                break
            ctype = _result_type(call)
            name = _base_name(call.said_name)
            symbol = self.symbols.fresh(f"{name}_value", ctype, Storage.LOCAL)
            spelled = ctype.spelling.removeprefix("const ")
            own = replace(call)
            before.append(Declare((Variable(symbol, f"const {spelled}", "", own, "="),)))
            self.named[id(own)] = VarRef(symbol)
            self.added[symbol] = own
            found = call

            def put(node: Node, found: Expr = found, symbol: Symbol = symbol) -> Node | None:
                return VarRef(symbol) if node is found else None

            statement = rewrite(statement, put)
            if whole is not None and isinstance(statement, Declare):
                whole = statement.variables[0].initial
        if before:
            first = replace(before[0], trivia=statement.trivia)
            return [first, *before[1:], replace(statement, trivia=NO_TRIVIA)]
        return [statement]

    def _first(self, node: Node, whole: Expr | None) -> Call | None:
        """The innermost call to be named that is evaluated whenever the statement is."""
        parts = children(node)
        if isinstance(node, Conditional) or (
            isinstance(node, Binary) and node.op in ("&&", "||", ",")
        ):
            parts = parts[:1]
        for part in parts:
            found = self._first(part, whole)
            if found is not None:
                return found
        if isinstance(node, Call) and node is not whole and is_known(_result_type(node)):
            return node if self._is_call_wanted(node) else None
        return None


def _result_type(call: Call) -> CType:
    """The type of the result; in templates that of the arguments, if these have one."""
    found = value_type(call)
    if is_known(found):
        return found
    types = {value_type(argument) for argument in call.arguments}
    return types.pop() if len(types) == 1 else found


def _same_kind(symbol: Symbol, value: Expr) -> bool:
    one, other = symbol.type, value_type(value)
    return (one.kind, one.bits) == (other.kind, other.bits)


def _base_name(name: str) -> str:
    return name.lstrip("_").removesuffix("f") if name not in ("erf",) else name


def written_after_declaration(statements: tuple[Stmt, ...], effects: EffectsOf) -> set[Symbol]:
    """Variables that get values elsewhere than where they are declared."""
    found: set[Symbol] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Declare):
                for variable in node.variables:
                    if variable.symbol.type.kind is TypeKind.REFERENCE:
                        found |= effects.of(node).writes - {variable.symbol}
                    elif variable.initial is not None:
                        found |= effects.of(variable.initial).writes
            elif isinstance(node, (ExprStatement, Exchange)):
                found |= effects.of(node).writes
            elif isinstance(node, (If, For, While, DoWhile)):
                parts = [node.condition]
                parts += [node.increment] if isinstance(node, For) else []
                for part in parts:
                    if part is not None:
                        found |= effects.of(part).writes
    return found
