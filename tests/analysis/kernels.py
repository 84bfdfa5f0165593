"""Kernels from text, for asking the analyses about them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

from g2o.analysis.effect_sets import Effects
from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.frontend.cuda.program import read_program
from g2o.frontend.cuda.project import Project
from g2o.ir.kernel import Function, LaunchShape
from g2o.ir.statements import Declare, Stmt
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import walk


@final
@dataclass(frozen=True, slots=True)
class ReadKernel:
    """The only kernel of a file, and what is known of the functions it calls."""

    function: Function
    functions: FunctionTable
    shape: LaunchShape

    @property
    def effects(self) -> EffectsOf:
        return self.functions.for_node(self.function.body)

    def statement(self, text: str) -> Stmt:
        """The outermost statement whose text begins with `text`."""
        for node in walk(self.function.body):
            if isinstance(node, Stmt) and node.span is not None and node is not self.function.body:
                if node.span.text.startswith(text):
                    return node
        raise AssertionError(f"no statement begins with {text}")

    def effects_of(self, text: str) -> Effects:
        return self.effects.of(self.statement(text))

    def symbol(self, name: str) -> Symbol:
        for parameter in self.function.parameters:
            if parameter.name == name:
                return parameter
        for node in walk(self.function.body):
            if isinstance(node, Declare):
                for variable in node.variables:
                    if variable.symbol.name == name:
                        return variable.symbol
        raise AssertionError(f"no variable {name}")


def read_kernel(directory: Path, text: str) -> ReadKernel:
    path = directory / "x.cu"
    path.write_text(text)
    project = Project.alone(path, (), directory / "x.omp.cpp")
    program = read_program(path, (), "x.cu", project, "g2o_runtime.hpp")
    assert not program.diagnostics, program.diagnostics
    (source,) = program.kernels
    assert source.function is not None
    functions = FunctionTable(program.function, program.constant_functors)
    return ReadKernel(source.function, functions, program.shapes[source.name])


def names(symbols: set[Symbol] | set[Symbol | None]) -> set[str]:
    """Names of variables; memory that can be anywhere is "*"."""
    return {"*" if symbol is None else symbol.name for symbol in symbols}
