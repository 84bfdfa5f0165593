"""Loops and expressions in C: what C++ has a shorter way to say for.

g2o::atomic_add(&d_x[i], v);      #pragma omp atomic
                            ->    d_x[i] += v;
*d_a += sum_a;              ->    d_a += sum_a;              // the shadow of a scalar
float(x)                    ->    (float)x
double d_t[3] = {};         ->    double d_t[3] = {0};
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import chain
from typing import Final

from g2o.analysis.effects import is_tape, root_symbol
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    Jump,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import INT, VOID, CType, TypeKind
from g2o.runtime.headers import C_TAPES

_ONLY_CXX: Final = re.compile(
    r"\w*::\w*|\[&\]|\bauto\b|\bconstexpr\b|\btemplate\b|\bnullptr\b|<int>\("
)
_TAPES_OF_KINDS: Final = {
    (TypeKind.FLOATING, 64, True): "double",
    (TypeKind.FLOATING, 32, True): "float",
    (TypeKind.INTEGER, 32, True): "int",
    (TypeKind.INTEGER, 32, False): "unsigned_int",
    (TypeKind.INTEGER, 64, True): "long",
    (TypeKind.INTEGER, 64, False): "unsigned_long",
}
_OF_ANY_TYPE: Final = "values"
_PRAGMA: Final = re.compile(r"^\s*#(?:.*\\\n)*.*", re.MULTILINE)
_ATOMIC: Final = "g2o::atomic_add"
_EXCHANGE: Final = "g2o::atomic_exch"
_OF_MATH: Final = {
    **{f"g2o::{one}": f"g2o_{one}" for one in ("digamma", "digammaf")},
    **{f"g2o::{one}": one for one in ("fmin", "fminf", "fmax", "fmaxf")},
}


def in_c(statements: tuple[Stmt, ...], scalars: Collection[Symbol]) -> tuple[Stmt, ...]:
    """`statements` in C. `scalars` are pointers that stand for variables of the same name."""
    named = {n.symbol for one in statements for n in walk(one) if isinstance(n, VarRef)}

    def replacement(node: Node) -> Node | None:
        match node:
            case Unary(op="*", operand=VarRef(symbol=symbol)) if symbol in scalars:
                return VarRef(symbol)
            case Unary(op="*", operand=Paren(inner=VarRef(symbol=symbol))) if symbol in scalars:
                return VarRef(symbol)
            case Literal(text="true" | "false" as text):
                return Literal("1" if text == "true" else "0", None, node.type)
            case Assign(target=target) if (chosen := _chosen(target)) is not None:
                place = Unary("*", Paren(_address(chosen)), type=target.type)
                return rewrite(replace(node, target=place, form=Form.BUILT), replacement)
            case Unary(op="&", operand=operand) if (chosen := _chosen(operand)) is not None:
                return rewrite(Paren(_address(chosen)), replacement)
            case Block(statements=inner) if any(map(_becomes_several, inner)):
                return replace(node, statements=_sequence(inner), form=Form.BUILT)
            case CountedLoop(body=body) if _is_atomic(body) or _looks_at(body) is not None:
                return rewrite(replace(node, body=Block((body,))), replacement)
            case Call(callee=Literal(text=text) as callee) if text in _OF_MATH:
                return rewrite(
                    replace(node, callee=replace(callee, text=_OF_MATH[text]), form=Form.BUILT),
                    replacement,
                )
            case Call(callee=Member(base=base, name=name), arguments=arguments) if _is_on_tape(
                base
            ):
                given = tuple(rewrite(one, replacement) for one in arguments)
                return _on_tape(rewrite(base, replacement), name, given, node.type)
            case Cast(operand=operand, type=ctype, form=Form.BUILT) if ctype.converts_by_name:
                inner = rewrite(operand, replacement)
                whole = inner if isinstance(inner, InitList) else Paren(inner, inner.type)
                return Code((f"({_spelled(ctype.spelling)})", whole), type=ctype)
            case Declare(variables=variables):
                return replace(node, variables=tuple(_declared(v, replacement) for v in variables))
            case _:
                return None

    def _sequence(inner: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for one in chain.from_iterable(map(_alone, inner)):
            if _is_atomic(one):
                made += _atomic(one, replacement)
            elif (looked := _looks_at(one)) is not None:
                made += _read(one, looked, replacement)
            elif isinstance(one, Declare) and (call := _takes(one)) is not None:
                if one.variables[0].symbol in named:
                    made += _taken(one, replacement)
                else:  # nobody wants the seed
                    made += _atomic(ExprStatement(call, trivia=one.trivia), replacement)
            elif (sized := _zeros_of_any_size(one)) is not None:
                bare = replace(sized, initial=None, initial_style="")
                whole = Code(("sizeof ", VarRef(sized.symbol)))
                cleared = Call("g2o_clear", Literal("g2o_clear"), (VarRef(sized.symbol), whole))
                made += (Declare((bare,)), ExprStatement(cleared))
            else:
                made.append(rewrite(one, replacement))
        tapes = [tape for one in inner for tape in _tapes_in(one)]
        if any(map(_leaves, inner)) and tapes:
            raise refuse("G2O0413", "a tape in an iteration that ends early")
        made += [ExprStatement(_on_tape(VarRef(one), "free", (), VOID)) for one in tapes]
        return tuple(made)

    return _sequence(statements)


def _chosen(place: Expr) -> Conditional | None:
    """The choice that a place is, or a part of one: `(c ? a : b).x` is `c ? a.x : b.x`."""
    match strip_parens(place):
        case Conditional() as chosen:
            return chosen
        case Member(base=base, arrow=False) | Index(base=base) as part:
            if value_type(base).kind is TypeKind.POINTER:
                return None
            chosen = _chosen(base)
            if chosen is None:
                return None
            one, other = (
                replace(part, base=_base(end), form=Form.BUILT)
                for end in (chosen.if_true, chosen.if_false)
            )
            return Conditional(chosen.condition, one, other, part.type)
        case _:
            return None


def _base(place: Expr) -> Expr:
    inner = strip_parens(place)
    return inner if isinstance(inner, VarRef | Index | Member) else Paren(inner, inner.type)


def _address(place: Expr) -> Expr:
    """The address of one of several places: in C a choice is none itself."""
    chosen = _chosen(place)
    if chosen is None:
        return Unary("&", strip_parens(place))
    return Conditional(chosen.condition, _address(chosen.if_true), _address(chosen.if_false))


def _alone(statement: Stmt) -> tuple[Stmt, ...]:
    """Each variable in a declaration of its own, where one is such an array."""
    if not isinstance(statement, Declare) or len(statement.variables) < 2:
        return (statement,)
    ones = tuple(
        replace(statement, variables=(one,), form=Form.BUILT) for one in statement.variables
    )
    return ones if any(map(_zeros_of_any_size, ones)) else (statement,)


def _zeros_of_any_size(statement: Stmt) -> Variable | None:
    """An array of zeros whose size is not known, which C does not let begin with anything."""
    match statement:
        case Declare(variables=(Variable(initial=InitList(elements=())) as variable,)):
            known = all(isinstance(one, Literal) for one in variable.extents)
            return None if known else variable
        case _:
            return None


def _becomes_several(statement: Stmt) -> bool:
    if any(map(_zeros_of_any_size, _alone(statement))):
        return True
    alone = _is_atomic(statement) or _looks_at(statement) is not None
    return alone or _takes(statement) is not None or any(_tapes_in(statement))


def _tapes_in(statement: Stmt) -> list[Symbol]:
    """The tapes that a statement declares."""
    variables = statement.variables if isinstance(statement, Declare) else ()
    return [one.symbol for one in variables if is_tape(one.symbol) and one.initial is None]


def _leaves(node: Node) -> bool:
    """Does it end the iteration before its end?"""
    if isinstance(node, Jump | Return):
        return True
    inner = isinstance(node, CountedLoop | For | While | DoWhile | Switch)
    return not inner and any(map(_leaves, children(node)))


def _is_on_tape(base: Expr) -> bool:
    """Is it a tape, or that of an iteration?"""
    root = root_symbol(base)
    return root is not None and is_tape(root)


def _on_tape(tape: Expr, operation: str, given: tuple[Expr, ...], ctype: CType) -> Expr:
    """A call of a function for tapes of that type. Raises Refusal for types without tapes."""
    if operation in ("size", "empty"):
        size = Member(tape, "size", arrow=False)
        return size if operation == "size" else Binary("==", size, Literal("0", 0, INT), INT)
    root = root_symbol(tape)
    assert root is not None
    known = _tape_name(root)
    name = f"g2o_{operation}_{known}"
    call = Call(name, Literal(name), (Unary("&", tape), *given), type=ctype)
    if known != _OF_ANY_TYPE or operation == "free":
        return call
    values = _values_on(root)
    bytes_of_one = Code((f"sizeof({values})",))
    if operation == "pop":
        call = replace(call, arguments=(*call.arguments, bytes_of_one))
        return Code((f"*({values} *)", call), atomic=False, type=ctype)
    (value,) = given
    pushed = Code((f"({values}[1]){{", value, "}"))
    return replace(call, arguments=(Unary("&", tape), pushed, bytes_of_one))


def _tape_name(tape: Symbol) -> str:
    values = _values_on(tape)
    return C_TAPES.get(values) or _TAPES_OF_KINDS.get(_kind_of(tape.type)) or _OF_ANY_TYPE


def _values_on(tape: Symbol) -> str:
    """The type of the values on a tape. Raises Refusal where that is not written in front alone."""
    values = tape.type.spelling.removesuffix(" *").removeprefix("g2o::Tape<").removesuffix(">")
    if "(" in values or "[" in values:
        raise refuse("G2O0413", f"a tape of values of type '{values}'")
    return _spelled(values.removeprefix("const ").strip())


def _kind_of(tape: CType) -> tuple[TypeKind, int, bool]:
    """What the values on a tape are, or on those of all iterations, whatever they are called."""
    own = tape.element if tape.spelling.endswith(" *") else tape
    element = (own and own.element) or tape
    if element.kind is TypeKind.INTEGER:
        return element.kind, max(element.bits, INT.bits), element.is_signed
    return element.kind, element.bits, True


def beyond_c(text: str) -> str | None:
    """What is C++ alone in what has been written, with the names around it; None for C."""
    found = _ONLY_CXX.search(_PRAGMA.sub("", text))
    return None if found is None else found[0]


def _is_atomic(statement: Stmt) -> bool:
    match statement:
        case ExprStatement(expr=Call(callee=Literal(text=text))):
            return text.startswith((_ATOMIC, _EXCHANGE))
        case _:
            return False


def _atomic(statement: Stmt, replacement: Callable[[Node], Node | None]) -> list[Stmt]:
    assert isinstance(statement, ExprStatement)
    call = statement.expr
    assert isinstance(call, Call)
    address, value = (rewrite(one, replacement) for one in call.arguments)
    place = _led_to(address, replacement)
    takes_nothing = isinstance(call.callee, Literal) and call.callee.text.startswith(_EXCHANGE)
    words, op = ("atomic write", "=") if takes_nothing else ("atomic", "+=")
    pragma = Text((f"#pragma omp {words}",), trivia=statement.trivia)
    return [pragma, ExprStatement(Assign(op, place, value, call.type))]


def _looks_at(statement: Stmt) -> Call | None:
    """The addition of nothing that gives what is in a place, to which others may add."""
    match statement:
        case ExprStatement(
            expr=Assign(
                op="=",
                value=Call(
                    callee=Literal(text=text), arguments=(_, Literal(text="0.0" | "0.0f" | "0"))
                ) as call,
            )
        ):
            return call if text.startswith(_ATOMIC) else None
        case _:
            return None


def _read(statement: Stmt, call: Call, replacement: Callable[[Node], Node | None]) -> list[Stmt]:
    assert isinstance(statement, ExprStatement)
    assert isinstance(statement.expr, Assign)
    place = _led_to(rewrite(call.arguments[0], replacement), replacement)
    target = rewrite(statement.expr.target, replacement)
    pragma = Text(("#pragma omp atomic read",), trivia=statement.trivia)
    return [pragma, ExprStatement(Assign("=", target, place, call.type))]


def _led_to(address: Expr, replacement: Callable[[Node], Node | None]) -> Expr:
    """What is at an address."""
    if isinstance(address, Unary) and address.op == "&":
        return address.operand
    place = Unary("*", address)
    return rewrite(place, replacement) if isinstance(address, VarRef) else place


def _takes(statement: Stmt) -> Call | None:
    """The call that gives a variable what is in a place, and leaves something else there."""
    match statement:
        case Declare(variables=(Variable(initial=Call(callee=Literal(text=text)) as call),)):
            return call if text.startswith(_EXCHANGE) else None
        case _:
            return None


def _taken(statement: Declare, replacement: Callable[[Node], Node | None]) -> list[Stmt]:
    call = _takes(statement)
    assert call is not None
    address, left = (rewrite(one, replacement) for one in call.arguments)
    place = _led_to(address, replacement)
    (variable,) = statement.variables
    bare = replace(
        variable, declared=variable.declared.removeprefix("const "), initial=None, initial_style=""
    )
    exchange = (
        ExprStatement(Assign("=", VarRef(variable.symbol), place, call.type)),
        ExprStatement(Assign("=", place, left, call.type)),
    )
    pragma = Text(("#pragma omp atomic capture",), trivia=statement.trivia)
    return [Declare((bare,)), pragma, Block(exchange)]


def _declared(variable: Variable, replacement: Callable[[Node], Node | None]) -> Variable:
    if is_tape(variable.symbol):
        spelled = f"g2o_tape_{_tape_name(variable.symbol)}"
        if variable.initial is not None:  # those of all iterations
            initial = rewrite(variable.initial, replacement)
            return replace(variable, declared=f"{spelled} *", initial=initial)
        empty = InitList((Literal("0", 0, INT),))
        return Variable(variable.symbol, spelled, "", empty, "=")
    initial = variable.initial
    if initial is not None:
        initial = rewrite(initial, replacement)
    if isinstance(initial, InitList) and not initial.elements and initial.said is None:
        initial = InitList((Literal("0", 0, INT),))
    return replace(variable, declared=_spelled(variable.declared), initial=initial)


def _spelled(ctype: str) -> str:
    return re.sub(r"\bbool\b", "_Bool", re.sub(r"\bstd::(?=(ptrdiff|size)_t\b)", "", ctype))
