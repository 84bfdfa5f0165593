"""PyTorch, which g2o does not need but here."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

try:
    torch: Final[Any] = import_module("torch")
except ModuleNotFoundError as fault:
    if fault.name != "torch":
        raise
    raise ModuleNotFoundError(
        "g2o.torch needs PyTorch: pip install 'g2o[torch]'", name="torch"
    ) from None
