"""What is done to a kernel, pass by pass: before it is lowered, by lowering, and behind it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.compare_and_swap import recognise_updates
from g2o.ad.deciding import changes_its_object, only_decides
from g2o.ad.halves import with_half_arithmetic
from g2o.ad.member_pointers import leads_to_reals
from g2o.ad.ordered_bits import recognise_ordered_bits
from g2o.ad.reals import carries, hides_reals
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Diagnostic, Note, refuse, warning
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Call, VarRef
from g2o.ir.kernel import Function, Kernel, LoweredKernel
from g2o.ir.symbols import Storage
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind
from g2o.ir.watch import Pass, PassWatch
from g2o.lowering.common_steps import with_steps_apart
from g2o.lowering.kernel import LOOP_PASSES, ForDevice, lower_kernel
from g2o.lowering.nests import collapse_only_nests
from g2o.lowering.row_turns import take_turns
from g2o.lowering.shared_pointers import point_to_shared
from g2o.lowering.simd import may_vectorise
from g2o.lowering.turns_in_step import with_turns_in_step
from g2o.polyhedral.solver import RACE_LIMIT, Solver
from g2o.transforms.align_barriers import align_barriers
from g2o.transforms.array_scopes import with_narrow_arrays
from g2o.transforms.async_copies import replace_async_copies
from g2o.transforms.block_local_atomics import make_block_atomics_plain
from g2o.transforms.butterfly_reductions import spell_out_reductions
from g2o.transforms.carried_loads import with_carried_loads
from g2o.transforms.coalesce_copies import coalesce_copies
from g2o.transforms.coalesced import replace_coalesced_groups
from g2o.transforms.collectives import combine_by_group
from g2o.transforms.common_subexpressions import eliminate_common_subexpressions
from g2o.transforms.cub_collectives import replace_cub_collectives
from g2o.transforms.eliminate_barriers import eliminate_barriers
from g2o.transforms.eliminate_memory import eliminate_memory, eliminate_tiles
from g2o.transforms.explicit_signs import with_explicit_signs
from g2o.transforms.gather import gather_increments
from g2o.transforms.hoist_declarations import hoist_declarations
from g2o.transforms.hoist_uniform import hoist_uniform
from g2o.transforms.implied_choices import without_implied_choices
from g2o.transforms.index_versions import with_index_versions
from g2o.transforms.inline import inline_context_functions
from g2o.transforms.inline_profitable import inline_profitable
from g2o.transforms.late_declarations import declare_late
from g2o.transforms.lockstep import make_lockstep_explicit
from g2o.transforms.narrow_initialisers import with_explicit_narrowing
from g2o.transforms.needless_braces import without_needless_braces
from g2o.transforms.own_copies import own_copies, own_stored_pointers
from g2o.transforms.plain_copies import without_plain_copies
from g2o.transforms.private_sums import sum_privately
from g2o.transforms.propagate_copies import propagate_index_copies
from g2o.transforms.recognise import recognise
from g2o.transforms.reduce_increments import reduce_increments
from g2o.transforms.reductions import use_reductions
from g2o.transforms.row_strides import merge_row_strides
from g2o.transforms.stored_sums import store_first_sums
from g2o.transforms.structures_apart import take_structures_apart
from g2o.transforms.switches import replace_switches_with_barriers
from g2o.transforms.unswitch import unswitch
from g2o.transforms.vector_math import with_calls_of_libraries, with_vector_math
from g2o.transforms.vectorise_sums import vectorise_reductions
from g2o.transforms.waiting_threads import check_waiting_threads
from g2o.transforms.warp_phases import order_lanes_that_meet
from g2o.transforms.wide_shifts import define_wide_shifts

REPORT: Final = Note("this is a defect of g2o: please report it, with the source")


@final
@dataclass(frozen=True, slots=True)
class Plainly:
    """A kernel whose translation has to be plainer than it was asked for, or that has none, which a
    negative number says: clang refuses what else comes out, for this reason and here.

    `by_instances`: what it inlines of templates is taken from the instances that clang makes, where
    `if constexpr` has left one branch.
    """

    kernel: str
    optimisation: int
    reason: str
    place: SourceSpan | None
    by_instances: bool = False


@final
@dataclass(frozen=True, slots=True)
class TranslateOptions:
    """What a translation depends on besides the file.

    `grads`, `jvps`, `hvps` and `errors` hold SPECs; an empty string asks for every kernel. `races`
    asks for races that are only possible, too, and in all kernels. `self_check`: what is written is
    parsed first.
    `plainly` are the kernels in which that found faults. `without` names passes to be left out.
    `instances` are kernel templates of which only the instances that the program names are wanted.
    """

    target: str = "cpu"
    grads: tuple[str, ...] = ()
    jvps: tuple[str, ...] = ()
    hvps: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    optimisation: int = 2
    header: bool = False
    keep_going: bool = False
    assume_noalias: bool = False
    associative_math: bool = False
    races: bool = False
    print_after: tuple[str, ...] = ()
    verify_each: bool = False
    without: tuple[str, ...] = ()
    notes_changes: bool = False
    clang_flags: tuple[str, ...] = ()
    runtime_header: str = "g2o_runtime.hpp"
    self_check: bool = True
    plainly: tuple[Plainly, ...] = ()
    instances: frozenset[str] = frozenset()

    def for_kernel(self, kernel: Function) -> tuple[TranslateOptions, tuple[Diagnostic, ...]]:
        """What the translation of a kernel depends on, and what is to be told of that. Raises
        Refusal where it has none."""
        known = next((one for one in self.plainly if one.kernel == kernel.name), None)
        if known is None or known.by_instances:
            return self, ()
        span = kernel.name_span
        notes = (Note("here", known.place), REPORT) if known.place is not None else (REPORT,)
        if known.optimisation < 0:
            message = f"the translation of '{kernel.name}' does not compile: {known.reason}"
            raise refuse("G2O0702", message, span, *notes)
        level = known.optimisation
        message = f"'{kernel.name}' is translated with -O{level}: else clang says: {known.reason}"
        told = (warning("G2O0701", message, span, *notes),)
        return replace(self, optimisation=level), told

    def by_instances(self, kernel: str) -> bool:
        """Is the kernel to be read with the instances of all templates spelled out?"""
        return kernel in self.instances or any(
            one.by_instances and one.kernel == kernel for one in self.plainly
        )

    @property
    def derivatives(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The SPECs by what stands behind the name of a kernel and in front of the option."""
        return (
            *(("grad", self.grads), ("jvp", self.jvps), ("hvp", self.hvps)),
            ("error", self.errors),
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The options of a command line that say the same."""
        chosen = () if self.target == "cpu" else (f"--target {self.target}",)
        chosen += () if self.optimisation == 2 else (f"-O{self.optimisation}",)
        chosen += ("--assume-noalias",) if self.assume_noalias else ()
        chosen += ("--associative-math",) if self.associative_math else ()
        chosen += tuple(f"--without {name}" for name in self.without)
        for name, specs in self.derivatives:
            option = "--estimate-error" if name == "error" else f"--{name}"
            chosen += tuple(f"{option} {shlex.quote(spec)}" if spec else option for spec in specs)
        return chosen

    @property
    def has_device(self) -> bool:
        """May kernels run on a device with memory of its own?"""
        return self.target != "cpu"

    @property
    def is_portable(self) -> bool:
        """Is the output one source for CPUs and devices?"""
        return self.target == "portable"


def handles_reals(
    functions: FunctionTable, others: Collection[str], of_file: Collection[str] = ()
) -> Callable[[str], bool]:
    """Whether a device function may have something to differentiate, and is none of the others.
    `of_file` are variables of the file that it may do that to."""

    def handles(key: str) -> bool:
        function = functions.body(key)
        if function is None or key in others:
            return False
        if of_file and _names_of_file(function, functions, of_file, set()):
            return True
        addresses = [one.type for one in function.parameters if one.type.kind is TypeKind.POINTER]
        if only_decides(function, functions) and not any(map(_holds_arrays, addresses)):
            return False  # a structure that is handed by its address cannot be taken apart
        types = (function.result, *(one.type for one in function.parameters))
        if any(carries(one) or _holds_arrays(one) or hides_reals(one) for one in types):
            return True
        if functions.is_c and any(map(_is_any_memory, types)):
            return True  # `void *`: it may get memory for real numbers, or give it back
        if any(one.kind is TypeKind.POINTER and carries(one) for one in function.owner_fields):
            return True
        return changes_its_object(function, functions) or _names_reals_around(function)

    return handles


def _is_any_memory(ctype: CType) -> bool:
    return ctype.element is not None and ctype.element.kind is TypeKind.VOID


def _names_of_file(
    function: Function, functions: FunctionTable, names: Collection[str], seen: set[str]
) -> bool:
    """Does the function, or one that it calls, name a variable of the file with such a name?"""
    seen.add(function.key)
    for node in walk(function.body):
        match node:
            case VarRef(symbol=symbol) if symbol.name in names:
                if symbol.storage is Storage.GLOBAL:
                    return True
            case Call(key=key) if key not in seen:
                called = functions.body(key)
                if called is not None and _names_of_file(called, functions, names, seen):
                    return True
            case _:
                pass
    return False


def _names_reals_around(function: Function) -> bool:
    """Is it a lambda that names real numbers which it has captured? They are none of its own, and
    seem to be variables of the file."""
    named = {node.symbol for node in walk(function.body) if isinstance(node, VarRef)}
    return function.name == "operator()" and any(
        one.storage is Storage.GLOBAL and carries(one.type) for one in named
    )


def _holds_arrays(ctype: CType) -> bool:
    """Is it a structure, or does it lead to one, with pointers to real numbers?"""
    leads = (TypeKind.REFERENCE, TypeKind.POINTER)
    inner = ctype.element if ctype.kind in leads else ctype
    return inner is not None and leads_to_reals(inner)


def kernel_passes(
    functions: FunctionTable,
    remarks: list[Diagnostic],
    *,
    reals: Collection[str] | None = None,
    device: bool = False,
    of_file: Collection[str] = (),
) -> tuple[Pass[Kernel], ...]:
    """What is done to a kernel before it is lowered, in order. For differentiation functions on
    real numbers, and on the variables `of_file`, are inlined, too, but for those with a key in
    `reals`, and what relies on the lanes
    of a warp running in step gets the barriers that its adjoint needs; for a `device`, too, where
    lanes are threads and not the ascending turns of a loop."""
    differentiated = reals is not None
    backwards = differentiated or device
    profitable: Pass[Kernel] = Pass(
        "inline-profitable", lambda kernel: inline_profitable(kernel, functions), 2, improves=True
    )
    structures: Pass[Kernel] = Pass(
        "structures", lambda kernel: take_structures_apart(kernel, functions), 2, improves=True
    )
    steps: Pass[Kernel] = Pass(
        "common-steps", lambda kernel: with_steps_apart(kernel, functions), 2, improves=True
    )
    versions: Pass[Kernel] = Pass(
        "index-versions", lambda k: with_index_versions(k, functions), 2, improves=True
    )
    turns: Pass[Kernel] = Pass("turns-in-step", lambda k: with_turns_in_step(k, functions))
    wanted = handles_reals(functions, reals, of_file) if reals is not None else None
    only_differentiated: tuple[Pass[Kernel], ...] = (
        Pass(
            "updates",
            lambda kernel: recognise_ordered_bits(recognise_updates(kernel, functions), functions),
        ),
    )
    return (
        *((Pass("butterfly-reductions", spell_out_reductions),) if differentiated else ()),
        Pass("inline", lambda kernel: inline_context_functions(kernel, functions, wanted)),
        Pass("cub", lambda kernel: replace_cub_collectives(kernel, functions)),
        *((Pass("halves", _with_half_arithmetic),) if differentiated else ()),
        *(() if backwards else (profitable, structures)),
        Pass("coalesced", replace_coalesced_groups),
        Pass("async", replace_async_copies),
        *(only_differentiated if differentiated else ()),
        Pass("recognise", lambda kernel: recognise(kernel, functions)),
        *(() if backwards else (versions,)),
        *(() if device or differentiated else (steps,)),
        Pass("align", lambda kernel: align_barriers(kernel, functions, remarks)),
        Pass("waits", lambda kernel: check_waiting_threads(kernel, functions, remarks)),
        Pass("shifts", lambda kernel: define_wide_shifts(with_explicit_narrowing(kernel))),
        Pass("switches", replace_switches_with_barriers),
        Pass("lockstep", lambda kernel: make_lockstep_explicit(kernel, backwards)),
        Pass(
            "warp_phases",
            lambda kernel: replace_switches_with_barriers(
                order_lanes_that_meet(kernel, functions, remarks, backwards)
            ),
        ),
        *((turns,) if differentiated else ()),
        Pass("coalesce", lambda kernel: coalesce_copies(kernel, functions), 1, improves=True),
        Pass(
            "copies",
            lambda kernel: propagate_index_copies(kernel, functions, steps=differentiated),
            1,
            improves=True,
        ),
        Pass(
            "array-scopes",
            lambda kernel: with_narrow_arrays(kernel, functions, everywhere=differentiated),
            2,
            improves=True,
        ),
    )


def _with_half_arithmetic(kernel: Kernel) -> Kernel:
    function = kernel.function
    return replace(kernel, function=replace(function, body=with_half_arithmetic(function.body)))


def combining_pass(
    functions: FunctionTable, associative: bool, differentiated: bool
) -> Pass[Kernel]:
    """What is done behind those for CPUs, once races have been looked for in what is written."""
    return Pass(
        "collectives",
        lambda kernel: combine_by_group(kernel, functions, associative, differentiated),
        2,
        improves=True,
    )


def lowered_passes(
    functions: FunctionTable, arguments: Mapping[str, str], *, associative: bool
) -> tuple[Pass[LoweredKernel], ...]:
    """What is done to a kernel that has become loops for CPUs, in order."""
    return (
        Pass("hoist", lambda k: hoist_uniform(k, functions, may_vectorise), 2, improves=True),
        Pass("gather", lambda k: gather_increments(k, functions, may_vectorise), 2, improves=True),
        Pass("sums", lambda k: reduce_increments(k, functions, may_vectorise), 1, improves=True),
        Pass("private_sums", sum_privately, 2, improves=True),
        Pass("turns", lambda k: take_turns(k, functions), 2, improves=True),
        # Plain updates look like loops without a dependence: nothing decides about simd after this.
        Pass("atomics", lambda k: make_block_atomics_plain(k, functions), 1, improves=True),
        Pass("reductions", lambda k: use_reductions(k, functions), 2, improves=True),
        Pass("cse", lambda k: eliminate_common_subexpressions(k, functions), 2, improves=True),
        Pass("nests", collapse_only_nests),
        Pass("pointers", point_to_shared),
        Pass("declarations", declare_late),
        Pass("row-strides", lambda k: merge_row_strides(k, functions), 2, improves=True),
        Pass("outer-declarations", lambda k: hoist_declarations(k, functions), 2, improves=True),
        Pass("plain-copies", lambda k: without_plain_copies(k, functions), 2, improves=True),
        Pass("declarations", declare_late),
        Pass("braces", without_needless_braces, 1, improves=True),
        Pass("stored-sums", store_first_sums),
        Pass("own-copies", lambda k: own_copies(k, functions, arguments)),
        Pass(
            "vector-reductions",
            lambda k: vectorise_reductions(k, may_vectorise, associative=associative),
            improves=True,
        ),
        Pass("vector-math", with_vector_math),
    )


def device_passes() -> tuple[Pass[LoweredKernel], ...]:
    """The same for loops on a device, whose threads run at the same time in a block, too."""
    return (Pass("pointers", point_to_shared),)


def loops_for_devices(
    lowered: LoweredKernel, functions: FunctionTable, optimisation: int, portable: bool
) -> LoweredKernel:
    """The loops of a kernel before they become target constructs: fewer atomic additions."""
    if optimisation >= 2:
        lowered = gather_increments(lowered, functions, may_vectorise, split=False)
    if optimisation >= 1:
        lowered = reduce_increments(lowered, functions, may_vectorise, only_nests=True)
    if portable and optimisation >= 1:
        lowered = make_block_atomics_plain(lowered, functions, for_both=True)
    return own_stored_pointers(lowered) if portable else lowered


def without_needless(
    kernel: Kernel,
    functions: FunctionTable,
    options: TranslateOptions,
    solver: Solver,
    watch: PassWatch,
    *,
    tiles: bool = False,
) -> tuple[Kernel, tuple[Diagnostic, ...]]:
    """The kernel without barriers, loads and stores that it does not need; without `tiles` and
    registers that only a device needs, where that is asked for."""
    remarks: list[Diagnostic] = []
    asked = functions, options.assume_noalias, solver

    def registers(kernel: Kernel) -> Kernel:
        made = eliminate_memory(kernel, *asked)
        remarks.extend(made.remarks)
        return made.kernel

    def barriers(kernel: Kernel) -> Kernel:
        made = eliminate_barriers(kernel, *asked)
        remarks.extend(made.remarks)
        return made.kernel

    def forwarded(kernel: Kernel) -> Kernel:
        made = eliminate_tiles(kernel, functions, options.assume_noalias, Solver(RACE_LIMIT))
        remarks.extend(made.remarks)
        return made.kernel

    def loaded(kernel: Kernel) -> Kernel:
        return with_carried_loads(kernel, functions, options.assume_noalias)

    def chosen(kernel: Kernel) -> Kernel:
        return without_implied_choices(kernel, functions, Solver(RACE_LIMIT))

    passes: list[Pass[Kernel]] = [
        *((Pass("carried-loads", loaded, 2, improves=True),) if tiles else ()),
        Pass("registers", registers, 1, improves=True),
        *((Pass("tiles", forwarded, 2, improves=True),) if tiles else ()),
        Pass("barriers", barriers, 1, improves=True),
        *((Pass("choices", chosen, 2, improves=True),) if tiles else ()),
        Pass("unswitch", lambda kernel: unswitch(kernel, functions), 2, improves=True),
    ]
    for one in passes:
        kernel = watch.run(one, kernel, options.optimisation)
    return kernel, tuple(remarks)


def lowered_kernel(
    kernel: Kernel,
    functions: FunctionTable,
    takes_shared_bytes: bool,
    options: TranslateOptions,
    watch: PassWatch,
) -> LoweredKernel:
    """The kernel as loops."""
    level = options.optimisation
    device = None
    if options.has_device:
        portable = options.is_portable
        device = ForDevice(
            portable, lambda loops: loops_for_devices(loops, functions, level, portable)
        )
    if functions.is_c:
        kernel = with_calls_of_libraries(kernel)
    kernel = with_explicit_signs(kernel, functions.for_node(kernel.body))
    watch.see("explicit-signs", kernel)
    free = options.associative_math
    lowered = lower_kernel(
        kernel, functions, takes_shared_bytes, level, device, watch, associative=free
    )
    watch.see("lower", lowered)
    passes = device_passes()
    if device is None:
        passes = lowered_passes(functions, kernel.shape.arguments, associative=free)
    for one in passes:
        lowered = watch.run(one, lowered, level)
    functions.callers.note_kernel(lowered)
    return lowered


def _all_of(one: Sequence[Pass[Kernel]], other: Sequence[Pass[Kernel]]) -> Iterator[Pass[Kernel]]:
    """The passes of two sequences that agree on the order of those they have in common."""
    rest = list(other)
    named = {each.name for each in other}
    for each in one:
        while each.name in named and rest[0].name != each.name:
            yield rest.pop(0)
        if each.name in named:
            rest.pop(0)
        yield each
    yield from rest


_NO_FUNCTIONS: Final = FunctionTable(lambda _: None)
_ON_KERNELS: Final = (
    *_all_of(kernel_passes(_NO_FUNCTIONS, []), kernel_passes(_NO_FUNCTIONS, [], reals=())),
    combining_pass(_NO_FUNCTIONS, False, False),
)
_ON_LOOPS: Final = lowered_passes(_NO_FUNCTIONS, {}, associative=False)
_ON_MEMORY: Final = ("carried-loads", "registers", "tiles", "barriers", "choices", "unswitch")
_ON_INCREMENTS: Final = ("hoist-increments", "plain-increments", "join-increments")

PASSES: Final = (
    "read",
    *(one.name for one in _ON_KERNELS),
    *_ON_MEMORY,
    "explicit-signs",
    *(one.name for one in LOOP_PASSES),
    "lower",
    *(one.name for one in _ON_LOOPS),
    *("jvp", "grad", "hvp", *_ON_INCREMENTS),
)
"""The names that `print_after` takes, in order; derivatives go through most of them once more."""

IMPROVEMENTS: Final = (
    *(one.name for one in (*_ON_KERNELS, *_ON_LOOPS) if one.improves),
    *(*_ON_MEMORY, *(one.name for one in LOOP_PASSES), *_ON_INCREMENTS),
)
"""The names that `without` takes: translations are right without these."""
