"""Analyses the sources of one command and prints what came of every kernel as JSON.

    python -m bench.analysis_lib.figures FILE... [options of g2o analyze]

A process of its own, so that one program can be given up without the others.
"""

import json
import sys
from dataclasses import asdict

from g2o.cli.analyze import command
from g2o.cli.options import Request
from g2o.cli.session import translate_all


def main(words: list[str]) -> int:
    """0 where every file could be read."""
    with command.make_context("analyze", [*words, "--quiet"]) as context:
        result = translate_all(Request.of(context.params))  # pyright: ignore[reportArgumentType]
    found = [
        asdict(figures)
        for file in result.files
        if file.translation is not None
        for figures in file.translation.figures
    ]
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    raise SystemExit(main(sys.argv[1:]))
