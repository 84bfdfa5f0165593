"""Names of symbols that the passes declare."""

from __future__ import annotations

from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import CType, TypeKind


def test_a_name_made_of_a_qualified_one_can_be_declared() -> None:
    """`old_a::s` declares nothing; two underscores in a row belong to the compiler."""
    symbols = SymbolTable()
    double = CType("double", TypeKind.FLOATING, 64)
    names = [symbols.fresh(wish, double, Storage.LOCAL).name for wish in ("old_a::s", "old_::eps")]
    assert names == ["old_a_s", "old_eps"]
