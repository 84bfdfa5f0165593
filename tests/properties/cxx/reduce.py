"""Makes a random program that fails as small as it gets (delta debugging over its tree).

    python -m tests.properties.cxx.reduce SEED KERNELS UNIT SETTING [FILE]

writes the smallest program with the fault of that kernel, which still has a meaning: its emulation
agrees with itself in two orders of threads, under UBSan, and no two accesses race. What is removed:
units, statements (many at a time first), blocks around statements, parts of expressions.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tests.properties.cxx.kernels import program as random_program
from tests.properties.cxx.oracle import (
    SETTINGS,
    Failure,
    Fault,
    Reference,
    Setting,
    judge,
    reference,
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
    for number, arm in enumerate(node.arms):
        for body in smaller_lists(arm.body):
            yield _with_arm(node, number, replace(arm, body=body))
        for parts in _smaller_parts(arm.parts):
            yield _with_arm(node, number, replace(arm, parts=parts))


def _with_arm(node: Block, number: int, arm: Arm) -> Block:
    return replace(node, arms=(*node.arms[:number], arm, *node.arms[number + 1 :]))


def _smaller_parts(parts: tuple[Expr, ...]) -> Iterator[tuple[Expr, ...]]:
    for number, part in enumerate(parts):
        for other in smaller_expressions(part):
            yield (*parts[:number], other, *parts[number + 1 :])


def smaller_programs(program: Program) -> Iterator[Program]:
    """`program` with fewer units, then with smaller ones."""
    if len(program.units) > 1:
        for unit in program.units:
            yield replace(program, units=(unit,))
    for number, unit in enumerate(program.units):
        for items in smaller_lists(unit.items):
            other = replace(unit, items=items)
            yield replace(
                program, units=(*program.units[:number], other, *program.units[number + 1 :])
            )


def reduced(program: Program, fails: Callable[[Program], bool], most: int = 4000) -> Program:
    """The smallest program found for which `fails` holds, which it does for `program`.

    Tries up to `most` programs; after each success it goes on from the same place of the smaller
    tree, until nothing smaller fails.
    """
    place, tried = 0, 0
    seen: set[str] = set()
    progress = True
    while progress and tried < most:
        progress = False
        candidates = smaller_programs(program)
        position = 0
        while tried < most:
            candidate = next(candidates, None)
            if candidate is None:
                break
            position += 1
            if position <= place:
                continue
            text = program_text(candidate)
            if text in seen or any(map(has_race, candidate.units)):
                continue
            seen.add(text)
            tried += 1
            if fails(candidate):
                program, progress = candidate, True
                candidates = smaller_programs(program)
                place, position = position - 1, 0
        if place and not progress:
            place, progress = 0, True
        elif place:
            place = 0
    return program


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
        if wanted.fault is not Fault.WRONG:
            # the translation says more quickly than the emulation whether it is the same
            found = judge(program, reference_of_nothing(program), directory, setting)
            if not any(same_fault(one, wanted) for one in found):
                return False
        known = reference(program, directory)
        if known.failures:
            return False
        if wanted.fault is not Fault.WRONG:
            return True
        return any(same_fault(one, wanted) for one in judge(program, known, directory, lenient))

    return fails


def reference_of_nothing(program: Program) -> Reference:
    """Texts that nothing equals: only what is found before a run counts."""
    return Reference({unit.name: "" for unit in program.units}, ())


def main(arguments: list[str]) -> int:
    seed, kernels, name, setting_name = (
        int(arguments[0]),
        int(arguments[1]),
        arguments[2],
        arguments[3],
    )
    setting = next(one for one in SETTINGS if one.name == setting_name)
    whole = random_program(seed, kernels)
    with tempfile.TemporaryDirectory(prefix="reduce-") as scratch:
        directory = Path(scratch)
        program = whole.only([name])
        known = reference(program, directory)
        failures = list(known.failures) or judge(program, known, directory, setting)
        if not failures:
            print("it does not fail")
            return 1
        print(f"{failures[0].fault.value}: {failures[0].detail}", file=sys.stderr)
        program = reduced(program, failing_as(failures[0], setting, directory))
    text = program_text(program)
    if len(arguments) > 4:
        Path(arguments[4]).write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
