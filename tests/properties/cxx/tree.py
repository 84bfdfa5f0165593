"""Random C++ programs as trees: what is printed, and what a reducer takes apart.

An expression is a form with holes, `(@0 + @1)`, and what stands in them. A statement is a form,
too, or a block of arms (`if (@0) {` ... `} else {` ... `}`). A unit is a kernel with all that
belongs to it; a program is a head, units that do not know each other, and a tail that runs them.

Every expression says which shared arrays it touches and how; between two barriers, all threads do
the same with an array (`own` elements, `all` elements read, `add`ed to by atomics, ...), so that
`has_race` is a walk over the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final, final

_HOLE: Final = re.compile(r"@(\d)")

Touch = tuple[str, str]
"""An array and what is done with it: `own`, `all`, or the name of an atomic operation."""


@final
@dataclass(frozen=True, slots=True)
class Expr:
    """`form` with `parts` in its holes. `bound`: no value is larger in magnitude, None: any is."""

    form: str
    parts: tuple[Expr, ...] = ()
    type: str = ""
    touches: tuple[Touch, ...] = ()
    bound: int | None = None
    uniform: bool = False

    def __str__(self) -> str:
        return filled(self.form, self.parts)


class Does(Enum):
    """What a statement does to the flow of control, apart from computing."""

    NOTHING = auto()
    BARRIER = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


@final
@dataclass(frozen=True, slots=True)
class Simple:
    """`int x = @0;`. `calls`: a function of the unit whose barriers and touches are this
    statement's; `given` are its parameters that are shared arrays, and the arrays."""

    form: str
    parts: tuple[Expr, ...] = ()
    does: Does = Does.NOTHING
    calls: str = ""
    given: tuple[tuple[str, str], ...] = ()


class Kind(Enum):
    """How often the arms of a block run, and which of them."""

    SCOPE = auto()
    LOOP = auto()
    BRANCH = auto()
    SWITCH = auto()
    FUNCTION = auto()
    CLASS = auto()


@final
@dataclass(frozen=True, slots=True)
class Arm:
    """`if (@0) {` and what follows up to the next arm."""

    head: str
    parts: tuple[Expr, ...] = ()
    body: tuple[Statement, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Arms one behind the other; `tail` closes the last. `name`: of a function."""

    kind: Kind
    arms: tuple[Arm, ...]
    tail: str = "}"
    name: str = ""
    kept: bool = False
    """Not to be taken apart: what the harness needs."""
    together: bool = False
    """All threads of the block run it, the same arm and as often."""


Statement = Simple | Block


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """A kernel, its classes and functions, and the function `main` calls by the text `main`."""

    name: str
    items: tuple[Statement, ...]
    main: str


@final
@dataclass(frozen=True, slots=True)
class Program:
    """`@main` in `tail` stands for what the units have in main."""

    head: str
    units: tuple[Unit, ...]
    tail: str

    def only(self, names: Iterable[str]) -> Program:
        wanted = set(names)
        return replace(self, units=tuple(unit for unit in self.units if unit.name in wanted))


def touches_of(node: Expr | Statement) -> tuple[Touch, ...]:
    """All touches inside `node`, each once."""
    match node:
        case Expr(parts=parts, touches=touches):
            found = [*touches, *(one for part in parts for one in touches_of(part))]
        case Simple(parts=parts):
            found = [one for part in parts for one in touches_of(part)]
        case Block(arms=arms):
            inner = [node for arm in arms for node in (*arm.parts, *arm.body)]
            found = [one for node in inner for one in touches_of(node)]
    return tuple(dict.fromkeys(found))


# -- text ---------------------------------------------------------------------------------------


def filled(form: str, parts: tuple[Expr, ...]) -> str:
    """`form` with the texts of `parts` in its holes."""
    return _HOLE.sub(lambda hole: str(parts[int(hole[1])]), form)


def lines_of(statements: Iterable[Statement], depth: int = 0) -> Iterator[str]:
    """The text of `statements`, line by line."""
    indent = "    " * depth
    for statement in statements:
        match statement:
            case Simple(form, parts):
                yield from (indent + line for line in filled(form, parts).split("\n"))
            case Block(arms=arms, tail=tail):
                for arm in arms:
                    yield from (indent + line for line in filled(arm.head, arm.parts).split("\n"))
                    yield from lines_of(arm.body, depth + 1)
                yield indent + tail


def unit_text(unit: Unit) -> str:
    return "\n".join(lines_of(unit.items)) + "\n"


def program_text(program: Program) -> str:
    main = "\n".join(f"    {unit.main}" for unit in program.units if unit.main)
    texts = [program.head, *map(unit_text, program.units), program.tail.replace("@main", main)]
    return "\n".join(texts)


def unit_of_line(program: Program, line: int) -> str | None:
    """The name of the unit that the line of the program's text (from 1) belongs to."""
    first = program.head.count("\n") + 2
    for unit in program.units:
        length = unit_text(unit).count("\n") + 1
        if first <= line < first + length:
            return unit.name
        first += length
    return None


# -- races --------------------------------------------------------------------------------------

_State = frozenset[Touch]


@final
class Race(Exception):
    """Two accesses of one array in one interval that do not go together.

    `path` leads to the second: the number of a statement in its list, of an arm in its block, ...
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.path: list[int] = []


@final
@dataclass(slots=True)
class _Walk:
    functions: dict[str, Block]
    names: dict[str, str] = field(default_factory=dict[str, str])
    left: list[set[Touch]] = field(default_factory=list[set[Touch]])
    again: list[set[Touch]] = field(default_factory=list[set[Touch]])
    returned: set[Touch] = field(default_factory=set[Touch])

    def touch(self, parts: Iterable[Expr], state: _State) -> _State:
        for part in parts:
            for array, mode in part.touches:
                here = (self.names.get(array, array), mode)
                if any(one == here[0] and other != mode for one, other in state):
                    raise Race(f"{here[0]}: {mode} of {part}")
                state |= {here}
            state = self.touch(part.parts, state)
        return state

    def run(self, statements: Iterable[Statement], state: _State) -> _State:
        for number, statement in enumerate(statements):
            try:
                if isinstance(statement, Block):
                    state = self.block(statement, state)
                    continue
                state = self.touch(statement.parts, state)
                if statement.calls:
                    state = self.call(statement, state)
            except Race as race:
                race.path.insert(0, number)
                raise
            match statement.does:
                case Does.BARRIER:
                    state = frozenset()
                case Does.BREAK if self.left:
                    self.left[-1] |= state
                case Does.CONTINUE if self.again:
                    self.again[-1] |= state
                case Does.RETURN:
                    self.returned |= state
                case _:
                    pass
        return state

    def arm(self, block: Block, number: int, state: _State) -> _State:
        try:
            return self.run(block.arms[number].body, state)
        except Race as race:
            race.path.insert(0, number)
            raise

    def call(self, statement: Simple, state: _State) -> _State:
        function = self.functions.get(statement.calls)
        if function is None:
            return state
        given = {name: self.names.get(array, array) for name, array in statement.given}
        inner = _Walk(self.functions, given)
        try:
            after = inner.run(function.arms[0].body, state)
        except Race as race:  # what the function does is its caller's
            race.path.clear()
            raise
        return after | frozenset(inner.returned)

    def block(self, block: Block, state: _State) -> _State:
        match block.kind:
            case Kind.CLASS | Kind.FUNCTION:
                return state
            case Kind.SCOPE | Kind.BRANCH:
                complete = block.kind is Kind.SCOPE or block.arms[-1].head == "} else {"
                after: _State = frozenset() if complete else state
                for number, arm in enumerate(block.arms):
                    state = self.touch(arm.parts, state)
                    after |= self.arm(block, number, state)
                return after
            case Kind.SWITCH:
                self.left.append(set())
                after = state = self.touch(block.arms[0].parts, state)
                for number, inner in enumerate(block.arms[0].body):
                    assert isinstance(inner, Block)
                    try:
                        after |= self.arm(inner, 0, state | after)
                    except Race as race:
                        race.path[:0] = [0, number]
                        raise
                return after | self.left.pop()
            case Kind.LOOP:
                self.left.append(set())
                self.again.append(set())
                arm = block.arms[0]
                after = frozenset() if arm.head == "do {" else state
                for _ in range(3):
                    state = self.arm(block, 0, self.touch(arm.parts, state))
                    state |= frozenset(self.again[-1])
                    after |= state
                self.again.pop()
                return after | self.left.pop()


def functions_of(items: Iterable[Statement]) -> dict[str, Block]:
    return {item.name: item for item in items if isinstance(item, Block) and item.name}


def check_races(
    statements: Iterable[Statement], functions: dict[str, Block], state: _State = frozenset()
) -> _State:
    """What was touched since the last barrier behind `statements`. Raises Race."""
    walk = _Walk(functions)
    return walk.run(statements, state)


def has_race(unit: Unit) -> bool:
    """Whether some function of the unit may have accesses of one array that do not go together.

    Functions with parameters that are arrays are judged where they are called.
    """
    functions = functions_of(unit.items)
    try:
        for function in functions.values():
            if "__global__" in function.arms[0].head:
                check_races(function.arms[0].body, functions)
    except Race:
        return True
    return False
