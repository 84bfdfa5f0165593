"""Calls that give all threads the same: their adjoint is needed once, with the sum of all seeds.

    out[i] = in[i] / magnitude(in, n);

    d_in_magnitude  +=  ...                         in every thread, a sum
    magnitude_grad(in, n, d_in, d_in_magnitude);    once, when all threads are done

That is what makes the adjoint of `normalize` linear in n: the call itself leaves the loops over
threads as any other costly call does, and its adjoint is one more function.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import final

from g2o.ad.reals import carries, is_real
from g2o.analysis.effects import root_symbol
from g2o.analysis.functions import FunctionTable
from g2o.ir.expressions import Call, Expr, Literal, VarRef, strip_parens
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import Block, DoWhile, For, Return, Stmt, While
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind


@final
@dataclass(frozen=True, slots=True)
class UniformCall:
    """A call whose seeds are added up behind the pointer `seeds`. `value` stands for its result."""

    call: Call
    value: Symbol
    seeds: Symbol


def uniform_functions(
    kernel: Kernel, named: Collection[Symbol], functions: FunctionTable, assume_noalias: bool
) -> frozenset[str]:
    """Keys of functions with loops that the kernel only calls with what all threads have alike."""
    calls: dict[str, list[Call]] = {}
    for node in walk(kernel.body):
        if isinstance(node, Call) and node.key:
            calls.setdefault(node.key, []).append(node)
    return frozenset(
        key
        for key, found in calls.items()
        if all(_is_uniform(call, kernel, named, functions, assume_noalias) for call in found)
    )


def _is_uniform(
    call: Call,
    kernel: Kernel,
    named: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
) -> bool:
    function = functions.body(call.key)
    if function is None or not is_differentiable_function(function, functions):
        return False
    if len(call.arguments) != len(function.parameters):
        return False
    effects = functions.for_node(kernel.body)
    whole = effects.of(kernel.body)
    for argument in call.arguments:
        inner = strip_parens(argument)
        if isinstance(inner, Literal):
            continue
        if not isinstance(inner, VarRef) or inner.symbol.storage is not Storage.PARAMETER:
            return False
        if inner.symbol in whole.writes:
            return False
        real = carries(inner.symbol.type)
        if real and (not inner.type.is_indirect or inner.symbol not in named):
            return False
    reads = effects.of(call).memory_reads
    if None in reads or None in whole.memory_writes:
        return False
    return all(
        _are_apart(read, written, named, assume_noalias)
        for read in reads
        for written in whole.memory_writes
    )


def _are_apart(
    one: Symbol | None, other: Symbol | None, named: Collection[Symbol], assume_noalias: bool
) -> bool:
    if one is None or other is None or one == other:
        return False
    if assume_noalias or one.type.is_restrict or other.type.is_restrict:
        return True
    return one in named and other in named  # the contract of adjoints


def is_differentiable_function(function: Function, functions: FunctionTable) -> bool:
    """Is it a pure function with loops and one `return`, at its end, of a real number?"""
    effects = functions.effects(function.key)
    if effects is None or effects.needs_context or effects.has_atomics or effects.is_method:
        return False
    if effects.writes_elsewhere or effects.reads_elsewhere or effects.writes_through:
        return False
    if function.template_parameters or function.result.kind is not TypeKind.FLOATING:
        return False
    if any(
        carries(one.type) and not (is_real(one.type) or one.type.kind is TypeKind.POINTER)
        for one in function.parameters
    ):
        return False
    returns = [node for node in walk(function.body) if isinstance(node, Return)]
    loops = any(isinstance(node, (For, While, DoWhile)) for node in walk(function.body))
    calls = [n for n in walk(function.body) if isinstance(n, Call) and functions.body(n.key)]
    last = function.body.statements[-1] if function.body.statements else None
    return loops and not calls and len(returns) == 1 and returns[0] is last


def split_result(function: Function) -> tuple[tuple[Stmt, ...], Expr]:
    """The statements of such a function, and the value that it returns."""
    *front, last = function.body.statements
    assert isinstance(last, Return)
    assert last.value is not None
    return tuple(front), last.value


def called(node: Block, keys: Collection[str]) -> list[Call]:
    """The calls of functions with these keys, equal ones once."""
    found: list[Call] = []
    for inner in walk(node):
        if isinstance(inner, Call) and inner.key in keys and inner not in found:
            found.append(inner)
    return found


def name_of_call(call: Call) -> str:
    """`in_magnitude` for `magnitude(in, n)`."""
    for argument in call.arguments:
        root = root_symbol(argument)
        if root is not None and root.type.is_indirect:
            return f"{root.name}_{call.said_name}"
    return f"{call.said_name}_value"
