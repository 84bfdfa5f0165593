"""The state of a kernel or function that is being written at random, and lists of statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, final

from tests.properties.cxx.expressions import Expressions
from tests.properties.cxx.scope import REALS, SCALARS, Scopes, Variable
from tests.properties.cxx.tree import Does, Expr, Simple, Statement, Touch, lines_of

COMMON: Final = (*("unsigned",) * 6, *("int",) * 4, *("float",) * 3, *SCALARS)


@final
@dataclass(frozen=True, slots=True)
class Context:
    """Where a statement stands. `together`: all threads of the block run it; `loop`: of a loop
    that may be left by threads alone, or by all; `result`: of the function, "" in kernels."""

    together: bool = False
    depth: int = 0
    leaves: bool = False
    continues: bool = False
    all_leave: bool = False
    result: str = ""
    returns: bool = False


@final
@dataclass(frozen=True, slots=True)
class Routine:
    """A function with side effects: `bump(@0, @1)`; references among its arguments have a `&`."""

    form: str
    result: str
    arguments: tuple[str, ...]
    touches: tuple[Touch, ...] = ()


@final
@dataclass(slots=True)
class Writer:
    """The state of the kernel or function that is being written."""

    random: Random
    e: Expressions
    kinds: Callable[[Writer], list[Callable[[Writer], list[Statement]]]]
    routines: list[Routine] = field(default_factory=list[Routine])
    context: Context = field(default_factory=Context)
    hash: str = "h"
    lambdas: int = 0
    reuse: float = 0.5
    deepest: int = 3
    more: Callable[[Writer], list[Callable[[Writer], list[Statement]]]] | None = None
    """Kinds of statements that all threads run together."""

    @property
    def scopes(self) -> Scopes:
        return self.e.scopes

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    @contextmanager
    def inside(self, **changes: object) -> Generator[None]:
        """A scope of its own, in a context with `changes`."""
        outer, routines, functions = self.context, len(self.routines), len(self.e.functions)
        self.context = replace(outer, depth=outer.depth + 1, **changes)
        self.scopes.open()
        yield
        self.scopes.close()
        self.context = outer
        del self.routines[routines:]
        del self.e.functions[functions:]

    def name(self) -> str:
        """A name for a variable that is declared next; its initialiser cannot mean it."""
        name = self.scopes.free_name(self.random, self.reuse)
        self.scopes.hide(name)
        return name

    def body(self, most: int = 2) -> tuple[Statement, ...]:
        """Some statements, with uses of what they declare."""
        level = self.scopes.level
        found: list[Statement] = []
        for _ in range(self.random.randint(1, most) if self.context.depth else most):
            found += self.statement()
            if leaves(found):
                break
        jump = found.pop() if leaves(found) else None
        text = text_of(found)
        for variable in list(self.scopes.frames[level].values()):
            if variable is None or variable.name == self.hash:
                continue
            used = len(re.findall(rf"\b{variable.name}\b", text)) > 1
            if not used or self.chance(0.4):
                found += self.fold(variable)
        if jump is not None:
            found.append(jump)
        return tuple(found)

    def statement(self) -> list[Statement]:
        kinds = self.kinds(self)
        if self.more is not None and self.context.together:
            kinds += self.more(self) * 2
        written = self.random.choice(kinds)(self)
        if self.chance(0.05):
            remark = self.random.choice(["// then", "/* a step */", "// what follows uses it"])
            written = [Simple(remark), *written]
        return written

    def fold(self, variable: Variable) -> list[Statement]:
        """`h` takes in what the variable has."""
        if not self.e.may(variable.touches):
            return []
        found = self.e.elements(variable)
        if not found:
            return []
        kind, write = self.random.choice(found)
        return [self.take(write(False) if kind else Expr("0"))]

    def take(self, value: Expr) -> Statement:
        if value.type in REALS:
            inner = self.e.cast(
                "unsigned",
                Expr(
                    "(@0 * 8.0f)" if value.type == "float" else "(@0 * 8.0)", (value,), value.type
                ),
            )
        else:
            inner = self.e.cast("unsigned", value)
        form = self.random.choice(
            [f"{self.hash} += @0;", f"{self.hash} = {self.hash} * 31u + @0;", f"{self.hash} ^= @0;"]
        )
        return Simple(form, (inner,))


JUMPS: Final = (Does.BREAK, Does.CONTINUE, Does.RETURN)


def leaves(statements: Sequence[Statement]) -> bool:
    """Whether control never comes to the end of `statements`, at first sight."""
    last = statements[-1] if statements else None
    return isinstance(last, Simple) and last.does in JUMPS


def text_of(statements: list[Statement]) -> str:
    return "\n".join(lines_of(statements))
