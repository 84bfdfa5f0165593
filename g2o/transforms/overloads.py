"""Overloads that clang leaves open in a template are chosen once the arguments are known.

    template <class T> T swap(T v)         swap<Pair<int, bool>>(p)
    { return beside(v, 1); }         ->    beside(const Pair<K, V> &, int), not beside(T, int)

A function is chosen where its parameters have exactly the types of the arguments; of several, the
one that the others are more general than. Those that take a pointer where a number is given, or the
other way around, are out of the question even where other types are not known.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import is_known, value_type
from g2o.ir.expressions import Call, Expr, integer_value
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Node
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.transforms.deduction import (
    deduce,
    explicit_arguments,
    fits_class,
    is_special,
    shape_of,
)
from g2o.transforms.recursion import folded

_NUMBERS: Final = (TypeKind.INTEGER, TypeKind.FLOATING)
_WORD: Final = re.compile(r"\w+")


def choose_overloads(body: Block, functions: FunctionTable, open_names: Collection[str]) -> Block:
    """Give calls of overloaded functions the key of the one that is meant, where that is clear.

    `open_names` are template parameters of the kernel: what stands for them is not known.
    """

    def chosen(node: Node) -> Node | None:
        if not isinstance(node, Call) or "|" not in node.key:
            return None
        call = replace(node, arguments=tuple(rewrite(one, chosen) for one in node.arguments))
        found = [functions.body(key) for key in call.key.split("|")]
        candidates = [one for one in found if one is not None]
        one = _choice(candidates, call, open_names) if len(candidates) == len(found) else None
        return replace(call, key=one.key) if one is not None else None

    if not any(isinstance(node, Call) and "|" in node.key for node in walk(body)):
        return body
    return rewrite(body, chosen)


def _choice(candidates: list[Function], call: Call, open_names: Collection[str]) -> Function | None:
    candidates = [one for one in _of_class(candidates, call, open_names) if _takes(one, call)]
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    types = [value_type(argument) for argument in call.arguments]
    if not all(_is_settled(ctype, open_names) for ctype in types):
        return None
    fitting = [one for one in candidates if _fits(one, types, call.template_arguments)]
    best = [
        one
        for one in fitting
        if all(_is_as_special(one, other) for other in fitting if other is not one)
    ]
    plain = [one for one in best if not one.template_parameters]
    best = plain or best
    return best[0] if len(best) == 1 else None


def _of_class(
    candidates: list[Function], call: Call, open_names: Collection[str]
) -> list[Function]:
    """The methods of the class, or of its one specialisation, that the call names."""
    special = [one for one in candidates if is_special(one)]
    if not special:
        return candidates
    most = max(len(one.owner_pattern) for one in special)
    given = tuple(map(folded, call.template_arguments[:most]))
    if any(word in open_names for one in given for word in _WORD.findall(one)):
        return []
    fitting = [one for one in special if fits_class(one, given)]
    if not fitting:
        return [one for one in candidates if one not in special]
    closed = [one for one in fitting if not one.owner_parameters]
    return closed or fitting


def _takes(function: Function, call: Call) -> bool:
    """Could there be so many arguments, of such kinds?"""
    missing = function.defaults[len(call.arguments) :]
    few = len(call.arguments) <= len(function.parameters)
    return (
        few
        and _has_arguments(function, call)
        and all(default is not None for default in missing)
        and not any(
            _is_impossible(parameter.type, argument)
            for parameter, argument in zip(function.parameters, call.arguments, strict=False)
        )
    )


def _has_arguments(function: Function, call: Call) -> bool:
    """Could the call name the template arguments that it does, and say what the others are?"""
    if "..." in function.span.text.partition("{")[0]:
        return True
    names = function.template_parameters[function.owner_parameters :]
    defaults = function.template_defaults[function.owner_parameters :]
    given = call.template_arguments[len(function.owner_pattern) :]
    deduced = {word for one in function.parameters for word in _WORD.findall(one.type.spelling)}
    known = deduced.union(name for name, one in zip(names, defaults, strict=False) if one)
    return len(given) <= len(names) and known.issuperset(names[len(given) :])


def _is_impossible(parameter: CType, argument: Expr) -> bool:
    """A number where a pointer is taken, or the other way around."""
    given = value_type(argument).kind
    if parameter.kind is TypeKind.POINTER:
        return given in _NUMBERS and integer_value(argument) != 0
    number = parameter.kind in (TypeKind.INTEGER, TypeKind.FLOATING)
    return number and given in (TypeKind.POINTER, TypeKind.ARRAY)


def _is_settled(ctype: CType, open_names: Collection[str]) -> bool:
    shape = shape_of(ctype.element.spelling if ctype.element is not None else ctype.spelling)
    if shape is None or not is_known(ctype) or shape.name in ("auto", "decltype"):
        return False
    pending = [shape]
    for one in pending:
        pending.extend(one.arguments)
    return not any(one.name in open_names for one in pending)


def _fits(function: Function, types: list[CType], explicit: tuple[str, ...]) -> bool:
    _, found = explicit_arguments(function, explicit)
    return all(
        deduce(parameter.type, actual, function.template_parameters, found)
        for parameter, actual in zip(function.parameters, types, strict=False)
    )


def _is_as_special(one: Function, other: Function) -> bool:
    """Does everything that `one` takes fit the parameters of `other`?"""
    found: dict[str, str] = {}
    return all(
        deduce(theirs.type, own.type, other.template_parameters, found)
        for own, theirs in zip(one.parameters, other.parameters, strict=False)
    )
