"""Random C++ kernels: adjoints are the transposes of tangents, and tangents are differences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ad.smooth_checks import check_kernels
from tests.ad.smooth_kernels import smooth_kernel
from tests.reducing import Tree, reduced, rendered, sequence

KERNELS = 20
"""Kernels of one program: starting the compiler takes longer than most of them."""


def _faults(seed: int, scratch: Path) -> tuple[dict[str, str], dict[str, str]]:
    kernels = [smooth_kernel(seed, number) for number in range(KERNELS)]
    checked = check_kernels(kernels, scratch, f"smooth_{seed}")
    return checked.wrong, checked.refused


@pytest.mark.parametrize("seed", range(5))
def test_derivatives_of_smooth_kernels(seed: int, tmp_path: Path) -> None:
    wrong, refused = _faults(seed, tmp_path)
    assert not wrong
    assert len(refused) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 155))
def test_derivatives_of_more_smooth_kernels(seed: int, tmp_path: Path) -> None:
    wrong, refused = _faults(seed, tmp_path)
    assert not wrong
    assert len(refused) <= 1


def test_what_fails_is_made_smaller() -> None:
    """Statements go, bodies stand in for what is around them, operands for expressions."""
    inner = Tree(
        "b = @;\n", (Tree("f(@ + @)", (Tree("x"), Tree("y")), others=("1",)),), lifts=False
    )
    loop = Tree("for (;;) {\n@}\n", (sequence([Tree("a = 1;\n"), inner]),))
    whole = sequence([Tree("p();\n"), loop, Tree("q();\n")])
    small = reduced(whole, lambda tree: "b = " in rendered(tree) and "y" in rendered(tree))
    assert rendered(small) == "b = y;\n"
