"""Shadows of structures that are only ever used member by member become variables of their own.

    Complex d_z = {};                 double d_z_re = 0.0;
    d_z.re += term.re * d_p;    ->    double d_z_im = 0.0;
    d_z.im -= term.im * d_p;          d_z_re += term.re * d_p;
                                      d_z_im -= term.im * d_p;

Legal where every mention of the shadow names one of its members, all of them real numbers, and none
takes the address of one: from there an index leads to the others. Then no two members share memory,
and nothing sees the structure as a whole. What nobody adds to goes later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from g2o.ad.increments import is_all_zeros, zero_declaration
from g2o.ad.reals import fields_of, is_real
from g2o.ad.shadows import shadow_type
from g2o.analysis.effects import root_symbol
from g2o.ir.expressions import Form, Member, Unary, VarRef, strip_parens
from g2o.ir.statements import Block, Declare, Node, Stmt
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import TypeKind

_Parts = dict[Symbol, dict[str, Symbol]]

_MOST_MEMBERS: Final = 4
"""Larger structures stay together for whoever reads the code."""


def with_members_apart(
    statements: tuple[Stmt, ...], made: Iterable[Symbol], symbols: SymbolTable
) -> tuple[Stmt, ...]:
    """`statements` with the structures among `made`, variables of differentiation, taken apart."""
    candidates = {one for one in made if _is_plain(one)} & _started_with_zeros(statements)
    chosen = candidates - _used_whole(statements, candidates)
    if not chosen:
        return statements
    parts: _Parts = {}
    for symbol in sorted(chosen, key=lambda one: one.id):
        parts[symbol] = {
            name: symbols.fresh(f"{symbol.name}_{name}", shadow_type(ctype), Storage.LOCAL)
            for name, ctype in fields_of(symbol.type)
        }

    def replacement(node: Node) -> Node | None:
        match node:
            case Member(base=base, name=name) if (
                root := _variable(base)
            ) is not None and root in parts:
                return VarRef(parts[root][name])
            case Block(statements=inner):
                new = _taken_apart(inner, parts)
                if new is inner:
                    return None
                return rewrite(replace(node, statements=new, form=Form.BUILT), replacement)
            case _:
                return None

    return tuple(rewrite(one, replacement) for one in _taken_apart(statements, parts))


def _is_plain(symbol: Symbol) -> bool:
    fields = fields_of(symbol.type)
    few = 0 < len(dict(fields)) == len(fields) <= _MOST_MEMBERS
    record = symbol.type.kind is TypeKind.RECORD and symbol.storage is Storage.LOCAL
    return few and record and all(is_real(ctype) for _, ctype in fields)


def _variable(expr: Node) -> Symbol | None:
    inner = strip_parens(expr) if not isinstance(expr, Stmt) else None
    return inner.symbol if isinstance(inner, VarRef) else None


def _started_with_zeros(statements: tuple[Stmt, ...]) -> set[Symbol]:
    """What is declared alone, as `T d = {};`."""
    found: set[Symbol] = set()
    for node in (inner for statement in statements for inner in walk(statement)):
        match node:
            case Declare(variables=(variable,)) if is_all_zeros(variable.initial):
                found.add(variable.symbol)
            case _:
                pass
    return found


def _used_whole(statements: tuple[Stmt, ...], candidates: set[Symbol]) -> set[Symbol]:
    """Those that stand somewhere without a member of theirs behind them, or behind an `&`."""
    mentions: dict[Symbol, int] = dict.fromkeys(candidates, 0)
    led: set[Symbol | None] = set()
    for node in (inner for statement in statements for inner in walk(statement)):
        match node:
            case Member(base=base, name=name, arrow=False):
                root = _variable(base)
                if root is not None and root in mentions and name in dict(fields_of(root.type)):
                    mentions[root] -= 1
            case VarRef(symbol=symbol) if symbol in mentions:
                mentions[symbol] += 1
            case Unary(op="&", operand=Member() as place) if root_symbol(place) in mentions:
                led.add(root_symbol(place))
            case _:
                pass
    return {symbol for symbol, rest in mentions.items() if rest != 0 or symbol in led}


def _taken_apart(statements: tuple[Stmt, ...], parts: _Parts) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    for statement in statements:
        match statement:
            case Declare(variables=(variable,)) if variable.symbol in parts:
                result += [zero_declaration(one) for one in parts[variable.symbol].values()]
            case _:
                result.append(statement)
    same = all(one is other for one, other in zip(result, statements, strict=False))
    return statements if same and len(result) == len(statements) else tuple(result)
