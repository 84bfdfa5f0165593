"""Makes a random program that fails as small as it gets (delta debugging over its tree).

    python -m tests.properties.cxx.reduce short|large SEED UNIT SETTING [FILE]

writes the smallest program with the fault of that kernel, which still has a meaning: its emulation
agrees with itself in two orders of threads, under UBSan, and no two accesses race. What is removed:
units, statements (many at a time first), blocks around statements, parts of expressions.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tests.properties.cxx.kernels import LARGE, SHORT
from tests.properties.cxx.kernels import program as random_program
from tests.properties.cxx.oracle import (
    SETTINGS,
    Failure,
    Fault,
    Setting,
    judge,
    reference,
    translate,
)
from tests.properties.cxx.tree import (
    Arm,
    Block,
    Does,
    Expr,
    Kind,
    Program,
    Simple,
    Statement,
    has_race,
    program_text,
)
from tests.reducing import smallest

_ZEROS = {
    **{
        "unsigned": "1u",
        "int": "1",
        "float": "0.5f",
        "double": "0.5",
        "bool": "true",
        "index": "0",
    },
    **{"unsigned long long": "1ull", "long long": "1ll"},
}


# -- smaller trees ------------------------------------------------------------------------------


def smaller_expressions(node: Expr) -> Iterator[Expr]:
    """Its type's simplest value, then one of its parts, then `node` with a smaller part."""
    simple = _ZEROS.get(node.type)
    if node.parts and simple is not None:
        yield Expr(simple, type=node.type, uniform=True)
    for part in node.parts:
        if part.type == node.type:
            yield part
    for number, part in enumerate(node.parts):
        for other in smaller_expressions(part):
            yield replace(node, parts=(*node.parts[:number], other, *node.parts[number + 1 :]))
    if not node.parts and simple is not None and node.form != simple and not node.form.isupper():
        yield Expr(simple, type=node.type, uniform=True)


def smaller_lists(nodes: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    """Without many statements, without few, without a block around some, with a smaller one."""
    size = len(nodes)
    while size:
        for begin in range(0, len(nodes), size):
            if not any(isinstance(one, Block) and one.kept for one in nodes[begin : begin + size]):
                yield (*nodes[:begin], *nodes[begin + size :])
        size //= 2
    for number, node in enumerate(nodes):
        for inner in _without_block(node):
            yield (*nodes[:number], *inner, *nodes[number + 1 :])
    for number, node in enumerate(nodes):
        for other in smaller_statements(node):
            yield (*nodes[:number], other, *nodes[number + 1 :])


def _without_block(node: Statement) -> Iterator[tuple[Statement, ...]]:
    """What stands in a block, without it."""
    if not isinstance(node, Block) or node.kept or node.kind in (Kind.FUNCTION, Kind.CLASS):
        return
    for arm in node.arms:
        if "=" in arm.head and node.kind is Kind.SCOPE:  # of a lambda
            continue
        inner = _cases(arm.body) if node.kind is Kind.SWITCH else arm.body
        yield tuple(one for one in inner if not _jumps(one))


def _cases(cases: tuple[Statement, ...]) -> tuple[Statement, ...]:
    return tuple(
        Block(
            Kind.SCOPE, (Arm("{", (), tuple(one for one in case.arms[0].body if not _jumps(one))),)
        )
        for case in cases
        if isinstance(case, Block)
    )


def _jumps(node: Statement) -> bool:
    return isinstance(node, Simple) and (
        node.does in (Does.BREAK, Does.CONTINUE) or "fallthrough" in node.form
    )


def smaller_statements(node: Statement) -> Iterator[Statement]:
    """`node` with fewer arms, smaller bodies, smaller expressions."""
    if isinstance(node, Simple):
        yield from (replace(node, parts=parts) for parts in _smaller_parts(node.parts))
        return
    if node.kept:
        return
    if len(node.arms) > 1:
        yield replace(node, arms=node.arms[:1])
        yield replace(node, arms=node.arms[:-1])
    lists = _fewer_cases if node.kind is Kind.SWITCH else smaller_lists
    for number, arm in enumerate(node.arms):
        for body in lists(arm.body):
            yield _with_arm(node, number, replace(arm, body=body))
        for parts in _smaller_parts(arm.parts):
            yield _with_arm(node, number, replace(arm, parts=parts))


def _fewer_cases(cases: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    """Without one, with a smaller one."""
    for number in range(len(cases)):
        yield (*cases[:number], *cases[number + 1 :])
    for number, case in enumerate(cases):
        for other in smaller_statements(case):
            yield (*cases[:number], other, *cases[number + 1 :])


def _with_arm(node: Block, number: int, arm: Arm) -> Block:
    return replace(node, arms=(*node.arms[:number], arm, *node.arms[number + 1 :]))


def _smaller_parts(parts: tuple[Expr, ...]) -> Iterator[tuple[Expr, ...]]:
    for number, part in enumerate(parts):
        for other in smaller_expressions(part):
            yield (*parts[:number], other, *parts[number + 1 :])


def smaller_programs(program: Program) -> Iterator[Program]:
    """`program` with fewer units, then with smaller ones; none that has a race."""
    if len(program.units) > 1:
        for unit in program.units:
            yield replace(program, units=(unit,))
    for number, unit in enumerate(program.units):
        for items in smaller_lists(unit.items):
            other = replace(unit, items=items)
            if not has_race(other):
                units = (*program.units[:number], other, *program.units[number + 1 :])
                yield replace(program, units=units)


def reduced(program: Program, fails: Callable[[Program], bool], most: int = 4000) -> Program:
    """The smallest program found for which `fails` holds, which it does for `program`."""
    return smallest(program, smaller_programs, fails, program_text, most)


# -- the fault ----------------------------------------------------------------------------------


def same_fault(found: Failure, wanted: Failure) -> bool:
    """Whether it is what is looked for: messages count, numbers do not."""
    if found.fault is not wanted.fault:
        return False
    if found.fault in (Fault.WRONG, Fault.MEANINGLESS):
        return True
    return _message(found.detail) == _message(wanted.detail)


def _message(detail: str) -> str:
    """The words of the first error, without names and numbers."""
    line = detail.split("error:")[-1].split("\n")[0]
    words = line.replace("‘", "'").replace("’", "'").split("'")
    return "".join(words[::2]).strip().rstrip("0123456789")[:60]


def failing_as(wanted: Failure, setting: Setting, directory: Path) -> Callable[[Program], bool]:
    """Whether a program fails as `wanted` says, and has a meaning."""
    lenient = setting
    if wanted.fault is Fault.WRONG:
        flags = tuple(flag for flag in setting.flags if flag != "-Werror")
        lenient = replace(setting, flags=flags, threads=setting.threads[-1:])
        if "4 threads" not in wanted.detail:
            lenient = replace(lenient, threads=setting.threads[:1])

    def fails(program: Program) -> bool:
        if wanted.fault in (Fault.REFUSED, Fault.INTERNAL):
            # the translation says more quickly than the emulation whether it is the same
            found = translate(program, directory, setting)[1]
            return _has(found, wanted) and not reference(program, directory).failures
        known = reference(program, directory)
        if known.failures or wanted.fault is Fault.MEANINGLESS:
            return _has(known.failures, wanted)
        return _has(judge(program, known, directory, lenient), wanted)

    return fails


def _has(found: Sequence[Failure], wanted: Failure) -> bool:
    return any(same_fault(one, wanted) for one in found)


def reduced_text(
    program: Program, wanted: Failure, setting: Setting, directory: Path, most: int = 4000
) -> str:
    """The smallest program that fails as the unit of `wanted` does."""
    program = program.only([wanted.unit]) if wanted.unit else program
    return program_text(reduced(program, failing_as(wanted, setting, directory), most))


def main(arguments: list[str]) -> int:
    size = {"short": SHORT, "large": LARGE}[arguments[0]]
    seed, name = int(arguments[1]), arguments[2]
    setting = next(one for one in SETTINGS if one.name == arguments[3])
    program = random_program(seed, int(name.removeprefix("k")) + 1, size).only([name])
    with tempfile.TemporaryDirectory(prefix="reduce-") as scratch:
        directory = Path(scratch)
        known = reference(program, directory)
        failures = list(known.failures) or judge(program, known, directory, setting)
        if not failures:
            print("it does not fail")
            return 1
        print(f"{failures[0].fault.value}: {failures[0].detail}", file=sys.stderr)
        text = reduced_text(program, failures[0], setting, directory)
    if len(arguments) > 4:
        Path(arguments[4]).write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
