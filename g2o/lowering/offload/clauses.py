"""What a target construct has to be told about the variables that it uses.

    is_device_ptr(in, partial)   pointers, which hold addresses of the device
    map(to: params)              objects, which would be copied back as well
    firstprivate(block)          the sizes of the launch, and what a template may be given

Numbers are private copies without being named, and variables of the device are there already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.statements import CountedLoop, LocalFunction, Node, Text
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import TypeKind

_ALLOCATION = re.compile(r"g2o::\w+_array<.*> (\w+)\(|auto (?:\*(?:const )?|&)(\w+) =", re.DOTALL)
_COPIED = (TypeKind.RECORD, TypeKind.DEPENDENT, TypeKind.OTHER)


def data_clauses(
    region: Iterable[Node], own: set[Symbol], arrays: set[str], outer: set[Symbol]
) -> tuple[str, ...]:
    """The clauses for what `region` uses and does not declare; `own` are further variables that
    belong to it, `arrays` those of the whole grid, `outer` all that the kernel declares."""
    used: set[Symbol] = set()
    declared = set(own)
    allocated: set[str] = set()
    for node in region:
        used |= symbols_in(node)
        declared |= variables_of([node])
        for inner in walk(node):
            if isinstance(inner, Text):
                allocated.update(names_allocated(inner))
    outside = sorted(used - declared, key=lambda symbol: symbol.id)
    outside = [symbol for symbol in outside if symbol.name not in allocated]
    # What a lambda in the region declares is its own business.
    outside = [s for s in outside if s.storage is not Storage.LOCAL or s in outer]
    pointers = [s.name for s in outside if _is_pointer(s) or s.name in arrays]
    copied = [s.name for s in outside if _is_copied(s) and s.name not in arrays]
    objects = [s.name for s in outside if s.name in copied and _is_object(s)]
    private = [name for name in copied if name not in objects]
    clauses = (
        ("is_device_ptr({})", pointers),
        ("map(to: {})", objects),
        ("firstprivate({})", private),
    )
    return tuple(one.format(", ".join(names)) for one, names in clauses if names)


def variables_of(statements: Iterable[Node]) -> set[Symbol]:
    """The variables that the statements of a kernel declare."""
    found: set[Symbol] = set()
    for statement in statements:
        found |= declared_in(statement)
        for inner in walk(statement):
            if isinstance(inner, CountedLoop):
                found.add(inner.index)
            elif isinstance(inner, LocalFunction):
                found.update(inner.parameters)
    return found


def _is_pointer(symbol: Symbol) -> bool:
    return symbol.storage is not Storage.GLOBAL and symbol.type.kind is TypeKind.POINTER


def _is_copied(symbol: Symbol) -> bool:
    return symbol.storage is not Storage.GLOBAL and symbol.type.kind in _COPIED


def _is_object(symbol: Symbol) -> bool:
    """Is it to be mapped? Such objects may be aligned to 16 bytes: LLVM's runtime packs private
    copies without regard to that, but not what is mapped."""
    return symbol.type.kind is TypeKind.RECORD and symbol.type.spelling != "dim3"


def names_allocated(statement: Text) -> set[str]:
    """The arrays that a statement made by lowering declares."""
    text = "".join(part for part in statement.parts if isinstance(part, str))
    return {name for names in _ALLOCATION.findall(text) for name in names if name}
