"""`g2o cache`: what is kept between commands and processes, and how to be rid of it."""

from __future__ import annotations

from collections import defaultdict

import click

from g2o.user_cache import cache_place, drop, entries


@click.command()
@click.argument("action", type=click.Choice(("info", "clear")))
def command(action: str) -> int:
    """Show what the cache has, or clear it.

    Headers and emulators that were compiled, kernels for Python, and what `translate` last did:
    all of it is made again when it is needed.
    """
    sizes: dict[str, list[int]] = defaultdict(list)
    for kind, entry, size in entries():
        sizes[kind].append(size)
        if action == "clear":
            drop(entry)
    total = sum(map(sum, sizes.values()))
    click.echo(f"{cache_place()}: {_megabytes(total)}{' cleared' if action == 'clear' else ''}")
    for kind, found in sorted(sizes.items()) if action == "info" else ():
        click.echo(f"  {kind:<12} {len(found):>5}  {_megabytes(sum(found)):>10}")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
