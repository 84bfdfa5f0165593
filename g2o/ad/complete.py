"""Adjoints that lose something are refused: a zero that nobody notices is worse than none.

What overwrites memory with a shadow consumes the seed there, whatever it stores. A kernel that only
stores into memory of which nothing is known has no adjoint at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from g2o.ad.activity import Activity, numbers_in, varied_by
from g2o.ad.components import behind
from g2o.ad.origins import Origins
from g2o.ad.reals import carries
from g2o.analysis.effects import EffectsOf, symbols_in
from g2o.analysis.integer_types import is_integer
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import Refusal, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Assign, Call, Code, Expr, Member, Unary, Verbatim
from g2o.ir.statements import Block, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind

_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def refuse_lost_derivatives(
    both: Iterable[Stmt],
    given: Mapping[Symbol, Expr],
    activity: Activity,
    body: Block,
    effects: EffectsOf,
    span: SourceSpan,
    *,
    apart: bool,
) -> None:
    """Raise Refusal where the kernel, `body`, overwrites numbers whose shadow is not named in
    `both` sweeps, or stores numbers, which no shadow is known of, and no shadow is named. `given`
    are the shadows. Where values of a variable are `apart`, it may show that no result depends on
    anything."""
    named = {symbol for statement in both for symbol in symbols_in(statement)}
    kept = {one for one, shadow in given.items() if symbols_in(shadow) & named}
    for node in walk(body):
        if isinstance(node, Assign) and node.op == "=" and not _is_whole_member(node.target):
            for one in activity.origins.roots(node.target):
                if one is not None and one in given.keys() - kept and one.type.is_indirect:
                    raise _lost(f"numbers of '{one.name}' are overwritten", node.span or span)
    if kept or not given or apart:
        return
    written = effects.of(body).memory_writes
    varied = varied_by(body, given, activity.origins)
    for one in sorted(written, key=lambda symbol: 0 if symbol is None else symbol.id):
        if one is not None and _only_whole_members(one, body, activity):
            continue
        if one is not None and _takes_constants(
            one, body, activity.origins, varied, effects, added=one in given
        ):
            continue
        if one is None or _may_hold_numbers(one.type):
            if one is not None and one in given:
                raise _lost(f"numbers are stored in '{one.name}'", span)
            where = "memory of which nothing is known" if one is None else f"'{one.name}'"
            raise refuse("G2O0404", f"results go into {where}, which has no shadow", span)


def _takes_constants(
    symbol: Symbol,
    body: Block,
    origins: Origins,
    varied: frozenset[Symbol | None],
    effects: EffectsOf,
    *,
    added: bool,
) -> bool:
    """Does all that is stored in what a variable leads to depend on nothing `varied`? Where it has
    a shadow, it has to be `added` to what is there: that leaves the shadow as it is."""
    if symbol.storage in _SHARED and not added and carries(symbol.type.innermost):
        return True  # what it is read for is stored elsewhere
    found = False
    for node in walk(body):
        match node:
            case Assign(op=op, target=target, value=value) if symbol in origins.roots(target):
                if added and op not in ("+=", "-="):
                    return False
                values = [value]
            case Call(name=name, arguments=(place, *values)) if name.startswith("atomic"):
                if symbol not in origins.roots(behind(place)):
                    continue
                if added and name not in ("atomicAdd", "atomicSub"):
                    return False
            case Call() | Verbatim() | Code() | Unary(op="++" | "--"):
                if symbol in effects.of(node).memory_writes:
                    return False
                continue
            case _:
                continue
        found = True
        numbers = (one for value in values for one in numbers_in(value))
        if any(not varied.isdisjoint(origins.roots(number)) for number in numbers):
            return False
    return found


def _is_whole_member(target: Expr) -> bool:
    """Is it a whole number beside real ones, in a structure?"""
    return isinstance(target, Member) and is_integer(value_type(target))


def _only_whole_members(symbol: Symbol, body: Block, activity: Activity) -> bool:
    """Is all that changes what a variable leads to an assignment of whole numbers in it?"""
    found = False
    for node in walk(body):
        match node:
            case Assign(target=target) if symbol in activity.origins.roots(target):
                if not _is_whole_member(target):
                    return False
                found = True
            case Call() | Verbatim() | Code() if symbol in symbols_in(node):
                return False
            case _:
                pass
    return found


def _may_hold_numbers(ctype: CType) -> bool:
    while ctype.is_indirect and ctype.element is not None:
        ctype = ctype.element
    return carries(ctype) or ctype.kind in (TypeKind.OTHER, TypeKind.DEPENDENT)


def _lost(what: str, span: SourceSpan) -> Refusal:
    message = f"{what}, and the reverse sweep has nothing of that: this is a bug in g2o"
    return refuse("G2O0407", message, span)
