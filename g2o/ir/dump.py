"""Kernel IR as text, for people who work on g2o and for golden files of passes.

kernel scale(x%0: float *, n%1: int)
=   3  declare i%2: int = ((blockIdx.x * blockDim.x) + threadIdx.x)
~   4  if (i%2 < n%1)
=   5    (x%0[i%2] *= 2)

In front stand how much of the source's spelling holds (`=` all, `~` all but for children, `+` none)
and the line of the source. Behind the name of a variable stands its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from g2o.ir.expressions import (
    AXES,
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
    LaunchRef,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.kernel import Function, LoweredKernel
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol

_MARKS = {Form.PRISTINE: "=", Form.PATCHED: "~", Form.BUILT: "+"}


def dump_function(function: Function) -> str:
    """A kernel or device function before lowering."""
    kind = "kernel" if function.is_kernel else "function"
    parameters = ", ".join(map(_declared, function.parameters))
    return "\n".join([f"{kind} {function.name}({parameters})", *_lines(function.body, 0)]) + "\n"


def dump_lowered(kernel: LoweredKernel) -> str:
    """A kernel as loops over blocks and threads."""
    added = [s for s in (kernel.grid, kernel.block, kernel.shared_bytes) if s is not None]
    parameters = ", ".join(map(_declared, (*added, *kernel.function.parameters)))
    lines = [line for statement in kernel.body for line in _lines(statement, 0)]
    return "\n".join([f"lowered {kernel.function.name}({parameters})", *lines]) + "\n"


def show(symbol: Symbol) -> str:
    """The name of a variable with its id."""
    return f"{symbol.name}%{symbol.id}"


def _declared(symbol: Symbol) -> str:
    plain = symbol.storage in (Storage.LOCAL, Storage.PARAMETER)
    where = "" if plain else f" [{symbol.storage.value}]"
    return f"{show(symbol)}: {symbol.type.spelling}{where}"


def _line(node: Stmt, depth: int, text: str) -> str:
    number = "" if node.span is None else str(node.span.line)
    return f"{_MARKS[node.form]} {number:>3}  {'  ' * depth}{text}"


def _lines(node: Stmt, depth: int) -> Iterator[str]:
    yield _line(node, depth, _head(node))
    for child in _bodies(node):
        statements = child.statements if isinstance(child, Block) else (child,)
        for statement in statements:
            yield from _lines(statement, depth + 1)
    if isinstance(node, If) and node.otherwise is not None:
        yield _line(node, depth, "else")
        yield from _lines(node.otherwise, depth + 1)


def _bodies(node: Stmt) -> tuple[Stmt, ...]:
    match node:
        case Block(statements=statements):
            return statements
        case If(then=then):
            return (then,)
        case For() | While() | DoWhile() | Switch() | Labelled() | CountedLoop() | LocalFunction():
            return (node.body,)
        case _:
            return ()


def _head(node: Stmt) -> str:
    match node:
        case Declare(variables=variables):
            return "declare " + ", ".join(map(_variable, variables))
        case DeclareTypes(names=names):
            return "types " + ", ".join(names)
        case ExprStatement(expr=expr):
            return _expression(expr)
        case Block():
            return "block"
        case If(condition=condition):
            return f"if {_expression(condition)}"
        case For(initial=initial, condition=condition, increment=increment):
            first = "" if initial is None else _head(initial)
            return f"for ({first}; {_optional(condition)}; {_optional(increment)})"
        case While(condition=condition):
            return f"while {_expression(condition)}"
        case DoWhile(condition=condition):
            return f"do while {_expression(condition)}"
        case Switch(condition=condition):
            return f"switch {_expression(condition)}"
        case Labelled(label=label, value=value):
            return f"{label}:" if value is None else f"case {_expression(value)}:"
        case Jump(kind=kind, label=label):
            return f"{kind.value} {label}".rstrip()
        case Return(value=value):
            return f"return {_optional(value)}".rstrip()
        case Barrier(scope=scope):
            return f"barrier {scope.value}"
        case Exchange(operation=operation, result=result, operands=operands, scope=scope):
            shown = ", ".join(map(_expression, operands))
            return f"exchange {scope.value} {show(result)} = {operation}({shown})"
        case Empty():
            return "empty"
        case CountedLoop(index=index, lower=lower, upper=upper, step=step, directive=directive):
            by = "" if step is None else f" by {_expression(step)}"
            range_ = f"{_expression(lower)} to {_expression(upper)}{by}"
            return f"loop {_declared(index)} = {range_}" + (
                f" [{directive.text}]" if directive else ""
            )
        case Text(parts=parts):
            return f"text {_parts(parts)}"
        case LocalFunction(name=name, parameters=parameters):
            return f"local function {name}({', '.join(map(_declared, parameters))})"
        case _:
            assert_never(node)


def _variable(variable: Variable) -> str:
    initial = "" if variable.initial is None else f" = {_expression(variable.initial)}"
    return _declared(variable.symbol) + initial


def _optional(node: Expr | None) -> str:
    return "" if node is None else _expression(node)


def _parts(parts: tuple[str | Expr, ...]) -> str:
    shown = [repr(part) if isinstance(part, str) else _expression(part) for part in parts]
    return "<" + " ".join(shown) + ">"


def _expression(node: Expr) -> str:
    match node:
        case Literal(text=text):
            return text
        case VarRef(symbol=symbol):
            return show(symbol)
        case LaunchRef(builtin=builtin, axis=axis):
            return builtin.value + ("" if axis is None else f".{AXES[axis]}")
        case Unary(op=op, operand=operand, postfix=postfix):
            inner = _expression(operand)
            return f"({inner}{op})" if postfix else f"({op}{inner})"
        case Binary(op=op, left=left, right=right):
            return f"({_expression(left)} {op} {_expression(right)})"
        case Assign(op=op, target=target, value=value):
            return f"({_expression(target)} {op} {_expression(value)})"
        case Conditional(condition=condition, if_true=if_true, if_false=if_false):
            return f"({_expression(condition)} ? {_expression(if_true)} : {_expression(if_false)})"
        case Cast(operand=operand, type=ctype):
            return f"({ctype.spelling}){_expression(operand)}"
        case Call(callee=callee, arguments=arguments):
            return f"{_expression(callee)}({', '.join(map(_expression, arguments))})"
        case Index(base=base, index=index):
            return f"{_expression(base)}[{_expression(index)}]"
        case Member(base=base, name=name, arrow=arrow):
            return f"{_expression(base)}{'->' if arrow else '.'}{name}"
        case Paren(inner=inner):
            return _expression(inner)
        case InitList(elements=elements):
            return "{" + ", ".join(map(_expression, elements)) + "}"
        case Verbatim(parts=parts, span=span):
            text = "" if span is None else " ".join(span.text.split())
            return f"verbatim `{text}`" + (_parts(parts) if parts else "")
        case Code(parts=parts):
            return f"code{_parts(parts)}"
        case Remote(symbol=symbol, thread=thread):
            return f"{show(symbol)}@{'all' if thread is None else _expression(thread)}"
        case _:
            assert_never(node)


def describe(node: Node) -> str:
    """One line for a node, for messages."""
    if isinstance(node, Stmt):
        return _head(node)
    return _expression(node)
