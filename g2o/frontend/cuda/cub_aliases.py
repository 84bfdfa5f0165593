"""Names that a file gives to classes of CUB which only exist inside of kernels.

    typedef cub::BlockScan<int, 128> BlockScan;          __global__ void k(...) {
    __global__ void k(...) {                       ->        typedef cub::BlockScan<int, 128> ...;
        __shared__ BlockScan::TempStorage storage;           __shared__ BlockScan::TempStorage ...;

Functions declare those that they name themselves, and the file no longer does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.unit import SourceUnit
from g2o.frontend.edits import TextEdit
from g2o.ir.expressions import Form
from g2o.ir.statements import DeclareTypes

_ALIASES: Final = frozenset(("TYPE_ALIAS_DECL", "TYPEDEF_DECL"))
_IN_KERNELS: Final = re.compile(r"(?:const )?cub::(?:Block|Warp)\w+<")
_END: Final = re.compile(r"\s*;[ \t]*\n?")


def declared_cub_aliases(unit: SourceUnit, function: Cursor) -> tuple[DeclareTypes, ...]:
    """Declarations for the function of what it names of the file's."""
    if not any(name.endswith("g2o_cub.hpp") for _, name, _ in unit.translation_unit.includes):
        return ()
    named: dict[str, Cursor] = {}
    for node in function.walk():
        alias = node.referenced if node.kind == "TYPE_REF" else None
        if alias is not None and _is_of_file(alias):
            named.setdefault(alias.spelling, alias)
    return tuple(
        DeclareTypes((name,), f"{_text(unit, alias)};", form=Form.BUILT)
        for name, alias in named.items()
    )


def cub_alias_edits(unit: SourceUnit) -> Iterator[TextEdit]:
    """What takes them out of the file."""
    for node in unit.translation_unit.top_level:
        if _is_of_file(node) and unit.file_of(node) is unit.main:
            behind = _END.match(unit.main.text, node.end)
            if behind is not None:
                yield TextEdit(node.begin, behind.end(), "")


def _text(unit: SourceUnit, alias: Cursor) -> str:
    return unit.file_of(alias).text[alias.begin : alias.end]


def _is_of_file(node: Cursor) -> bool:
    if node.kind not in _ALIASES or _IN_KERNELS.match(node.underlying_type.spelling) is None:
        return False
    owner = node.semantic_parent
    return owner is not None and owner.kind == "TRANSLATION_UNIT"
