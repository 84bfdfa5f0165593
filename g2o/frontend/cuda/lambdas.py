"""What the text of a lambda says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import final

from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.names_device import BUILTIN_VARIABLES
from g2o.frontend.cuda.read_types import read_type
from g2o.ir.expressions import Call, Code, Expr, Form, Literal, VarRef, Verbatim
from g2o.ir.spelled import split_captures, split_lambda
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind, numbers_in

OF_LAMBDA = CType("(lambda at some place)", TypeKind.RECORD)
"""The type of a variable with a lambda for its value, in a template that clang leaves open."""

_INITIAL = re.compile(r"&?\s*\w+\s*=")
_LISTED = re.compile(r"&?\s*(?!this\b)\w+\s*(=|$)|[=&]$")
_VALUE = re.compile(r"(?!this\b)\w+(?:\s*\.\.\.)?")
_REFERENCE = re.compile(r"&\s*\w+(?:\s*\.\.\.)?")
_EVALUATING = frozenset(
    {"COMPOUND_STMT", "IF_STMT", "WHILE_STMT", "DO_STMT", "FOR_STMT", "SWITCH_STMT", "CASE_STMT",
     "DEFAULT_STMT"}
)  # fmt: skip
_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def type_of_lambda(cursor: Cursor) -> CType | None:
    """The type of a lambda; None for other expressions."""
    while cursor.kind == "UNEXPOSED_EXPR" and len(cursor.children) == 1:
        cursor = cursor.children[0]
    if cursor.kind != "LAMBDA_EXPR":
        return None
    ctype = read_type(cursor.type)
    return ctype if "(lambda at" in ctype.spelling else OF_LAMBDA


def names_launch(operator: Cursor) -> bool:
    """Does a lambda itself name positions? It stays where it is, among the threads that do."""
    return any(
        one.kind == "DECL_REF_EXPR" and one.spelling in BUILTIN_VARIABLES for one in operator.walk()
    )


def call_of_lambda(
    operator: Cursor, called: tuple[Expr, ...], ctype: CType, span: SourceSpan
) -> Call:
    """The call of a lambda, the first of `called`, in a template: clang leaves it open, `ctype`,
    though the type of the lambda is known."""
    given = read_type(operator.result_type)
    ctype = ctype if "auto" in given.spelling.split() else given
    form, key = Form.PRISTINE, operator.pattern.usr
    callee = Literal("()", span=span, form=form)
    return Call("operator()", callee, called, key, False, (), ctype, span=span, form=form)


def only_copies(text: str) -> bool:
    """Does a lambda capture values, and keep them as they are? Making one has no effect then: what
    its body does it does where it is called."""
    captures, rest = split_lambda(text)
    head = rest.partition("{")[0]
    return "&" not in captures and "this" not in captures and "mutable" not in head


@final
class Evaluated:
    """The expressions in a lambda's body that it takes the values of, and nothing that these could
    be changed by later, as a reference to them can."""

    def __init__(self, text: str) -> None:
        result = text.partition("{")[0].partition("->")[2]
        self._returns_value = "&" not in result and "decltype" not in result
        self._found: list[Expr] = []

    def note(self, around: Cursor, part: Expr) -> None:
        """`part` stands right inside `around`."""
        match around.kind:
            case "VAR_DECL":
                made = isinstance(part, Verbatim) and "(lambda at" in part.type.spelling
                plain = made or numbers_in(read_type(around.type)) is not None
            case "RETURN_STMT":
                plain = self._returns_value and part.type.is_arithmetic
            case kind:
                plain = kind in _EVALUATING
        if plain:
            self._found.append(part)

    def has(self, part: Expr) -> bool:
        """Is it one of them?"""
        return any(part is one for one in self._found)


def copied_variables(
    text: str, parts: Sequence[Expr], brackets: SourceSpan
) -> frozenset[Symbol] | None:
    """The variables of which a lambda has copies, which it never changes; None where it may change
    them, or captures otherwise than by name."""
    items = _items(brackets)
    referred = {one.strip("& .") for one in items if _REFERENCE.fullmatch(one)}
    own = {one.partition("=")[0].strip() for one in items if _INITIAL.match(one)}
    copying = [one for one in items if one != "&" and not _REFERENCE.fullmatch(one)]
    copying = [one for one in copying if one[0] == "&" or not _INITIAL.match(one)]
    if not all(one == "=" or _VALUE.fullmatch(one) for one in copying):
        return None
    if copying and "mutable" in split_lambda(text)[1].partition("{")[0]:
        return None
    named = {node.symbol for part in parts for node in walk(part) if isinstance(node, VarRef)}
    return frozenset(
        one
        for one in named
        if one.storage in (Storage.LOCAL, Storage.PARAMETER) and one.name not in referred | own
        if "=" in copying or one.name in copying
    )


def outside_of(values: Sequence[Expr], parts: Sequence[Expr]) -> tuple[Expr, ...]:
    """Those of `parts` that are no parts of `values`."""
    spans = [one.span for one in values if one.span is not None]
    return tuple(
        one
        for one in parts
        if one.span is None or not any(span.begin <= one.span.begin < span.end for span in spans)
    )


def lambda_parts(parts: Sequence[Expr], brackets: SourceSpan) -> tuple[Expr, ...]:
    """`parts` of a lambda that are not only names in its capture list, and the list that it has
    where they are printed with other names: `[x, y]` -> `[=]`, `[&x, &y]` -> `[&]`. A list of both
    becomes `[&, x]`: the body may come to name the launch, or the element of an array.

    Shared memory, which CUDA has once for the block so that no lambda copies it, is a variable of
    the translation: `[=]` -> `[=, &tile]`, `[v = f(x)]` -> `[&, v = f(x)]`.
    """
    items = _items(brackets)
    behind = _behind(parts, brackets)
    listed = [one for one in parts if one.span is not None and one.span.begin < brackets.end]
    inside = sorted(listed, key=lambda one: 0 if one.span is None else one.span.begin)
    nodes = [node for part in behind for node in walk(part)]
    found = [node for node in nodes if isinstance(node, VarRef) and node.symbol.storage in _SHARED]
    shared = {one.symbol: one for one in found}
    if any(map(_INITIAL.match, items)) and all(map(_LISTED.match, items)):
        opening = ("[=",) if "=" in items else ("[", "&") if shared else ("[&",)
        pieces = list(_with_values(items, inside, brackets))
        if "=" in items:
            built = (replace(one, form=Form.BUILT) for one in shared.values())
            pieces += [piece for one in built for piece in (", &", one)]
        return (Code((*opening, *pieces, "]"), span=brackets), *behind)
    if shared and "&" not in items:
        return (_with_shared(items, shared, brackets), *behind)
    for pattern, capture in ((_REFERENCE, "&"), (_VALUE, "=")):
        if items == [capture]:
            return behind
        if items and all(pattern.fullmatch(item) for item in items):
            return (Literal(f"[{capture}]", span=brackets), *behind)
    if any(item in ("&", "=") or "=" in item for item in items):
        return (*inside, *behind)
    copies = [item for item in items if not item.startswith("&")]
    named = [one for one in inside if isinstance(one, VarRef) and one.symbol.name in copies]
    if [one.symbol.name for one in named] != copies:
        return (*inside, *behind)
    pieces = [piece for one in named for piece in (", ", replace(one, form=Form.BUILT))]
    return (Code(("[&", *pieces, "]"), span=brackets), *behind)


def lists_numbers(part: Expr) -> bool:
    """Is it a list of captures that evaluates nothing but numbers? No variable changes by them, but
    for those that a name of the lambda's own refers to: `&r = `."""
    pieces = part.parts if isinstance(part, Code) else ()
    if any(isinstance(piece, str) and piece.startswith("&") and "=" in piece for piece in pieces):
        return False
    return all(isinstance(piece, str) or piece.type.is_arithmetic for piece in pieces)


def names_shared(parts: Sequence[Expr]) -> bool:
    """Has a lambda with these `lambda_parts` to be printed with another list?"""
    lists = (part for part in parts if isinstance(part, Code) and part.parts[-1] == "]")
    return any(piece in ("&", ", &") for one in lists for piece in one.parts)


def _items(brackets: SourceSpan) -> list[str]:
    return split_captures(brackets.text[:-1])


def _behind(parts: Sequence[Expr], brackets: SourceSpan) -> tuple[Expr, ...]:
    return tuple(one for one in parts if one.span is None or one.span.begin >= brackets.end)


def _with_values(
    items: Sequence[str], inside: Sequence[Expr], brackets: SourceSpan
) -> Iterator[str | Expr]:
    """Captures with values, and the expressions that these are, and names of variables that the
    default does not capture like that."""
    text, place = brackets.file.text, brackets.begin
    for item in items:
        begin = text.index(item, place)
        place = begin + len(item)
        is_same = item.startswith("&") != ("=" in items)
        if item in ("=", "&") or (is_same and not _INITIAL.match(item)):
            continue
        yield ", "
        for one in inside:
            if one.span is not None and begin <= one.span.begin < one.span.end <= place:
                yield text[begin : one.span.begin]
                yield replace(one, form=Form.BUILT) if isinstance(one, VarRef) else one
                begin = one.span.end
        yield text[begin:place]


def _with_shared(
    items: Sequence[str], shared: Mapping[Symbol, VarRef], brackets: SourceSpan
) -> Code:
    """The list of captures with the shared memory by reference."""
    by_name = items and all(_VALUE.fullmatch(item) for item in items)
    pieces: list[str | Expr] = ["[" + ", ".join(["="] if by_name else items)]
    for position, variable in enumerate(shared.values()):
        pieces += [", &" if items or position else "&", replace(variable, form=Form.BUILT)]
    return Code((*pieces, "]"), span=brackets)
