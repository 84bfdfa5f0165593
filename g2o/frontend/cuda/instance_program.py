"""The instances of a program's kernel templates, read as kernels of their own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import final

from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.host import host_edits
from g2o.frontend.cuda.program import KernelSource, Program, note_names, read_kernel
from g2o.frontend.cuda.spelled_out import shown_argument, spell_out
from g2o.frontend.cuda.unit_declarations import declarations_of
from g2o.frontend.edits import EditedText


@final
@dataclass(frozen=True, slots=True)
class KernelInstance:
    """An instance of a kernel: `name` is `k<float, 4>`, `arguments` are those of the template. One
    of a header's stands at `place` in the main file."""

    name: str
    arguments: tuple[str, ...]
    source: KernelSource
    place: int


@final
@dataclass(frozen=True, slots=True)
class InstanceProgram:
    """`program` has the instances; `instances` are by where the template stands in the program
    that it was made from, `others` the kernels that are no templates by where they are in the file,
    `included` those of the templates of headers.
    """

    program: Program
    instances: dict[int, tuple[KernelInstance, ...]]
    others: dict[int, Cursor]
    included: tuple[KernelInstance, ...]

    def other(self, source: KernelSource, program: Program) -> KernelSource | None:
        """A kernel of the `program` that this one was made from, which calls the instances."""
        begin, _ = program.device.original_range(source.span.begin, source.span.end)
        cursor = self.others.get(begin)
        return None if cursor is None else read_kernel(self.program.unit, cursor)


def instance_program(program: Program, requested: Collection[str]) -> InstanceProgram | None:
    """The program with the instances of its templates spelled out; None where there are none.

    `requested` are instances that are wanted besides those that the program has.
    """
    spelled = spell_out(program.device, requested, program.users())
    if spelled is None:
        return None
    unit = spelled.device.unit
    unit.specialised_templates = program.unit.specialised()  # those of the source alone
    found = declarations_of(unit)
    kernels = {cursor.begin: cursor for cursor in found.kernels}
    note_names(unit, found.kernels)
    note_names(unit, found.device_functions)
    instances: dict[int, tuple[KernelInstance, ...]] = {}
    included: list[KernelInstance] = []
    sources: list[KernelSource] = []
    for one in spelled.instances:
        cursor = kernels.get(one.begin)
        if one.file != unit.main_path or cursor is None:
            continue
        given = one.template.given([shown_argument(each) for each in one.arguments])
        source = replace(read_kernel(unit, cursor), arguments=given)
        sources.append(source)
        place, _ = spelled.device.original_range(one.begin, one.begin)
        made = KernelInstance(one.name, one.arguments, source, place)
        if one.template.file != unit.main_path:
            included.append(made)
            continue
        begin = one.template.cursor.begin
        instances[begin] = (*instances.get(begin, ()), made)
    made = {one.begin for one in spelled.instances}
    others = {
        spelled.device.original_range(cursor.begin, cursor.end)[0]: cursor
        for begin, cursor in kernels.items()
        if begin not in made and cursor.kind == "FUNCTION_DECL"
    }
    renames = unit.semantic_renames.get(unit.main_path, {})
    host = host_edits(unit.main, replace(program.facts, semantic_renames=renames))
    unit.edits[unit.main.path] = EditedText(unit.main.text, host.edits)
    own = Program(
        program.source,
        spelled.device,
        tuple(sources),
        tuple(found.device_functions),
        tuple(found.all_device_functions),
        shapes=program.shapes,
        host=program.host,
        facts=program.facts,
        constant_functors=program.constant_functors,
    )
    return InstanceProgram(own, instances, others, tuple(included))
