"""islpy, loaded when it is first used: most kernels have no barrier to ask it about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    import islpy as isl
else:
    isl = loaded_on_use("islpy")

__all__ = ["isl"]
