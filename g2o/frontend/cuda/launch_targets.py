"""Which kernels a launch can launch, and which kernels are launched where no launch shows it."""

from __future__ import annotations

from collections.abc import Container, Sequence

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.brackets import closing_angle
from g2o.frontend.cuda.launch_syntax import Launch, parse_launches
from g2o.frontend.cuda.lexer import LexedFile, Token, lex
from g2o.frontend.cuda.macros import invocations, streams


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
    for stream in streams(lex(source.text)):
        tokens = stream.tokens
        for index, token in enumerate(tokens):
            if token.text not in kernels or token.begin in launched or token.begin in known:
                continue
            after = index + 1
            if after < len(tokens) and tokens[after].text == "<":
                angle = closing_angle(tokens, after)
                after = after if angle is None else angle + 1
            if after >= len(tokens) or tokens[after].text != "(":
                found.add(token.text)
    return frozenset(found)


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
