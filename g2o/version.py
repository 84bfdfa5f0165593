"""The version of g2o: of `g2o --version` and of the first line of every translation."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
