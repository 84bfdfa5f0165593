"""Lambdas that have copies of what threads keep in arrays: of the element, not of the array.

    auto f = [=]() { return 2 * y + s[t]; };   ->   auto f = [=, y = y[t], &s]() { ... };

Copies are made where the lambda is, as in the source. What it holds by reference is the element;
shared memory, which CUDA does not copy, it always does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Code, Expr, Form, Literal, VarRef, Verbatim
from g2o.ir.spelled import split_captures, split_lambda
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


def with_own_copies(
    node: Verbatim, values: Mapping[Symbol, Expr], others: Callable[[Expr, set[Symbol]], Expr]
) -> Verbatim | None:
    """The lambda with copies of the `values` that it captures; `others` is done to its parts, and
    is told whose names they keep. None for what is no lambda, or captures none of them by value.

    A copy of an array would be a pointer: arrays are not among them.
    """
    span = node.span
    if span is None or not span.text.startswith("["):
        return None
    captures, _ = split_lambda(span.text)
    if any("=" in item.strip("=") for item in split_captures(captures)):
        return None  # `[v = x]` is evaluated there, whatever has become of `x`
    brackets = SourceSpan(span.file, span.begin, span.begin + len(captures) + 1)
    items, shared = _list_of(node, brackets)
    named = {one.symbol for part in node.parts for one in walk(part) if isinstance(one, VarRef)}
    known = node.copied
    copied = [
        symbol
        for symbol in sorted(named & values.keys(), key=lambda one: one.id)
        if symbol.type.kind is not TypeKind.ARRAY
        if ("=" in items or symbol.name in items if known is None else symbol in known)
    ]
    if not copied or ("=" in items and any(f"&{symbol.name}" in items for symbol in copied)):
        return None
    own = set(copied)
    kept = [one for one in items if one not in {symbol.name for symbol in copied}]
    pieces: list[str | Expr] = [f"[{', '.join(kept)}"]
    for position, symbol in enumerate(copied):
        between = ", " if position or kept else ""
        pieces += [between, VarRef(symbol), " = ", values[symbol]]
    for one in shared:
        pieces += [", &", one]
    pieces.append("]")
    made = Code(tuple(pieces), span=brackets)
    left = [position for position, part in enumerate(node.parts) if not _in(part, brackets)]
    behind = (others(node.parts[position], own) for position in left)
    evaluated = (new for new, position in enumerate(left, 1) if position in node.evaluated)
    return replace(
        node,
        parts=(made, *behind),
        evaluated=frozenset(evaluated),
        form=Form.PATCHED,
    )


def _list_of(node: Verbatim, brackets: SourceSpan) -> tuple[list[str], list[Expr]]:
    """What the lambda captures, apart from shared memory, and that: always by reference."""
    listed, given, shared = brackets.text[1:-1], list[str](), list[Expr]()
    for part in node.parts:
        match part:
            case Literal(text=text) if _in(part, brackets):
                listed = text[1:-1]
            case Code(parts=(str() as text, *_) as pieces) if _in(part, brackets):
                listed = text[1:]
                for sign, one in pairwise(pieces):
                    if isinstance(one, VarRef) and sign in ("&", ", &"):
                        shared.append(one)
                    elif isinstance(one, VarRef):
                        given.append(one.symbol.name)
            case _:
                pass
    return [*(item.strip() for item in listed.split(",") if item.strip()), *given], shared


def _in(part: Expr, brackets: SourceSpan) -> bool:
    return part.span is not None and part.span.end <= brackets.end
