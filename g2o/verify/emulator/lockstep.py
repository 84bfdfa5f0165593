"""Warp-synchronous code: the lanes of a warp step through assignments together.

Before Volta, code over `volatile` shared memory, or with `__threadfence_block` between statements,
relied on all lanes of a warp loading before any of them stores. In functions that say one of these
words, assignments are therefore split, and so are those anywhere that move elements of a shared
array to places that another array names, `s[rank[t]] = s[t];`. Where a translation says that it
keeps lanes in step which meet in plain memory, `in_step`, all assignments of device functions are,
and what follows a branch, or an iteration of a loop, begins together:

    s[t] += s[t + 16];
->  { auto g2o_v = s[t] + (s[t + 16]); g2o_emulator::lockstep(17);
      s[t] = g2o_v; g2o_emulator::lockstep(18); }

`lockstep` waits for the lanes that are active at the same place (`G2O_LOCKSTEP=0`: it does not).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.verify.emulator.scopes import FunctionBody, function_bodies
from g2o.verify.emulator.tokens import Edit, Kind, Token, matching

_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}
_KEYWORDS = {
    "auto",
    "return",
    "if",
    "for",
    "while",
    "do",
    "else",
    "switch",
    "case",
    "goto",
    "delete",
}
_HEADS = {"if", "constexpr", "while", "for", "switch"}
_DEVICE = {"__device__", "__global__"}
_WARP_SYNCHRONOUS = {"volatile", "__threadfence_block"}


def rewrite_lockstep(text: str, tokens: Sequence[Token], in_step: bool = False) -> Iterator[Edit]:
    """The edits for all assignment statements of device functions that look warp-synchronous, or of
    all device functions if lanes are `in_step`."""
    shared = frozenset(_shared_names(tokens))
    if not in_step and not shared and not any(t.text in _WARP_SYNCHRONOUS for t in tokens):
        return
    for body in function_bodies(tokens):
        words = {token.text for token in tokens[body.head : body.close]}
        if _DEVICE.isdisjoint(words):
            continue
        if in_step:
            yield from _joins(tokens, body)
        if in_step or not _WARP_SYNCHRONOUS.isdisjoint(words):
            yield from _rewrite_body(text, tokens, body, None)
        elif not shared.isdisjoint(words):
            yield from _rewrite_body(text, tokens, body, shared)


def _shared_names(tokens: Sequence[Token]) -> Iterator[str]:
    """What is declared with `__shared__`, and the words of the declarations."""
    inside = False
    for token in tokens:
        if token.text == "__shared__":
            inside = True
        elif token.text == ";":
            inside = False
        elif inside and token.kind is Kind.IDENTIFIER:
            yield token.text


def _rewrite_body(
    text: str, tokens: Sequence[Token], body: FunctionBody, moved: frozenset[str] | None
) -> Iterator[Edit]:
    """The edits for a body: for all assignments, or for those that move elements of `moved`."""
    at = body.open + 1
    head = False  # is a `)` in front the end of `if (...)`, and not of a cast?
    while at < body.close:
        before = tokens[at - 1].text
        if before in (";", "{", "}", "else", "do", ":") or (before == ")" and head):
            operator = _assignment(tokens, at, body.close)
            if operator is not None and (end := _end_of_statement(tokens, operator, body.close)):
                if moved is None or _moves_elements(tokens, at, operator, end, moved):
                    yield from _split(text, tokens, at, operator, end)
                at = end
        if tokens[at].text in ("(", "["):  # the head of a `for`, an argument list, a subscript
            head = tokens[at - 1].text in _HEADS
            at = matching(tokens, at)
        at += 1


def _joins(tokens: Sequence[Token], body: FunctionBody) -> Iterator[Edit]:
    """Steps behind branches and iterations, where lanes wait that took another way."""
    for at in range(body.open + 1, body.close):
        word, behind = tokens[at].text, at + 1
        if word in ("for", "while") and tokens[behind].text == "(":
            behind = matching(tokens, behind) + 1
        if word == "for":
            ends = [n for n in range(at, behind) if tokens[n].text == ";"]
            if len(ends) == 2:
                place = tokens[ends[1]].end
                comma = "" if ends[1] + 2 == behind else ","
                last = tokens[_last_of_statement(tokens, behind)].end
                yield Edit(place, place, f" {_step(last)}{comma}")
        elif word in ("while", "do") and tokens[behind].text == "{":
            place = tokens[matching(tokens, behind)].begin
            yield Edit(place, place, f"{_step(place)}; ")
        elif word == "if" and tokens[at - 1].text in ("{", "}", ";"):
            place = tokens[_last_of_statement(tokens, at)].end
            yield Edit(place, place, f" {_step(place)};")


def _last_of_statement(tokens: Sequence[Token], at: int) -> int:
    """The `;` or `}` at the end of the statement that begins here."""
    word = tokens[at].text
    if word == "{":
        return matching(tokens, at)
    if word == "do":
        at = _last_of_statement(tokens, at + 1)
    elif word in _HEADS:
        while tokens[at].text != "(":
            at += 1
        at = _last_of_statement(tokens, matching(tokens, at) + 1)
        has_other = word == "if" and tokens[at + 1].text == "else"
        return _last_of_statement(tokens, at + 2) if has_other else at
    while tokens[at].text != ";":
        at = matching(tokens, at) + 1 if tokens[at].text in ("(", "[", "{") else at + 1
    return at


def _moves_elements(
    tokens: Sequence[Token], begin: int, operator: int, end: int, names: frozenset[str]
) -> bool:
    """Is an element of an array stored in the array, at a place that an array names?"""
    name = tokens[begin].text
    if name not in names or tokens[begin + 1].text != "[":
        return False
    close = matching(tokens, begin + 1)
    value = tokens[operator:end]
    return any(token.text == "[" for token in tokens[begin + 2 : close]) and any(
        token.text == name and after.text == "["
        for token, after in zip(value, value[1:], strict=False)
    )


def _assignment(tokens: Sequence[Token], at: int, close: int) -> int | None:
    """Index of the operator if `lvalue op= ...` starts at `at`."""
    while at < close and tokens[at].text == "*":
        at += 1
    if tokens[at].kind is not Kind.IDENTIFIER or tokens[at].text in _KEYWORDS:
        return None
    at += 1
    while at < close:
        token = tokens[at]
        if token.text == "[":
            end = matching(tokens, at)
            if any(t.text in ("++", "--", "=", "(") for t in tokens[at:end]):
                return None
            at = end + 1
        elif token.text in (".", "->", "::"):
            at += 2
        else:
            return at if token.text in _ASSIGNMENTS else None
    return None


def _end_of_statement(tokens: Sequence[Token], at: int, close: int) -> int | None:
    """Index of the `;`; None when a comma or an initialiser list stands at the outer level."""
    at += 1
    if tokens[at].text == "{":
        return None
    while at < close:
        if tokens[at].text in ("(", "[", "{"):
            at = matching(tokens, at)
        elif tokens[at].text == ",":
            return None
        elif tokens[at].text == ";":
            return at
        at += 1
    return None


def _split(
    text: str, tokens: Sequence[Token], begin: int, operator: int, end: int
) -> Iterator[Edit]:
    raw = text[tokens[begin].begin : tokens[operator - 1].end]
    left = " ".join(raw.split())
    operation = tokens[operator].text[:-1]
    value = f"{left} {operation} (" if operation else "("
    lines = "\n" * text.count("\n", tokens[begin].begin, tokens[operator].end)
    yield Edit(tokens[begin].begin, tokens[operator].end, f"{{ auto g2o_v = {value}{lines}")
    stop = tokens[end].end
    first, second = _step(stop - 2), _step(stop - 1)
    yield Edit(tokens[end].begin, stop, f"); {first}; {left} = g2o_v; {second}; }}")


def _step(order: int) -> str:
    """Lanes wait for those that come to a step with a lower number, which stands in front of it."""
    return f"g2o_emulator::lockstep({order})"
