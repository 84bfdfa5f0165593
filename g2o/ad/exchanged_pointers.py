"""Pointers that lead to one array after the other, as numbers that say to which.

    float *now = a, *next = b;               int at_now = 0, at_next = 1;
    ...                                      ...
    next[t] = now[t - 1];              ->    (at_next == 0 ? a : b)[t] =
    float *other = now;                          (at_now == 0 ? a : b)[t - 1];
    now = next, next = other;                int other = at_now; ...

The reverse sweep can keep a number, and every array has a shadow. What is done with the pointers
otherwise is done with the chosen array. One that moves inside of its arrays, too, stays what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.pointer_values import alternatives, moving_pointers, pointer_values
from g2o.ad.references import without_references
from g2o.analysis.definitions import with_variables
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Assign,
    Binary,
    Conditional,
    Expr,
    Form,
    Literal,
    Paren,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import Block, Declare, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind, decayed

_MOST_ARRAYS = 4


def with_numbered_arrays(kernel: Kernel) -> Kernel:
    """`kernel` with a number in place of every pointer that leads to several arrays, one after the
    other, and to their starts alone."""
    function = replace(kernel.function, body=without_references(kernel.body))
    moving = moving_pointers(function.body)
    function = _with_starts_apart(function, moving)
    values = pointer_values(function.body, function.parameters)
    starts = _starts_in_front(function, values, moving)
    initial = {
        one: [*([VarRef(one)] if one in function.parameters else []), *alternatives(given)]
        for one, given in values.items()
        if given and one not in moving and one not in starts
    }
    steady = {one for one in function.parameters if one not in moving and not values.get(one)}
    steady |= starts | _arrays_in_front(function.body, set(initial))
    arrays = _arrays(initial, set(function.parameters), steady)
    several = {one for one, found in arrays.items() if len(found) > 1}
    exchanged = {one for one in several if _is_set_again(one, values, function.parameters)}
    numbered = _with_sources(exchanged, initial, several)
    if not numbered:
        return kernel
    symbols = SymbolTable(continued=function.symbols)
    names = {one: next(iter(found)) for one, found in arrays.items() if len(found) == 1}
    choices = {
        one: _Choice(
            symbols.fresh(f"at_{one.name}", INT, Storage.LOCAL),
            _listed(one, arrays, numbered),
            names,
        )
        for one in sorted(numbered, key=lambda one: one.id)
    }
    body = rewrite(function.body, _Numbered(choices).replacement)
    numbers = [
        Declare((Variable(choices[one].at, "int", "", choices[one].number(VarRef(one)), "="),))
        for one in function.parameters
        if one in choices
    ]
    whole = replace(body, statements=(*numbers, *body.statements))
    return replace(kernel, function=replace(function, body=whole, symbols=symbols))


@final
@dataclass(frozen=True, slots=True)
class _Choice:
    """`at` says which of `arrays` a pointer leads to; `names` are pointers to one of them alone."""

    at: Symbol
    arrays: tuple[Symbol, ...]
    names: Mapping[Symbol, Symbol]

    def number(self, array: VarRef) -> Expr:
        place = self.arrays.index(self.names.get(array.symbol, array.symbol))
        return Literal(str(place), place, INT)

    def chosen(self, ctype: CType) -> Expr:
        *front, last = self.arrays
        result: Expr = VarRef(last)
        for place, array in reversed(list(enumerate(front))):
            number = Literal(str(place), place, INT)
            same = Binary("==", VarRef(self.at), number, BOOL)
            result = Conditional(same, VarRef(array), result, ctype)
        return Paren(result, ctype)


def _with_starts_apart(function: Function, moving: set[Symbol]) -> Function:
    """`double *now = a + 3 * t;`, which is set again, begins at a pointer that is not."""
    values = pointer_values(function.body, function.parameters)
    symbols = SymbolTable(continued=function.symbols)

    def is_apart(variable: Variable) -> bool:
        given = values.get(variable.symbol, [])
        again = len(given) > 1 and variable.symbol not in moving
        initial = variable.initial
        named = initial is None or _named(initial) is not None
        alone = initial is not None and len(alternatives([initial])) == 1
        others = all(_named(one) is not None for one in alternatives(given[1:]))
        return again and not named and alone and others and variable.initial_style == "="

    new: list[Stmt] = []
    for statement in function.body.statements:
        if not isinstance(statement, Declare) or not any(map(is_apart, statement.variables)):
            new.append(statement)
            continue
        for one in statement.variables:
            if is_apart(one):
                start = symbols.fresh(f"{one.symbol.name}_start", one.symbol.type, Storage.LOCAL)
                new.append(Declare((replace(one, symbol=start),)))
                one = replace(one, initial=VarRef(start))
            new.append(Declare((one,)))
    if len(new) == len(function.body.statements):
        return function
    body = replace(function.body, statements=tuple(new), form=Form.BUILT)
    return replace(function, body=body, symbols=symbols)


def _starts_in_front(
    function: Function, values: Mapping[Symbol, list[Expr]], moving: set[Symbol]
) -> set[Symbol]:
    """Pointers into arrays that are set once, in front of all that uses pointers that are not."""
    once = {
        one
        for one, given in values.items()
        if len(given) == 1 and one not in moving and one not in function.parameters
        if _named(given[0]) is None and len(alternatives(given)) == 1
    }
    again = {one for one, given in values.items() if len(given) > 1}
    found: set[Symbol] = set()
    for statement in function.body.statements:
        if isinstance(statement, Declare):
            declared = {one.symbol for one in statement.variables if one.initial is not None}
            found |= declared & once
            if declared <= once | again:
                continue
        if any(isinstance(node, VarRef) and node.symbol in again for node in walk(statement)):
            break
    return found


def _arrays_in_front(body: Block, pointers: set[Symbol]) -> set[Symbol]:
    """The arrays of the function that can be named wherever one of the pointers is."""
    found: set[Symbol] = set()
    for statement in body.statements:
        if isinstance(statement, Declare):
            declared = (one.symbol for one in statement.variables)
            found |= {one for one in declared if one.type.kind is TypeKind.ARRAY}
        if any(isinstance(node, VarRef) and node.symbol in pointers for node in walk(statement)):
            break
    return found


def _arrays(
    values: Mapping[Symbol, list[Expr]], parameters: set[Symbol], steady: set[Symbol]
) -> dict[Symbol, frozenset[Symbol]]:
    """The arrays to whose starts pointers lead; none of those that lead elsewhere. `steady` are
    arrays, and the parameters that are never set: others are no names for what they led to before.
    """
    left = {one: [_named(value) for value in given] for one, given in values.items()}
    while True:
        left = _known(left, steady)
        found: dict[Symbol, set[Symbol]] = {one: set() for one in left}
        changed = True
        while changed:
            changed = False
            for one, given in left.items():
                for named in given:
                    if named is None:
                        continue
                    is_start = named not in left or (named == one and one in parameters)
                    new = {named} if is_start else found[named]
                    if not new <= found[one]:
                        found[one] |= new
                        changed = True
        wrong = {one for one, arrays in found.items() if not _are_alike(one, arrays)}
        if not wrong:
            return {one: frozenset(arrays) for one, arrays in found.items()}
        left = {one: given for one, given in left.items() if one not in wrong}


def _known(
    values: Mapping[Symbol, list[Symbol | None]], steady: set[Symbol]
) -> dict[Symbol, list[Symbol | None]]:
    """Pointers that are set from nothing but arrays and each other."""
    left = dict(values)
    while True:
        lost = [
            one
            for one, given in left.items()
            if not all(named is not None and _is_known(named, left, steady) for named in given)
        ]
        if not lost:
            return left
        for one in lost:
            del left[one]


def _is_known(named: Symbol, left: Mapping[Symbol, object], steady: set[Symbol]) -> bool:
    if named in left:
        return True
    shared = named.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
    return named in steady or (shared and named.type.kind is TypeKind.ARRAY)


def _are_alike(pointer: Symbol, arrays: set[Symbol]) -> bool:
    """Have the arrays the pointer's elements, and are they few?"""
    element = pointer.type.element
    elements = {one.type.element for one in arrays}
    return (
        element is not None
        and 0 < len(arrays) <= _MOST_ARRAYS
        and all(
            one is not None and (one.kind, one.bits) == (element.kind, element.bits)
            for one in elements
        )
    )


def _named(value: Expr) -> Symbol | None:
    bare = strip_parens(value)
    return bare.symbol if isinstance(bare, VarRef) else None


def _is_set_again(
    pointer: Symbol, values: Mapping[Symbol, list[Expr]], parameters: tuple[Symbol, ...]
) -> bool:
    return len(values[pointer]) > (0 if pointer in parameters else 1)


def _with_sources(
    exchanged: set[Symbol], values: Mapping[Symbol, list[Expr]], several: set[Symbol]
) -> set[Symbol]:
    """These pointers and those that they are set from, or that are set from them."""
    found = set(exchanged)
    while True:
        more = {
            one
            for one in several - found
            if any(_named(value) in found for value in values[one])
            or any(one == _named(value) for other in found for value in values[other])
        }
        if not more:
            return found
        found |= more


def _listed(
    pointer: Symbol, arrays: Mapping[Symbol, frozenset[Symbol]], numbered: set[Symbol]
) -> tuple[Symbol, ...]:
    """The arrays of all pointers that share some with this one, in one order: their numbers can be
    copied."""
    together = arrays[pointer]
    while True:
        more = together.union(*(arrays[one] for one in numbered if arrays[one] & together))
        if more == together:
            return tuple(sorted(together, key=lambda one: one.id))
        together = more


@final
@dataclass(frozen=True, slots=True)
class _Numbered:
    choices: Mapping[Symbol, _Choice]

    def replacement(self, node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                new = tuple(one for old in statements for one in self._statement(old))
                same = len(new) == len(statements) and all(
                    one is old for one, old in zip(new, statements, strict=True)
                )
                return node if same else replace(node, statements=new, form=Form.BUILT)
            case Declare(variables=variables) if self._declares(node):
                if not all(one.symbol in self.choices for one in variables):
                    message = (
                        "pointer that leads to several arrays, declared beside other variables"
                    )
                    raise refuse("G2O0403", message, node.span)
                return with_variables(node, map(self._variable, variables))
            case Assign(op="=", target=VarRef(symbol=symbol), value=value) if (
                symbol in self.choices
            ):
                at = VarRef(self.choices[symbol].at)
                return Assign("=", at, self._number(symbol, value), INT, form=Form.BUILT)
            case VarRef(symbol=symbol) if symbol in self.choices:
                return self.choices[symbol].chosen(decayed(symbol.type))
            case _:
                return None

    def _statement(self, statement: Stmt) -> tuple[Stmt, ...]:
        if not isinstance(statement, Declare) or not self._declares(statement):
            return (rewrite(statement, self.replacement),)
        result: list[Stmt] = [
            Declare((self._variable(one),))
            if one.symbol in self.choices
            else rewrite(Declare((one,)), self.replacement)
            for one in statement.variables
        ]
        return (replace(result[0], trivia=statement.trivia), *result[1:])

    def _declares(self, statement: Declare) -> bool:
        return any(one.symbol in self.choices for one in statement.variables)

    def _variable(self, pointer: Variable) -> Variable:
        number: Expr = Literal("0", 0, INT)
        if pointer.initial is not None:
            number = self._number(pointer.symbol, pointer.initial)
        return Variable(self.choices[pointer.symbol].at, "int", "", number, "=")

    def _number(self, pointer: Symbol, value: Expr) -> Expr:
        named = strip_parens(value)
        if isinstance(named, Conditional):
            one, other = (self._number(pointer, v) for v in (named.if_true, named.if_false))
            asked = rewrite(named.condition, self.replacement)
            return Paren(Conditional(asked, one, other, INT), INT)
        assert isinstance(named, VarRef)
        other = self.choices.get(named.symbol)
        return self.choices[pointer].number(named) if other is None else VarRef(other.at)
