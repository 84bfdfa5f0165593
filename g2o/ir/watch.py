"""What a pass is, and running passes one by one: `--print-after`, `--verify-each`, `--without`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, TypeVar, final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.dump import dump_function, dump_lowered
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.verify import (
    InvalidIR,
    lost_in,
    lost_in_lowered,
    verify_function,
    verify_lowered,
)

K = TypeVar("K", Kernel, LoweredKernel)


@final
@dataclass(frozen=True, slots=True)
class Pass(Generic[K]):
    """A row of a table of passes. What `improves` may be left out: nothing relies on it. `level` is
    the -O from which on it runs."""

    name: str
    run: Callable[[K], K]
    level: int = 0
    improves: bool = False


@final
class PassWatch:
    """Runs passes, but for those that it does `without`, and is shown each kernel after each.

    `dumps` are the texts of those asked for, in order; `changes` what passes have changed, as names
    of kernels and of passes, where `notes_changes`."""

    def __init__(
        self,
        print_after: Collection[str] = (),
        *,
        verify: bool = False,
        without: Collection[str] = (),
        notes_changes: bool = False,
    ) -> None:
        self._print_after = print_after
        self._verify = verify
        self._without = frozenset(without)
        self._notes_changes = notes_changes
        self._seen: Kernel | LoweredKernel | None = None
        self.dumps: list[str] = []
        self.changes: list[tuple[str, str]] = []

    def does(self, name: str) -> bool:
        """Is the pass to run?"""
        return name not in self._without

    def run(self, one: Pass[K], kernel: K, level: int, *, checks: bool = True) -> K:
        """The kernel behind a pass, at -O`level`, as `see` sees it. `checks`: is what has no name
        looked for even where not all rules are to be looked at?"""
        if level < one.level or not self.does(one.name):
            return kernel
        made = one.run(kernel)
        if self._notes_changes and made is not kernel and not _alike(made, kernel):
            self.changes.append((kernel.function.name, one.name))
        self.see(one.name, made, checks=checks)
        return made

    def see(self, name: str, kernel: Kernel | LoweredKernel, *, checks: bool = True) -> None:
        """Take notice of `kernel` as the pass `name` has left it.

        Raises InvalidIR, with the IR in the message, where that breaks a rule and all are looked
        at. Else raises Refusal for a variable that is used where it is not declared, and for a
        value that goes nowhere: no compiler should have to find that out, and some would not.
        """
        if name in self._print_after:
            self.dumps.append(f"-- after {name}\n{_dump(kernel)}")
        if kernel is self._seen or not (checks or self._verify):  # the pass had nothing to do
            return
        self._seen = kernel
        faults = self._faults(kernel) if self._verify else ()
        if faults:
            raise InvalidIR(f"kernel IR after {name}: {'; '.join(faults)}\n{_dump(kernel)}")
        lost = () if self._verify else _lost(kernel)
        if lost:
            message = f"after the pass '{name}' {lost[0]}: this is a bug in g2o"
            raise refuse("G2O0218", message, kernel.function.name_span)

    def _faults(self, kernel: Kernel | LoweredKernel) -> tuple[str, ...]:
        if isinstance(kernel, Kernel):
            return verify_function(kernel.function)
        return verify_lowered(kernel)


def _alike(one: Kernel | LoweredKernel, other: Kernel | LoweredKernel) -> bool:
    return type(one) is type(other) and _dump(one) == _dump(other)


def _lost(kernel: Kernel | LoweredKernel) -> tuple[str, ...]:
    if isinstance(kernel, Kernel):
        return lost_in(kernel.function)
    return lost_in_lowered(kernel)


def _dump(kernel: Kernel | LoweredKernel) -> str:
    return dump_function(kernel.function) if isinstance(kernel, Kernel) else dump_lowered(kernel)
