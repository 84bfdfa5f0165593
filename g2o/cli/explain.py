"""`g2o explain`: the long text of diagnostic codes."""

from __future__ import annotations

import click

from g2o.diagnostics.codes import CODES, explain, find_code


def _codes(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """The codes that a shell may complete a word to."""
    del ctx, param
    return [key for key in CODES if key.startswith(begun.upper())]


@click.command()
@click.argument("codes", metavar="[CODE]...", nargs=-1, shell_complete=_codes)
def command(codes: tuple[str, ...]) -> int:
    """Explain diagnostic codes: what they mean, an example, what to do.

    Without CODE, list all of them.

    \b
      g2o explain G2O0203
    """
    if not codes:
        for code in CODES.values():
            click.echo(f"{code.key}  {code.title}")
        return 0
    texts: list[str] = []
    for name in codes:
        code = find_code(name)
        if code is None:
            raise click.BadParameter(f"there is no code {name!r}; `g2o explain` lists them.")
        texts.append(explain(code))
    click.echo("\n".join(texts), nl=False)
    return 0
