"""What is said of a kernel once it has become loops: constants taken, loops not vectorised."""

from __future__ import annotations

from collections.abc import Iterator

from g2o.diagnostics.diagnostic import Diagnostic, Outcome, remark
from g2o.diagnostics.source import SourceSpan
from g2o.ir.dump import describe
from g2o.ir.expressions import Builtin, Call, Conditional, Expr
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    CountedLoop,
    Declare,
    DoWhile,
    For,
    If,
    Jump,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    While,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk
from g2o.lowering.simd import obstacle

_AXES = "xyz"


def remarks_on_launch(
    function: Function,
    relied: set[tuple[Builtin, int]],
    values: dict[tuple[Builtin, int], str],
    apart: tuple[str, ...],
) -> Iterator[Diagnostic]:
    """Dimensions whose value at every launch the translation builds on, and asserts; and pointers
    that every launch gives memory of their own."""
    for builtin, axis in sorted(relied, key=lambda one: (one[0].value, one[1])):
        value = values.get((builtin, axis), "1")
        message = f"{builtin.value}.{_AXES[axis]} is {value} at every launch, which is asserted"
        yield remark(Outcome.PASSED, "G2O0307", message, function.name_span)
    if apart:
        names = [f"'{name}'" for name in apart]
        listed = " and ".join((", ".join(names[:-1]), names[-1])) if names[1:] else names[0]
        message = f"every launch gives {listed} memory of its own, which __restrict__ promises"
        yield remark(Outcome.PASSED, "G2O0307", message, function.name_span)


def remarks_on_vectors(
    function: Function, body: tuple[Stmt, ...], threads: set[Symbol]
) -> Iterator[Diagnostic]:
    """The innermost loops over `threads` that have no `simd`, and what is in the way."""
    said: set[tuple[int, int, str]] = set()
    for statement in body:
        for loop in walk(statement):
            if not isinstance(loop, CountedLoop) or loop.index not in threads:
                continue
            inner = any(isinstance(n, CountedLoop) and n.index in threads for n in walk(loop.body))
            blocking = None if inner or loop.directive.is_simd else obstacle(loop.body)
            if blocking is None:
                continue
            span = blocking.span or _first_span(loop.body) or function.name_span
            message = f"loop over '{loop.index.name}' is not a vector loop: {_reason(blocking)}"
            if (span.begin, span.end, message) not in said:
                said.add((span.begin, span.end, message))
                yield remark(Outcome.MISSED, "G2O0316", message, span)


def _first_span(node: Node) -> SourceSpan | None:
    return next((n.span for n in walk(node) if n.span is not None), None)


def _reason(node: Node) -> str:
    match node:
        case For() | While() | DoWhile() | CountedLoop():
            return "it has a loop inside"
        case If() | Switch() | Conditional():
            return "it has a branch inside"
        case Jump() | Return():
            return "it can be left early"
        case Call(name=name):
            return f"it calls '{name or describe(node)}'"
        case Declare():
            return "it declares what is not a number"
        case LocalFunction() | Text():
            return "it has text that is not looked into"
        case _:
            return f"it has '{describe(node)}'" if isinstance(node, Expr) else "of its statements"
