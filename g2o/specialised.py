"""Kernels that call, by a template parameter, what needs to know the thread.

    struct Row { static __device__ int id() { return threadIdx.x; } };
    template <class Place> __global__ void k(float *x) { x[Place::id()] = 0; }      k<Row>

No translation of the template can tell the member which thread calls it. In an instance the call
says which member it means, and that is inlined: the template is declared, and every instance that
the program has is defined as an explicit specialisation. In headers these are `inline`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import final

from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Refusal
from g2o.frontend.cuda.hidden_calls import HiddenCalls
from g2o.frontend.cuda.instance_program import InstanceProgram, instance_program
from g2o.frontend.cuda.program import KernelSource, Program
from g2o.frontend.cuda.template_instances import template_instances
from g2o.ir.expressions import Call, Member, VarRef, Verbatim, strip_parens
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
    _made: InstanceProgram | None = None
    _inner: FunctionTable | None = None
    _expected: dict[int, int] = field(default_factory=dict[int, int])

    @staticmethod
    def of(program: Program, functions: FunctionTable) -> Specialised:
        """The members of the program's file that templates call unseen."""
        return Specialised(program, functions, frozenset(_hidden(program, functions)))

    def instances(self, source: KernelSource) -> Instances | None:
        """What is to be translated in the place of a kernel; None where that is the kernel."""
        if not self.hidden or source.function is None:
            return None
        if not self._calls_hidden(source.function, self.functions):
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

    def resolved(self) -> frozenset[str]:
        """The members that no kernel of the file calls unseen any longer, once all are read."""
        return self.hidden if self.outcomes and all(self.outcomes) else frozenset()

    def _instances(self, source: KernelSource) -> Instances | None:
        assert source.function is not None
        if self._made is None:
            self._made = instance_program(self.program, ())
            if self._made is None:
                return None
            own = self._made.program
            self._inner = FunctionTable(own.function, own.constant_functors, own.methods)
            for one in template_instances(self.program.device.unit):
                self._expected[one.cursor.begin] = len(one.arguments)
        assert self._inner is not None
        begin = source.span.begin
        if not source.function.template_parameters:
            other = self._made.other(source, self.program)
            if other is None:
                return None
            return Instances(self._made.program, self._inner, (other,), is_template=False)
        known = self._made.instances.get(begin, ())
        if not known or len(known) < self._expected.get(begin, 0):
            return None
        sources = tuple(one.source for one in known)
        return Instances(self._made.program, self._inner, sources, is_template=True)

    def _calls_hidden(self, function: Function, functions: FunctionTable) -> bool:
        """Does the function, or one that it calls, come to a call that no one can resolve?"""
        pending, seen = [function], {function.key}
        while pending:
            for node in walk(pending.pop().body):
                if not isinstance(node, Call):
                    continue
                if not node.key and not node.is_cuda and self._may_be_hidden(node):
                    return True
                body = functions.body(node.key) if node.key and node.key not in seen else None
                if body is not None:
                    seen.add(node.key)
                    pending.append(body)
        return False

    def _may_be_hidden(self, call: Call) -> bool:
        callee = strip_parens(call.callee)
        if _CALL_OPERATOR in self.hidden and isinstance(callee, (VarRef, Member, Verbatim)):
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
