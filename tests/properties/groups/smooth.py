"""Checks derivatives of random kernels of groups, and makes those that fail smaller.

python -m tests.properties.groups.smooth SEED [SEED...]       programs of 20 kernels
python -m tests.properties.groups.smooth SEED/NUMBER [...]    one kernel, reduced
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from tests.ad.smooth_checks import Checked, check_program
from tests.properties.cxx.tree import Block, Simple, Statement, Unit
from tests.properties.groups.kernels import HEAD, kernel
from tests.reducing import Tree, reduced, rendered, sequence

KERNELS = 20


def check(seed: int, scratch: Path, kernels: int = KERNELS) -> Checked:
    """Check the derivatives of the kernels of a seed."""
    units = [_unit(seed, number) for number in range(kernels)]
    trees = [_tree(one) for one in units]
    return check_program(_source(units, trees), [one.name for one in units], scratch, f"g{seed}")


def _unit(seed: int, number: int) -> Unit:
    return kernel(Random(f"smooth groups {seed} {number}"), f"k{number}", smooth=True)


def _source(units: list[Unit], trees: list[Tree]) -> str:
    launches = "\n".join(one.main for one in units)
    return f"{launches}\n{HEAD}\n" + "\n".join(map(rendered, trees))


def _tree(unit: Unit) -> Tree:
    return sequence([_node(one, depth=0) for one in unit.items])


def _node(statement: Statement, depth: int) -> Tree:
    match statement:
        case Simple(form=form):
            return Tree(form + "\n")
        case Block(arms=(arm,), tail=tail, kept=kept):
            inner = [_node(one, depth + 1) for one in arm.body]
            if kept:
                return Tree(f"{arm.head}\n{''.join(map(rendered, inner))}{tail}\n")
            text = f"{arm.head}\n@{tail}\n"
            return Tree(text, (sequence(inner),), lifts=depth > 0)
        case _:
            raise AssertionError(statement)


def _reduced(seed: int, number: int, scratch: Path) -> str:
    unit = _unit(seed, number)

    def fault_of(tree: Tree) -> str:
        made = check_program(_source([unit], [tree]), [unit.name], scratch, "one")
        texts = [*made.wrong.values(), *made.refused.values()]
        return texts[0].partition(":")[0] if texts else ""

    wanted = fault_of(_tree(unit))
    if not wanted:
        return "nothing is wrong"
    small = reduced(_tree(unit), lambda tree: fault_of(tree) == wanted)
    return f"// {wanted}\n{_source([unit], [small])}"


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="g2o-groups-") as directory:
        for word in words:
            seed, _, number = word.partition("/")
            if number:
                print(_reduced(int(seed), int(number), Path(directory)))
                continue
            found = check(int(seed), Path(directory))
            for name, why in found.wrong.items():
                print(f"{seed}/{name.removeprefix('k')} WRONG {why}", flush=True)
            for name, why in found.refused.items():
                print(f"{seed}/{name.removeprefix('k')} refused {why}", flush=True)
            print(f"{seed}: done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
