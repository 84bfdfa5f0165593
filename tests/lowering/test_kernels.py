"""What single ideas of the lowering make of small kernels: the whole text, found good once.

`kernels/*.cu` are the inputs; what is expected stands beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file
from tests.golden import orphans

_KERNELS: Final = Path(__file__).parent / "kernels"
_SOURCES: Final = sorted(_KERNELS.glob("*.cu"))


def _expected(source: Path) -> Path:
    return source.with_suffix(".omp.cpp")


@pytest.mark.parametrize("source", _SOURCES, ids=lambda path: path.stem)
def test_kernel_becomes_this(source: Path, golden: Callable[[Path, str], None]) -> None:
    output = _expected(source)
    project = Project.alone(source, (), output)
    result = translate_file(source, TranslateOptions(), source.name, project)
    assert result.ok, result.diagnostics
    golden(output, result.code)


def test_every_golden_belongs_to_a_kernel() -> None:
    assert orphans(_KERNELS, "*.omp.cpp", map(_expected, _SOURCES)) == []
