"""Kernel launches: `k<T, 4><<<grid, block>>>(args)` becomes a call that C++ understands.

    k<T, 4><<<g, b, s>>>(x, n);
->  g2o_emulator::launch(g2o_emulator::configure(g, b, s), "k<T, 4>",
                         [&](auto &...g2o_a) { k<T, 4>(g2o_a...); })(x, n);

The text between `<<<` and `>>>` and the arguments stay where they are, so lines keep their numbers
and launches inside macro definitions need nothing of their own. Kernels that nodes of graphs hold
as `void *` know their types behind that:

    params.func = (void *)k;   ->   params.func = g2o_emulator::as_void->*k;
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2o.verify.emulator.tokens import Edit, Kind, Token, matching, matching_back

_NULLS = {"NULL": "nullptr", "0": "g2o_emulator::Zero{}"}
_LAUNCHERS = {"cudaLaunchKernel": 0, "cudaLaunchCooperativeKernel": 0, "cudaLaunchKernelExC": 1}


def rewrite_launches(text: str, tokens: Sequence[Token]) -> Iterator[Edit]:
    """The edits for every launch among `tokens`."""
    for index, token in enumerate(tokens):
        if token.text == "<<<":
            yield from _rewrite_launch(text, tokens, index)
        elif token.text in _LAUNCHERS and index + 1 < len(tokens):
            yield from _bare_kernel_argument(tokens, index + 1, _LAUNCHERS[token.text])
    if any(token.text == "cudaKernelNodeParams" for token in tokens):
        yield from _casts_to_void(tokens)


def _casts_to_void(tokens: Sequence[Token]) -> Iterator[Edit]:
    """Casts may be of kernels or of anything else: that is for the operator to find out."""
    for index, token in enumerate(tokens[:-4]):
        words = [one.text for one in tokens[index : index + 4]]
        behind = tokens[index + 4]
        names = behind.kind is Kind.IDENTIFIER or behind.text == "&"
        if words == ["(", "void", "*", ")"] and names:
            before = tokens[index - 1] if index else None
            if before is None or before.text == "return" or before.kind is not Kind.IDENTIFIER:
                yield Edit(token.begin, tokens[index + 3].end, "g2o_emulator::as_void->*")
        elif words == ["reinterpret_cast", "<", "void", "*"] and behind.text == ">":
            yield Edit(token.begin, behind.end, "g2o_emulator::as_void->*")


def _rewrite_launch(text: str, tokens: Sequence[Token], index: int) -> Iterator[Edit]:
    first = _begin_of_callee(tokens, index - 1)
    close = _end_of_configuration(tokens, index + 1)
    if first is None or close is None:
        return  # not a launch, or a broken one: the compiler will say so
    callee = " ".join(text[tokens[first].begin : tokens[index].begin].replace("\\\n", " ").split())
    name = callee.replace("\\", "\\\\").replace('"', '\\"')
    yield Edit(
        tokens[first].begin,
        tokens[index].end,
        "g2o_emulator::launch(g2o_emulator::configure(",
    )
    literals = list(_null_arguments(tokens, close + 3))
    # With a literal 0 the emulator asks whether the kernel takes a number there.
    asks = f" -> decltype({callee}(g2o_a...))" if any(e.text != "nullptr" for e in literals) else ""
    yield Edit(
        tokens[close].begin,
        tokens[close + 2].end,
        f'), "{name}", [&](auto &...g2o_a){asks} {{ {callee}(g2o_a...); }})',
    )
    yield from literals


def _begin_of_callee(tokens: Sequence[Token], last: int) -> int | None:
    """Index of the first token of the expression that ends at `last` and names the kernel."""
    at = last
    if at >= 0 and tokens[at].text == ">":
        at = _begin_of_template_arguments(tokens, at) - 1
    if at >= 0 and tokens[at].text == ")":
        at = matching_back(tokens, at)
        if at > 0 and tokens[at - 1].kind is Kind.IDENTIFIER and tokens[at - 1].text != "return":
            at -= 1
        return at if at >= 0 else None
    while at > 0 and tokens[at].text == "]":
        at = matching_back(tokens, at) - 1
    if at < 0 or tokens[at].kind is not Kind.IDENTIFIER:
        return None
    while at > 0:
        before = tokens[at - 1].text
        if before == "##":
            at -= 2
        elif before == "template":
            at -= 1
        elif before in ("::", ".", "->"):
            at -= 1
            if at > 0 and tokens[at - 1].text == ">":
                at = _begin_of_template_arguments(tokens, at - 1) - 1
            elif at > 0 and tokens[at - 1].text == ")":
                at = matching_back(tokens, at - 1)
            elif at > 0 and tokens[at - 1].kind is Kind.IDENTIFIER:
                if tokens[at - 1].text in ("return", "else", "do"):
                    return at
                at -= 1
        else:
            break
    return at


def _begin_of_template_arguments(tokens: Sequence[Token], close: int) -> int:
    depth = 0
    at = close
    while at >= 0:
        match tokens[at].text:
            case ">":
                depth += 1
            case "<":
                depth -= 1
                if depth == 0:
                    return at
            case ")" | "]":
                at = matching_back(tokens, at)
            case _:
                pass
        at -= 1
    return 0


def _end_of_configuration(tokens: Sequence[Token], begin: int) -> int | None:
    """Index of the first `>` of the `>>>` that ends the configuration starting at `begin`."""
    at = begin
    while at + 2 < len(tokens):
        text = tokens[at].text
        if text in "([{":
            at = matching(tokens, at)
        elif text in ";}":
            return None
        elif text == ">" and _three(tokens, at) and not _three(tokens, at + 1):
            return at
        at += 1
    return None


def _three(tokens: Sequence[Token], at: int) -> bool:
    """`>>>`, or three `>` with spaces between them and an argument list behind."""
    if at + 2 >= len(tokens) or any(tokens[at + i].text != ">" for i in range(3)):
        return False
    adjacent = tokens[at].end == tokens[at + 1].begin and tokens[at + 1].end == tokens[at + 2].begin
    return adjacent or (tokens[at + 3 : at + 4] != () and tokens[at + 3].text == "(")


def split_arguments(tokens: Sequence[Token], open_index: int) -> list[tuple[int, int]]:
    """Token ranges `[first, last]` of the arguments of the parenthesis at `open_index`."""
    close = matching(tokens, open_index)
    arguments: list[tuple[int, int]] = []
    begin = at = open_index + 1
    while at < close:
        if tokens[at].text in ("(", "[", "{"):
            at = matching(tokens, at)
        elif tokens[at].text == ",":
            arguments.append((begin, at - 1))
            begin = at + 1
        at += 1
    if begin < close < len(tokens):
        arguments.append((begin, close - 1))
    return arguments


def _null_arguments(tokens: Sequence[Token], open_index: int) -> Iterator[Edit]:
    """NULL and 0 are null pointers only as literals, but arguments are copied."""
    if open_index >= len(tokens) or tokens[open_index].text != "(":
        return
    for first, last in split_arguments(tokens, open_index):
        if first == last and tokens[first].text in _NULLS:
            yield Edit(tokens[first].begin, tokens[first].end, _NULLS[tokens[first].text])


def _bare_kernel_argument(
    tokens: Sequence[Token], open_index: int, position: int
) -> Iterator[Edit]:
    """`cudaLaunchKernel((void *)k, ...)` -> `cudaLaunchKernel(k, ...)`, which keeps k's type."""
    if tokens[open_index].text != "(":
        return
    arguments = split_arguments(tokens, open_index)
    if len(arguments) <= position:
        return
    first, _ = arguments[position]
    texts = [token.text for token in tokens[first : first + 9]]
    if texts[:1] == ["("] and "void" in texts[:3]:
        close = matching(tokens, first)
        yield Edit(tokens[first].begin, tokens[close].end, "")
    elif texts[:1] == ["reinterpret_cast"]:
        at = first
        while tokens[at].text != ">":
            at += 1
        yield Edit(tokens[first].begin, tokens[at].end, "")
