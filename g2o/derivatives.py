"""The derivatives that a file is asked for, from the kernel to the text.

A kernel is read and optimised as for its translation, but that functions on real numbers are
inlined; then it is differentiated, and what comes out goes the way of all kernels.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.ad.activity import refuse_unseen_memory
from g2o.ad.differentiate import (
    Derivative,
    adjoint_of,
    function_adjoint,
    parameters_behind,
    tangent_of,
)
from g2o.ad.halves import with_halves_as_floats
from g2o.ad.instances import (
    NO_INSTANCE,
    depends_on_instance,
    refuse_half_results,
    refuse_hidden_numbers,
    refuse_open_classes,
    refuse_other_numbers,
)
from g2o.ad.member_pointers import (
    leads_to_reals,
    unseen_parameters,
    with_member_parameters,
    with_structures,
)
from g2o.ad.open_constants import with_open_constants
from g2o.ad.open_types import refuse_foreign_names
from g2o.ad.pointers_apart import with_pointers_apart
from g2o.ad.reals import carries
from g2o.ad.request import Asked, Request, pragma_of, request_for
from g2o.ad.second_derivatives import with_tangents
from g2o.ad.selections import takes_selections
from g2o.ad.shadows import with_arrays_apart, with_parameters
from g2o.ad.uniform_calls import uniform_functions
from g2o.ad.untyped_pointers import with_pointers_as_read
from g2o.ad.winners import with_declaration
from g2o.analysis.effects import root_symbol
from g2o.analysis.functions import FunctionTable, functions_of
from g2o.diagnostics.diagnostic import (
    Diagnostic,
    Note,
    Refusal,
    Refusals,
    Severity,
    placed,
    refuse,
)
from g2o.emit.derivative import (
    derivative_template,
    derivative_text,
    function_adjoint_text,
    primary_template,
)
from g2o.emit.errors import errors_template, errors_text
from g2o.emit.printer import Printer
from g2o.error_estimates import (
    error_fields,
    errors_parameter,
    instance_name,
    notes,
    remarks_on_left_out,
    with_error_places,
)
from g2o.frontend.cuda.instance_program import (
    InstanceProgram,
    KernelInstance,
    instance_program,
)
from g2o.frontend.cuda.program import KernelSource, Program
from g2o.frontend.cuda.read_types import read_type
from g2o.frontend.cuda.renames import arguments_in_translation
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import Function, Kernel, LoweredKernel
from g2o.ir.naming import with_names
from g2o.ir.statements import Block
from g2o.ir.symbols import Symbol, SymbolTable
from g2o.ir.traverse import with_open_places
from g2o.ir.watch import Pass, PassWatch
from g2o.lowering.context import UnboundedThreads
from g2o.lowering.simd import may_vectorise_with_records
from g2o.lowering.unused import drop_unused
from g2o.passes import (
    TranslateOptions,
    combining_pass,
    kernel_passes,
    lowered_kernel,
    without_needless,
)
from g2o.polyhedral.solver import Solver
from g2o.transforms.asserted_sizes import with_asserted_sizes
from g2o.transforms.atomic_objects import refuse_atomic_objects
from g2o.transforms.behind_primal import behind_primal, can_be_called
from g2o.transforms.first_zeros import with_first_zeros
from g2o.transforms.follow_up import FollowUp, follow_up
from g2o.transforms.hoist_increments import hoist_increments
from g2o.transforms.iterations_as_threads import iterations_as_threads
from g2o.transforms.plain_increments import all_plain, make_increments_plain, without_stale_reasons
from g2o.transforms.plain_spelling import spelled_plainly
from g2o.transforms.pointed_structures import with_structures_themselves
from g2o.transforms.shadow_races import refuse_new_races
from g2o.transforms.sums_in_place import with_sums_in_place
from g2o.transforms.unset_tiles import with_tiles_set
from g2o.transforms.vectorise_sums import vectorise_sums

_SIGNATURE: Final = re.compile(
    r"^(?!static|//|template)[^\n;{]*\w+_(?:grad|jvp|hvp|error)\([^{;]*\)\s*\{", re.MULTILINE
)

_STRUCTURE: Final = re.compile(r"^struct \w+_errors \{.*?^\};", re.MULTILINE | re.DOTALL)
_ORDER: Final = ("jvp", "grad", "hvp", "error")
"""How the derivatives of a kernel follow each other."""

_NO_WINNERS: Final = "atomic minimum or maximum of all blocks, of values that carry derivatives"
_ON_CPU: Final = Note(
    "its derivative is there with --target cpu only; that of one in shared memory, everywhere"
)
_NO_STRUCTURES: Final = "pointers to real numbers inside of a structure, on a device"
_OWN_POINTERS: Final = Note("hand them over as parameters of their own, or use --target cpu")
_NAMESPACE: Final = re.compile(r"@(?:N|S)@\w+|@aN")

# The parameters with shadows, whether pointers do not overlap, the functions that are called by all
# threads alike, whether the primal can be called, and which derivative is wanted.
_Wanted = tuple[tuple[Symbol, ...], bool, frozenset[str], bool, str]


@final
@dataclass(frozen=True, slots=True)
class _SpelledOut:
    """The program with its instances, those that are `requested` among them, and what writes their
    derivatives; None where it has none."""

    requested: frozenset[str]
    made: InstanceProgram | None
    derivatives: Derivatives | None


@final
@dataclass(slots=True)
class Derivatives:
    """Writes the adjoints and tangents of the kernels of one file.

    `written` are the keys of device functions whose adjoints the file has by now, `declared` what a
    header says of the derivatives of each kernel, `shadows` which parameters of each have shadows
    in its derivatives, by suffix, `templates` the instances that there are of derivatives that are
    templates, `primaries` which templates of them are declared for specialisations.
    """

    program: Program
    functions: FunctionTable
    options: TranslateOptions
    watch: PassWatch
    written: set[str] = field(default_factory=set[str])
    declared: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    shadows: dict[str, dict[str, tuple[str, ...]]] = field(
        default_factory=dict[str, dict[str, tuple[str, ...]]]
    )
    templates: list[str] = field(default_factory=list[str])
    primaries: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    spelled_out: _SpelledOut | None = None
    are_instances: bool = False
    missing: int = 0

    def of(self, source: KernelSource) -> tuple[str, tuple[Diagnostic, ...]]:
        """What stands behind a kernel, and what is to be told. Raises Refusal where what is asked
        for cannot be; to keep going, it is left out with a warning, and counted as `missing`.
        """
        texts: list[str] = []
        told: list[Diagnostic] = []
        refusals = Refusals()
        asked = _requests(self.program, source, self.options)
        for suffix, request in asked:
            place = None if source.function is None else source.function.span
            with refusals.noted(), placed(place):
                text, remarks = self._made(source, suffix, request)
                texts.append(f"\n\n{text}")
                told.extend(remarks)
                signature = _SIGNATURE.search(text)
                if signature is not None:
                    declared = signature[0].replace("/*", "").replace("*/", "").rstrip("{ \n")
                    structure = _STRUCTURE.search(text)
                    if structure is not None:
                        declared = f"{structure[0]}\n\n{declared}"
                    self.declared.setdefault(source.name, []).append(declared)
            if not self.options.keep_going:
                refusals.raise_all()  # the next one would have the same reason, in other words
        self.missing += len(asked) - len(texts)
        told.extend(_left_out(source.name, one) for one in refusals.found())
        return "".join(texts), tuple(told)

    def _made(
        self, source: KernelSource, suffix: str, request: Request
    ) -> tuple[str, tuple[Diagnostic, ...]]:
        """The text of a kernel's adjoint or tangent: of a template one for all instances where that
        is right for all that there are, else one for each. Raises Refusal where there is none."""
        assert source.function is not None
        function = source.function
        asked = request.asked(with_pointers_as_read(function).parameters)
        if not function.template_parameters:
            text, told = self._with_instances(source, suffix, request, asked)
            return self._primary(source, suffix, asked) + text, told
        instances = self._instances(source, request)
        alone = bool(instances) and self.options.by_instances(source.name)
        if alone or depends_on_instance(function, [one.arguments for one in instances]):
            return self._by_instance(source, suffix, asked, instances)
        try:
            made = self._one(source, suffix, asked)
            name = f"{source.qualified}_{suffix}"
            self.templates.extend(f"{name}<{', '.join(one.arguments)}>" for one in instances)
            return made
        except Refusal as refusal:
            if not instances:
                raise refusal.with_note(NO_INSTANCE) from None
        return self._by_instance(source, suffix, asked, instances)

    def _primary(self, source: KernelSource, suffix: str, asked: Asked) -> str:
        """What the derivative of an explicit specialisation specialises, where the template of that
        is nowhere defined, and has no derivative of its own."""
        assert source.function is not None
        template, own = source.cursor.template, source.function.parameters
        if not source.function.chosen or template is None or template.definition is not None:
            return ""
        if (template.begin, suffix) in self.primaries:
            return ""
        self.primaries.add((template.begin, suffix))
        types = [read_type(one.type) for one in template.children if one.kind == "PARM_DECL"]
        symbols = SymbolTable()
        parameters = tuple(
            symbols.declare(one.name, ctype, one.storage)
            for one, ctype in zip(own, types, strict=True)
        )
        names = {one.name for one in asked.parameters}
        named = tuple(one for one in parameters if one.name in names)
        shadows = _behind(source.function, suffix, named, symbols)
        shared = self.program.facts.kernels[source.name].takes_shared_bytes
        text = self.program.edited(self.program.unit.file_of(template))
        head = text.slice(template.begin, template.name_offset)
        made = primary_template(head, source.name, suffix, parameters, shadows, shared)
        return f"{made}\n\n"

    def _with_instances(
        self, source: KernelSource, suffix: str, request: Request, asked: Asked
    ) -> tuple[str, tuple[Diagnostic, ...]]:
        """The derivative of a kernel that is no template. Where what it calls depends on template
        arguments, it is that of the kernel that calls their instances."""
        try:
            return self._one(source, suffix, asked)
        except Refusal as refusal:
            self._instances(source, request)
            assert self.spelled_out is not None
            made, inner = self.spelled_out.made, self.spelled_out.derivatives
            again = None if made is None else made.other(source, self.program)
            if inner is None or again is None or again.function is None:
                raise
            names = {one.name for one in asked.parameters}
            function = with_pointers_as_read(again.function)
            own = tuple(one for one in function.parameters if one.name in names)
            try:
                text, told = inner._one(again, suffix, replace(asked, parameters=own))
            except Refusal:
                raise refusal from None
            return text, tuple(map(inner.program.device.in_source, told))

    def _instances(self, source: KernelSource, request: Request) -> tuple[KernelInstance, ...]:
        """The instances of a kernel template that the program has, and those that are wanted."""
        wanted = frozenset(f"{source.name}{one}" for one in request.instances)
        if self.spelled_out is None or not wanted <= self.spelled_out.requested:
            everything = wanted if self.spelled_out is None else wanted | self.spelled_out.requested
            made = instance_program(self.program, sorted(everything))
            inner = None
            if made is not None:
                functions = functions_of(made.program)
                inner = Derivatives(made.program, functions, self.options, self.watch)
                inner.are_instances, inner.shadows = True, self.shadows
            self.spelled_out = _SpelledOut(everything, made, inner)
        made = self.spelled_out.made
        return () if made is None else made.instances.get(source.span.begin, ())

    def _by_instance(
        self,
        source: KernelSource,
        suffix: str,
        asked: Asked,
        instances: tuple[KernelInstance, ...],
    ) -> tuple[str, tuple[Diagnostic, ...]]:
        """The declaration of the template of a derivative, and one definition for each instance; to
        keep going, not for those that have none, if others do."""
        assert self.spelled_out is not None
        assert self.spelled_out.derivatives is not None
        inner = self.spelled_out.derivatives
        assert source.function is not None
        functions = [one.source.function for one in instances if one.source.function is not None]
        if any(len(one.parameters) != len(source.function.parameters) for one in functions):
            message = f"derivative of '{source.name}', which takes any number of parameters"
            raise refuse("G2O0403", message, source.function.name_span)
        texts: list[str] = []
        declared: set[frozenset[str]] = set()
        remarks: tuple[Diagnostic, ...] = ()
        left_out: list[Diagnostic] = []
        for one in instances:
            try:
                own, made, told = inner.instance(one, suffix, asked)
            except Refusal as refusal:
                faults = [*map(inner.program.device.in_source, refusal.diagnostics)]
                if not self.options.keep_going or (one is instances[-1] and not texts):
                    raise Refusal(*faults).with_note(f"in the instance '{one.name}'") from None
                self.missing += 1
                left_out += (_left_out(one.name, fault) for fault in faults)
                continue
            if own not in declared:  # shadows are those that the instances have: overloads
                declared.add(own)
                texts.append(self._declared(source, suffix, asked.parameters, own))
            texts.append(made)
            remarks = (*remarks, *map(inner.program.device.in_source, told))
        remarks = (*remarks, *left_out)
        if suffix == "error":
            texts.insert(0, errors_template(source.name, _head(self.program, source)))
        return "\n\n".join(texts), remarks

    def _declared(
        self, source: KernelSource, suffix: str, named: tuple[Symbol, ...], own: Collection[str]
    ) -> str:
        """The declaration of a derivative's template for the instances that have shadows for those
        of its parameters `named` that are among `own`."""
        assert source.function is not None
        with_shadows = tuple(one for one in named if one.name in own)
        symbols = SymbolTable(continued=source.function.symbols)
        shadows = _behind(source.function, suffix, with_shadows, symbols)
        shared = self.program.facts.kernels[source.name].takes_shared_bytes
        text = self.program.edited(self.program.unit.main)
        return derivative_template(source.function, suffix, shadows, shared, text)

    def instance(
        self, instance: KernelInstance, suffix: str, asked: Asked
    ) -> tuple[frozenset[str], str, tuple[Diagnostic, ...]]:
        """The derivative of an instance of a template, behind the names of those of its
        parameters that have shadows. Raises Refusal where there is none."""
        source = instance.source
        if source.refusal is not None:
            raise source.refusal
        assert source.function is not None
        names = {one.name for one in asked.parameters}
        function = with_pointers_as_read(source.function)
        own = tuple(one for one in function.parameters if one.name in names)
        refuse_other_numbers(own, instance.name, whole=asked.whole)
        named = tuple(one for one in own if carries(one.type) or leads_to_reals(one.type))
        text = self._one(source, suffix, replace(asked, parameters=named))
        return frozenset(one.name for one in named), *text

    def _one(
        self, source: KernelSource, suffix: str, asked: Asked
    ) -> tuple[str, tuple[Diagnostic, ...]]:
        """The text of the derivative of one kernel, with shadows for the parameters `asked`. Some
        barriers that the kernel can do without its reverse sweep needs."""
        try:
            return self._lowered_text(source, suffix, asked, as_written=False)
        except Refusal as refusal:
            if refusal.diagnostic.code != "G2O0407":
                raise
            return self._lowered_text(source, suffix, asked, as_written=True)

    def _lowered_text(
        self, source: KernelSource, suffix: str, asked: Asked, *, as_written: bool
    ) -> tuple[str, tuple[Diagnostic, ...]]:
        """As `_one`; `as_written`: of the kernel with all its barriers."""
        named = asked.parameters
        program, functions, watch = self.program, self.functions, self.watch
        assert source.function is not None
        self.shadows.setdefault(source.name, {})[suffix] = tuple(one.name for one in named)
        options, _ = self.options.for_kernel(source.function)
        kernel = with_asserted_sizes(
            Kernel(with_pointers_as_read(source.function), program.shape_of(source)), functions
        )
        noted: list[Diagnostic] = []
        noalias = options.assume_noalias
        apart: dict[str, str] = {}
        apart_wanted = suffix == "grad" and not self.are_instances
        if apart_wanted and options.optimisation >= 2 and options.target == "cpu":
            keys = uniform_functions(kernel, named, functions, noalias)
            scope = _scope(source.function.key)
            apart = self._function_adjoints([key for key in keys if _scope(key) == scope])
        passes = list(kernel_passes(functions, noted, reals=frozenset(apart)))
        if not options.has_device:
            passes.append(combining_pass(functions, options.associative_math, True))
        for one in passes:
            kernel = watch.run(one, kernel, options.optimisation)
        opened = with_open_places(kernel.body)
        opened = with_structures_themselves(opened, functions.for_node(opened))
        kernel = replace(kernel, function=replace(kernel.function, body=opened))
        kernel = with_pointers_apart(kernel, functions)
        refuse_open_classes(source.function.parameters, kernel.body)
        refuse_atomic_objects(kernel.body)
        if asked.whole:
            refuse_hidden_numbers(source.function.parameters, source.function.span)
            written = functions.for_node(kernel.body).of(kernel.body).memory_writes
            refuse_half_results(source.function.parameters, written, source.function.span)
        solver = Solver()
        if not as_written:
            own, apart_kernel = kernel.function.parameters, with_arrays_apart(kernel, named)
            tiles = not options.has_device
            made, _ = without_needless(apart_kernel, functions, options, solver, watch, tiles=tiles)
            kernel = with_parameters(made, own)
        effects = functions.for_node(kernel.body)
        kernel, wanted, parts = with_member_parameters(kernel, named, effects)
        holders = kernel.function.parameters if asked.whole else named
        unseen = unseen_parameters(holders, wanted, parts)
        refuse_unseen_memory(kernel.body, wanted, unseen, whole=asked.whole)
        if parts and options.target != "cpu":
            raise refuse("G2O0403", _NO_STRUCTURES, source.function.span, _OWN_POINTERS)
        callable_primal = can_be_called(source.function) and not parts and suffix == "grad"
        takes = wanted, noalias, frozenset(apart), callable_primal, suffix
        shared = program.facts.kernels[source.name].takes_shared_bytes
        if suffix != "jvp":
            derivative, lowered, told = self._adjoint(kernel, takes, shared, solver, options)
        else:
            derivative, told = tangent_of(kernel, wanted, functions), ()
            watch.see(suffix, derivative.kernel)
            last_of_source = kernel.function.symbols.last_id
            kernel, _ = without_needless(derivative.kernel, functions, options, solver, watch)
            kernel = with_first_zeros(kernel, last_of_source)
            lowered = lowered_kernel(kernel, functions, shared, options, watch)
        refuse_foreign_names(derivative.kernel.function)
        if suffix != "jvp" and options.optimisation >= 2 and options.target == "cpu":
            lowered = vectorise_sums(
                lowered, source.function.symbols.last_id, may_vectorise_with_records
            )
        body = tuple(map(with_halves_as_floats, with_open_constants(lowered.body)))
        lowered = replace(lowered, body=body)
        lowered = spelled_plainly(without_stale_reasons(lowered))
        lowered = follow_up(lowered, _follow_ups(derivative, source.function.parameters))
        lowered = replace(lowered, body=with_declaration(lowered.body, derivative.winners))
        if derivative.winners is not None and options.target != "cpu":
            raise refuse("G2O0403", _NO_WINNERS, source.function.span, _ON_CPU)
        if derivative.behind_primal:
            text = source.function.span.file.text
            chosen = arguments_in_translation(source.function.chosen, text)
            lowered = behind_primal(lowered, source.function, chosen)
        lowered, shadows = with_structures(
            *(lowered, named, wanted, derivative.shadows, parts),
            originals=source.function.parameters,
            by_pointer=suffix != "jvp",
        )
        new = [one for key, one in apart.items() if key not in self.written]
        if suffix == "error":
            fields = error_fields(named, derivative.roundings, program.device.span)
            lowered, errors = with_error_places(lowered, source.function, derivative.sums, fields)
            shadows = (*shadows, errors)
            left = notes(derivative.left_out, program.device.span)
            new.append(errors_text(source.function, fields, left, _head(program, source)))
            told = (*told, *remarks_on_left_out(source.name, derivative.left_out))
        lowered = with_names(lowered, shadows)
        printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
        text = derivative_text(
            source.function,
            suffix,
            lowered,
            shadows,
            printer,
            program.edited(program.unit.main),
            program.macro_functions,
        )
        self.written.update(apart)
        return "\n\n".join((*new, text)), (*derivative.remarks, *told)

    def _adjoint(
        self,
        kernel: Kernel,
        takes: _Wanted,
        takes_shared_bytes: bool,
        solver: Solver,
        options: TranslateOptions,
    ) -> tuple[Derivative, LoweredKernel, tuple[Diagnostic, ...]]:
        """The adjoint of a kernel, as loops. Iterations that do not depend on each other are turned
        around one by one, like threads."""
        alone = None
        if options.optimisation >= 2 and not takes_selections(kernel.body):
            effects = self.functions.for_node(kernel.body)
            alone = iterations_as_threads(kernel, takes[0], effects)
        if alone is not None:
            try:
                return self._turned_around(alone, takes, takes_shared_bytes, solver, options)
            except UnboundedThreads:
                pass  # the adjoint has something in front of the guard: all of a thread at once
        return self._turned_around(kernel, takes, takes_shared_bytes, solver, options)

    def _turned_around(
        self,
        kernel: Kernel,
        takes: _Wanted,
        takes_shared_bytes: bool,
        solver: Solver,
        options: TranslateOptions,
    ) -> tuple[Derivative, LoweredKernel, tuple[Diagnostic, ...]]:
        functions, watch = self.functions, self.watch
        named, noalias, apart, callable_primal, suffix = takes
        primal, last_of_source = kernel, kernel.function.symbols.last_id
        derivative = adjoint_of(
            *(kernel, named, functions, noalias, apart, callable_primal),
            errors_of={} if suffix == "error" else None,
        )
        watch.see("grad", derivative.kernel)
        shadows, level = derivative.all_shadows, options.optimisation
        by_block = options.target == "cpu" and level >= 2
        told: list[Diagnostic] = []

        def made_plain(kernel: Kernel) -> Kernel:
            plain = make_increments_plain(kernel, shadows, functions, noalias, solver)
            told.extend(plain.remarks)
            return plain.kernel

        increments: tuple[Pass[Kernel], ...] = (
            Pass(
                "hoist-increments",
                lambda k: hoist_increments(k, functions, noalias, solver, by_block=by_block),
                1,
                improves=True,
            ),
            Pass("plain-increments", made_plain, improves=True),
            Pass(
                "join-increments",
                lambda k: derivative.with_joined_increments(k, functions),
                1,
                improves=True,
            ),
        )
        kernel = derivative.kernel
        if suffix != "hvp":
            kernel = with_arrays_apart(kernel, {*named, *shadows})
        for one in increments:
            kernel = watch.run(one, kernel, level)
        if suffix == "hvp":
            derivative = with_tangents(replace(derivative, kernel=kernel), named, functions)
            shadows = derivative.all_shadows
            kernel = with_arrays_apart(derivative.kernel, {*named, *shadows})
            watch.see("hvp", kernel)
        if not options.has_device:
            kernel = with_sums_in_place(kernel, functions)
        kernel, _ = without_needless(kernel, functions, options, solver, watch)
        kernel = with_first_zeros(kernel, last_of_source)
        made = {*derivative.shadows, *derivative.made}
        kernel = with_tiles_set(kernel, primal, made, functions, noalias, solver)
        refuse_new_races(kernel, primal, shadows, functions, noalias, solver)
        lowered = lowered_kernel(kernel, functions, takes_shared_bytes, options, watch)
        return derivative, lowered, tuple(told)

    def _function_adjoints(self, keys: Collection[str]) -> dict[str, str]:
        """The adjoints of device functions as text, by key: of those of them that have one."""
        program, functions = self.program, self.functions
        printer = Printer(lambda file, begin, end: program.edited(file).slice(begin, end))
        text = program.edited(program.unit.main)
        found: dict[str, str] = {}
        for key in sorted(keys):
            function = functions.body(key)
            if function is None or function.span.file is not program.unit.main:
                continue
            taken = re.search(rf"\b{function.name}_grad\b", program.unit.main.text)
            if taken is not None:
                continue
            try:
                statements, further = function_adjoint(function, functions)
            except Refusal:
                continue  # inlined, it will say why
            effects = functions.for_node(Block(statements))
            statements = with_open_constants(drop_unused(all_plain(statements), effects))
            found[key] = function_adjoint_text(function, statements, further, printer, text)
        return found


def _head(program: Program, source: KernelSource) -> str:
    """What stands in front of the name of a kernel."""
    assert source.function is not None
    text = program.edited(program.unit.main)
    return text.slice(source.function.span.begin, source.function.name_offset)


def _behind(
    kernel: Function, suffix: str, named: tuple[Symbol, ...], symbols: SymbolTable
) -> tuple[Symbol, ...]:
    """What a derivative has behind the parameters of its kernel."""
    shadows = parameters_behind(suffix, named, symbols)
    return (
        (*shadows, errors_parameter(instance_name(kernel), symbols))
        if suffix == "error"
        else shadows
    )


def _scope(key: str) -> list[str]:
    """The namespaces that a function with this key is declared in."""
    return _NAMESPACE.findall(key.partition("@F")[0])


def _left_out(kernel: str, fault: Diagnostic) -> Diagnostic:
    """The warning that a derivative is missing, for its reason."""
    if fault.severity is not Severity.ERROR:
        return fault
    message = f"the derivative of '{kernel}' is missing: {fault.message}"
    return replace(fault, severity=Severity.WARNING, message=message)


def _requests(
    program: Program, source: KernelSource, options: TranslateOptions
) -> list[tuple[str, Request]]:
    """The derivatives of a kernel that options or a pragma in front of it ask for."""
    found: list[tuple[str, Request]] = []
    for suffix, specs in sorted(options.derivatives, key=lambda one: _ORDER.index(one[0])):
        pragma = pragma_of(program.unit.main.text, source.span.begin, suffix)
        found.extend((suffix, one) for one in request_for(source.name, specs, pragma))
    return found


def _follow_ups(derivative: Derivative, parameters: tuple[Symbol, ...]) -> list[FollowUp]:
    """The calls of adjoints of functions when all threads are done."""
    shadows = {one.name: one for one in derivative.shadows}
    found: list[FollowUp] = []
    for one in derivative.uniform:
        roots = [root_symbol(argument) for argument in one.call.arguments]
        behind = [
            VarRef(shadows[f"d_{root.name}"])
            for root in roots
            if root is not None and root in parameters and carries(root.type)
        ]
        name = f"{one.call.name}_grad"
        found.append(FollowUp(name, (*one.call.arguments, *behind), one.seeds))
    return found
