"""What conditionals of the preprocessor take, as far as `__CUDA_ARCH__` and the compiler say it.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700    taken by a device of 800, not by a host
#elif defined(USE_FAST)                               nobody knows: other macros decide
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from g2o.frontend.cuda.lexer import Directive

DESCRIBED: Final = 800
"""The architecture that the runtime header describes."""
NEWEST: Final = 10_000
NOTHING: Final = -1
OPENING: Final = frozenset(("if", "ifdef", "ifndef"))
FURTHER: Final = frozenset(("elif", "elifdef", "elifndef", "else"))
_PYTHON: Final = {"&&": " and ", "||": " or ", "!": " ~ ", "true": "1", "false": "0"}
_ARCHITECTURE: Final = "__CUDA_ARCH__"
_NAMES: Final = {"CUDA_VERSION": 12000, "CUDART_VERSION": 12000, "__CUDACC_VER_MAJOR__": 12}
_DEFINED: Final = frozenset((*_NAMES, "__CUDACC__", "__NVCC__"))


def conditionals(directives: Sequence[Directive]) -> Iterator[list[Directive]]:
    """The directives of each `#if` ... `#endif`."""
    open_ones: list[list[Directive]] = []
    for directive in directives:
        if directive.name in OPENING:
            open_ones.append([directive])
        elif directive.name in FURTHER and open_ones:
            open_ones[-1].append(directive)
        elif directive.name == "endif" and open_ones:
            yield [*open_ones.pop(), directive]


def is_the_same(parts: Sequence[Directive]) -> bool:
    """Do newer devices find the same conditions true, whatever other macros are?"""
    conditions = [_condition(one) for one in parts[:-1]]
    return all(one is not None and _is_as_described(one) for one in conditions)


def _is_as_described(node: ast.expr) -> bool:
    described, newest = _value(node, DESCRIBED), _value(node, NEWEST)
    if described is not None and newest is not None:
        return bool(described) == bool(newest)
    match node:
        case ast.BoolOp(values=parts):
            return all(_is_as_described(one) for one in parts)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_as_described(operand)
        case _:
            names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
            return not any(_ARCHITECTURE in name for name in names)


def taken(parts: Sequence[Directive], architecture: int | None) -> int | None:
    """Which of the branches is compiled, `NOTHING` where none is; None where other macros say."""
    for number, one in enumerate(parts[:-1]):
        holds = _holds(one, architecture)
        if holds is None:
            return None
        if holds:
            return number
    return NOTHING


def _holds(directive: Directive, architecture: int | None) -> bool | None:
    """Is the condition true where `__CUDA_ARCH__` is that, or is not defined?"""
    condition = _condition(directive)
    value = None if condition is None else _value(condition, architecture)
    return None if value is None else bool(value)


def _condition(directive: Directive) -> ast.expr | None:
    """What it asks; None where it is written in another way."""
    if directive.name == "else":
        return ast.Constant(1)
    words = [token.text for token in directive.tokens]
    if "~" in words:
        return None
    if directive.name in ("ifdef", "elifdef", "ifndef", "elifndef"):
        if len(words) != 1:
            return None
        defined = ast.Name(f"defined_{words[0]}")
        return ast.UnaryOp(ast.Invert(), defined) if directive.name.endswith("ndef") else defined
    text = "".join(_PYTHON.get(word, f" {word} ") for word in _without_brackets(words))
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _without_brackets(words: Sequence[str]) -> list[str]:
    """`defined ( X )` and `defined X` as one name."""
    made: list[str] = []
    rest = list(words)
    while rest:
        match rest:
            case ["defined", "(", name, ")", *others] | ["defined", name, *others]:
                made.append(f"defined_{name}")
                rest = others
            case [word, *others]:
                made.append(word)
                rest = others
            case _:
                break
    return made


def _value(node: ast.expr, architecture: int | None) -> int | None:
    """None: other macros decide."""
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.Name(id="__CUDA_ARCH__"):
            return architecture or 0
        case ast.Name(id="defined___CUDA_ARCH__"):
            return int(architecture is not None)
        case ast.Name(id=name) if name.startswith("defined_"):
            return 1 if name.removeprefix("defined_") in _DEFINED else None
        case ast.Name(id=name):
            return _NAMES.get(name)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):  # `!`, which binds as tightly
            value = _value(operand, architecture)
            return None if value is None else int(not value)
        case ast.BoolOp(op=op, values=values):
            ends_at = isinstance(op, ast.Or)
            parts = [_value(one, architecture) for one in values]
            if any(one is not None and bool(one) == ends_at for one in parts):
                return int(ends_at)
            return None if None in parts else int(not ends_at)
        case ast.BinOp(left=left, op=op, right=right):
            return _calculated(_value(left, architecture), op, _value(right, architecture))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(_value(left, architecture), op, _value(right, architecture))
        case _:
            return None


def _calculated(left: int | None, op: ast.operator, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() if left >= 0 and right > 0:
            return left // right
        case ast.Mod() if left >= 0 and right > 0:
            return left % right
        case _:
            return None


def _compared(left: int | None, op: ast.cmpop, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case ast.Lt():
            return int(left < right)
        case ast.LtE():
            return int(left <= right)
        case ast.Gt():
            return int(left > right)
        case ast.GtE():
            return int(left >= right)
        case ast.Eq():
            return int(left == right)
        case ast.NotEq():
            return int(left != right)
        case _:
            return None
