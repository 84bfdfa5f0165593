"""Looking at kernels between passes: what `--print-after` and `--verify-each` ask for."""

from __future__ import annotations

from collections.abc import Collection
from typing import final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.dump import dump_function, dump_lowered
from g2o.ir.kernel import Kernel, LoweredKernel
from g2o.ir.verify import (
    InvalidIR,
    undeclared_in,
    undeclared_in_lowered,
    verify_function,
    verify_lowered,
)


@final
class PassWatch:
    """Is shown each kernel after each pass; `dumps` are the texts of those asked for, in order."""

    def __init__(self, print_after: Collection[str] = (), *, verify: bool = False) -> None:
        self._print_after = print_after
        self._verify = verify
        self._seen: Kernel | LoweredKernel | None = None
        self.dumps: list[str] = []

    def see(self, name: str, kernel: Kernel | LoweredKernel) -> None:
        """Take notice of `kernel` as the pass `name` has left it.

        Raises InvalidIR, with the IR in the message, where that breaks a rule and all are looked
        at. Else raises Refusal for a variable that is used where it is not declared: no compiler
        should have to find that out.
        """
        if name in self._print_after:
            self.dumps.append(f"-- after {name}\n{_dump(kernel)}")
        if kernel is self._seen:  # the pass had nothing to do
            return
        self._seen = kernel
        faults = self._faults(kernel) if self._verify else ()
        if faults:
            raise InvalidIR(f"kernel IR after {name}: {'; '.join(faults)}\n{_dump(kernel)}")
        undeclared = () if self._verify else _undeclared(kernel)
        if undeclared:
            message = f"after the pass '{name}' {undeclared[0]}: this is a bug in g2o"
            raise refuse("G2O0218", message, kernel.function.name_span)

    def _faults(self, kernel: Kernel | LoweredKernel) -> tuple[str, ...]:
        if isinstance(kernel, Kernel):
            return verify_function(kernel.function)
        return verify_lowered(kernel)


def _undeclared(kernel: Kernel | LoweredKernel) -> tuple[str, ...]:
    if isinstance(kernel, Kernel):
        return undeclared_in(kernel.function)
    return undeclared_in_lowered(kernel)


def _dump(kernel: Kernel | LoweredKernel) -> str:
    return dump_function(kernel.function) if isinstance(kernel, Kernel) else dump_lowered(kernel)
