"""Kernels that call, by a template parameter, what needs to know the thread.

    struct Row { static __device__ int id() { return threadIdx.x; } };
    template <class Place> __global__ void k(float *x) { x[Place::id()] = 0; }      k<Row>

No translation of the template can tell the member which thread calls it. In an instance the call
says which member it means, and that is inlined: the template is declared, and every instance that
the program has is defined as an explicit specialisation. In headers these are `inline`. Templates
of included headers keep their definitions, and get specialisations for the classes of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.functions import FunctionTable, functions_of
from g2o.diagnostics.diagnostic import Note, Refusal, refuse
from g2o.frontend.cuda.hidden_calls import HiddenCalls
from g2o.frontend.cuda.instance_program import InstanceProgram, instance_program
from g2o.frontend.cuda.program import KernelSource, Program
from g2o.frontend.cuda.template_instances import template_instances
from g2o.ir.expressions import OPEN, Call, Cast, Member, VarRef, Verbatim, strip_parens
from g2o.ir.kernel import Function
from g2o.ir.traverse import walk

_CALL_OPERATOR = "operator()"
_LAST_NAME = re.compile(r"(\w+)\s*(?:<[^<>]*>)?\s*$")


@final
@dataclass(frozen=True, slots=True)
class Instances:
    """What stands for a kernel: kernels of `program`, instances if the kernel `is_template`."""

    program: Program
    functions: FunctionTable
    sources: tuple[KernelSource, ...]
    is_template: bool


@final
@dataclass(slots=True)
class Specialised:
    """The kernels of a program that cannot stay templates.

    `hidden` are the names of the members that are called unseen. `outcomes` are of the kernels that
    call one: whether there are instances in their place.
    """

    program: Program
    functions: FunctionTable
    hidden: frozenset[str]
    outcomes: list[bool] = field(default_factory=list[bool])
    _made: tuple[InstanceProgram, FunctionTable] | None = None
    _expected: dict[int, int] = field(default_factory=dict[int, int])

    @staticmethod
    def of(program: Program, functions: FunctionTable) -> Specialised:
        """The members of the program's file that templates call unseen."""
        return Specialised(program, functions, frozenset(_hidden(program, functions)))

    def instances(self, source: KernelSource, always: bool = False) -> Instances | None:
        """What is to be translated in the place of a kernel, as `always` where there is something;
        None where that is the kernel."""
        if source.function is None:
            return None
        if always:
            return self._instances(source)
        unknown = self._open_call(source.function)
        if unknown is not None:
            return self._resolved(source, unknown)
        if self._calls_several(source.function, self.functions):
            found = self._instances(source)
            if found is not None and not any(
                one.function is None or self._calls_several(one.function, found.functions)
                for one in found.sources
            ):
                return found
        if not self.hidden or not self._calls_hidden(source.function, self.functions):
            return None
        found = self._instances(source)
        if found is None or any(
            one.function is None or self._calls_hidden(one.function, found.functions)
            for one in found.sources
        ):
            self.outcomes.append(False)
            return None
        self.outcomes.append(True)
        return found

    def included(self) -> tuple[Instances, tuple[int, ...]] | None:
        """The instances of headers' templates that call members of the file's classes which need
        the launch, and where they are to be defined."""
        read = self._read() if self.hidden else None
        if read is None:
            return None
        made, inner = read
        found = [
            one
            for one in made.included
            if one.source.function is not None
            and self._calls(one.source.function, inner, lambda call: self._is_resolved(call, inner))
        ]
        self.outcomes.extend(
            not self._calls_hidden(one.source.function, inner)
            for one in found
            if one.source.function is not None
        )
        sources = tuple(one.source for one in found)
        instances = Instances(made.program, inner, sources, is_template=True)
        return instances, tuple(one.place for one in found)

    def resolved(self) -> frozenset[str]:
        """The members that no kernel of the file calls unseen any longer, once all are read."""
        return (
            self.hidden
            if all(self.outcomes) and (self.outcomes or not self.program.kernels)
            else frozenset()
        )

    def _open_call(self, function: Function) -> Call | None:
        """One that means a function of CUDA's or the program's, by the types of an instance."""
        found: list[Call] = []

        def is_open(call: Call) -> bool:
            if call.key == OPEN:
                found.append(call)
            return call.key == OPEN

        return found[0] if self._calls(function, self.functions, is_open) else None

    def _resolved(self, source: KernelSource, unknown: Call) -> Instances:
        """The instances of a kernel that makes such a call itself."""
        assert source.function is not None
        found = self._instances(source) if unknown in walk(source.function.body) else None
        if found is None:
            raise refuse(
                "G2O0224",
                f"call in a template that may mean CUDA's '{unknown.name}' or the program's",
                unknown.span,
                Note("the types of an instance decide, and not all instances are known here"),
            )
        return found

    def _instances(self, source: KernelSource) -> Instances | None:
        assert source.function is not None
        read = self._read()
        if read is None:
            return None
        made, inner = read
        begin = source.span.begin
        if not source.function.template_parameters:
            other = made.other(source, self.program)
            if other is None:
                return None
            return Instances(made.program, inner, (other,), is_template=False)
        known = made.instances.get(begin, ())
        if not known or len(known) < self._expected.get(begin, 0):
            return None
        sources = tuple(one.source for one in known)
        return Instances(made.program, inner, sources, is_template=True)

    def _read(self) -> tuple[InstanceProgram, FunctionTable] | None:
        """The instances that the program has."""
        if self._made is None:
            made = instance_program(self.program, ())
            if made is None:
                return None
            self._made = made, functions_of(made.program)
            for one in template_instances(self.program.device.unit):
                self._expected[one.cursor.begin] = len(one.arguments) + (not one.is_whole)
        return self._made

    def _calls_hidden(self, function: Function, functions: FunctionTable) -> bool:
        """Does the function, or one that it calls, come to a call that no one can resolve?"""
        return self._calls(
            function,
            functions,
            lambda call: not call.key and not call.is_cuda and self._may_be_hidden(call),
        )

    def _calls_several(self, function: Function, functions: FunctionTable) -> bool:
        """Does it come to a call that needs the launch and means one of several functions, by the
        arguments of an instance: `Reduce<T, N / 2>::run(x)`?"""
        needs_launch = _needs_launch(functions)
        return self._calls(
            function,
            functions,
            lambda call: "|" in call.key and any(map(needs_launch, call.key.split("|"))),
        )

    def _is_resolved(self, call: Call, functions: FunctionTable) -> bool:
        body = functions.body(call.key) if call.key else None
        return body is not None and body.name in self.hidden and _needs_launch(functions)(call.key)

    def _calls(
        self, function: Function, functions: FunctionTable, wanted: Callable[[Call], bool]
    ) -> bool:
        pending, seen = [function], {function.key}
        while pending:
            for node in walk(pending.pop().body):
                if not isinstance(node, Call):
                    continue
                if wanted(node):
                    return True
                body = functions.body(node.key) if node.key and node.key not in seen else None
                if body is not None:
                    seen.add(node.key)
                    pending.append(body)
        return False

    def _may_be_hidden(self, call: Call) -> bool:
        callee = strip_parens(call.callee)
        if _CALL_OPERATOR in self.hidden and isinstance(callee, (VarRef, Member, Verbatim, Cast)):
            return True
        said = _LAST_NAME.search("" if callee.span is None else callee.span.text)
        return said is not None and said.group(1) in self.hidden


def _hidden(program: Program, functions: FunctionTable) -> Iterator[str]:
    hidden = HiddenCalls(program.unit, _needs_launch(functions))
    for definition in program.device_definitions():
        cursor = definition.cursor
        if cursor.kind == "CONSTRUCTOR":
            continue
        try:
            if _needs_launch(functions)(definition.key) and hidden.fault(cursor) is not None:
                yield cursor.spelling.split("<")[0]
        except Refusal:
            continue  # told where it is defined, or used


def _needs_launch(functions: FunctionTable) -> Callable[[str], bool]:
    def needs_launch(key: str) -> bool:
        effects = functions.effects(key)
        return effects is not None and effects.needs_context

    return needs_launch
