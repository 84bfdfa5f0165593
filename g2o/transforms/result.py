"""What a pass gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.ir.kernel import Kernel


@final
@dataclass(frozen=True, slots=True)
class PassResult:
    """`kernel` is the same object where nothing changed. `remarks` tell what was done or not."""

    kernel: Kernel
    remarks: tuple[Diagnostic, ...] = ()
