"""Which kernels a launch can launch, and which kernels are launched where no launch shows it."""

from __future__ import annotations

from collections.abc import Container, Sequence

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import closing_angle, closing_bracket
from g2o.frontend.cuda.launch_syntax import Launch, parse_launches
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind, lex
from g2o.frontend.cuda.macros import invocations, streams
from g2o.frontend.cuda.scopes import declarations


def kernels_used_as_values(
    source: SourceFile, kernels: Container[str], known: Container[int] = ()
) -> frozenset[str]:
    """The kernels that the file names other than to declare or to launch them; places at the
    offsets that are `known` do not count.

    They are launched through a pointer, by a macro or by the runtime: with sizes nobody can see.
    """
    launched = {
        launch.tokens[launch.name_index].begin
        for launch in parse_launches(source)[0]
        if launch.name_index is not None
    }
    found: set[str] = set()
    lexed = lex(source.text)
    hiding = _parameters_called_so(lexed, kernels)
    for stream in streams(lexed):
        tokens = stream.tokens
        for index, token in enumerate(tokens):
            if token.text not in kernels or token.begin in launched or token.begin in known:
                continue
            if any(begin <= token.begin < end for begin, end in hiding.get(token.text, ())):
                continue
            after = index + 1
            if after < len(tokens) and tokens[after].text == "<":
                angle = closing_angle(tokens, after)
                after = after if angle is None else angle + 1
            if after >= len(tokens) or tokens[after].text != "(":
                found.add(token.text)
    return frozenset(found)


def _parameters_called_so(
    lexed: LexedFile, kernels: Container[str]
) -> dict[str, list[tuple[int, int]]]:
    """The functions, by where they begin and end, that have a parameter called as a kernel is: the
    name means that parameter in all of the function."""
    tokens = lexed.code
    found: dict[str, list[tuple[int, int]]] = {}
    for declaration in declarations(lexed):
        if declaration.parameters is None or not declaration.has_body:
            continue
        last = closing_bracket(tokens, declaration.parameters)
        end = closing_bracket(tokens, declaration.end)
        if last is None or end is None:
            continue
        depth = 1
        for index in range(declaration.parameters + 2, last):
            before, token, after = tokens[index - 1 : index + 2]
            depth += (before.text in "([{") - (before.text in ")]}")
            is_name = before.kind is TokenKind.IDENTIFIER or before.text in ("*", "&", "&&", ">")
            inner = before.text in ("*", "&") and tokens[index - 2].text == "("  # `(&k)[4]`
            is_own = depth == 1 or (depth == 2 and inner)
            if token.text in kernels and is_name and is_own and after.text in (",", ")", "=", "["):
                place = tokens[declaration.parameters].begin, tokens[end].begin
                found.setdefault(token.text, []).append(place)
    return found


def launched_names(lexed: LexedFile, launch: Launch) -> set[str | None]:
    """The kernels that a launch can name, macro parameters replaced; None for one not known."""
    tokens, macro = launch.tokens, launch.stream.macro
    callee = tokens[launch.callee : launch.opening]
    parameters = () if macro is None else macro.parameters or ()
    pasted = any(token.text == "##" for token in callee)
    name = launch.name_index
    if macro is None or (not pasted and (name is None or tokens[name].text not in parameters)):
        return {None if name is None else tokens[name].text}
    names: set[str | None] = set()
    for invoked, arguments in invocations(lexed, macro.name):
        values = {
            parameter: invoked[begin:end]
            for parameter, (begin, end) in zip(parameters, arguments, strict=False)
        }
        names.add(_substituted(callee, values))
    return names or {None}


def _substituted(callee: Sequence[Token], values: dict[str, Sequence[Token]]) -> str | None:
    """The unqualified kernel name of a macro's callee for one invocation."""
    text = ""
    for token in callee:
        if token.text == "##":
            continue
        if token.text == "<":
            break
        value = values.get(token.text)
        text += token.text if value is None else "".join(part.text for part in value)
    head = text.split("<", 1)[0]
    name = head.rsplit("::", 1)[-1]
    return name if name.isidentifier() else None
