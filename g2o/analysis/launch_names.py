"""The indices and sizes of a launch as values of the model, with what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from g2o.analysis.effects import EffectsOf
from g2o.analysis.open_constants import usual_value
from g2o.ir.constant_text import number_of
from g2o.ir.expressions import AXES, Builtin, LaunchRef
from g2o.ir.kernel import Kernel
from g2o.ir.traverse import walk
from g2o.polyhedral.formula import at_least, conjunction, less
from g2o.polyhedral.polynomial import ONE, ZERO, Polynomial
from g2o.polyhedral.space import MOST_THREADS, NameInfo, Space

THREAD_NAMES: Final = tuple(f"threadIdx.{axis}" for axis in AXES)

_Named = set[tuple[Builtin, int]]


@final
@dataclass(frozen=True, slots=True)
class LaunchNames:
    """`assumed` are the axes of blockDim whose value at the launches of the program was used."""

    values: dict[tuple[Builtin, int], Polynomial]
    extents: tuple[Polynomial, Polynomial, Polynomial]
    assumed: frozenset[int]

    @staticmethod
    def of(kernel: Kernel, space: Space, effects: EffectsOf) -> LaunchNames:
        """The launch indices that the kernel names, with what is known of them."""
        named = {
            (node.builtin, axis)
            for node in walk(kernel.body)
            if isinstance(node, LaunchRef)
            for axis in ((node.axis,) if node.axis is not None else (0, 1, 2))
        }
        values: dict[tuple[Builtin, int], Polynomial] = {}
        assumed: set[int] = set()
        extents = (
            _extent(kernel, space, 0, assumed),
            _extent(kernel, space, 1, assumed),
            _extent(kernel, space, 2, assumed),
        )
        told_apart = _told_apart(kernel, effects, named)
        for axis, extent in enumerate(extents):
            if not named & {(Builtin.THREAD_INDEX, axis), (Builtin.BLOCK_DIM, axis)}:
                assumed.discard(axis)
            values[Builtin.BLOCK_DIM, axis] = extent
            values[Builtin.THREAD_INDEX, axis] = ZERO
            if axis in told_apart and extent != ONE:
                thread = Polynomial.name(THREAD_NAMES[axis])
                info = NameInfo(True, definition=less(thread, extent), not_negative=True)
                space.name(THREAD_NAMES[axis], info)
                values[Builtin.THREAD_INDEX, axis] = thread
        for builtin in (Builtin.BLOCK_INDEX, Builtin.GRID_DIM):
            for axis in range(3):
                name = f"{builtin.value}.{AXES[axis]}"
                space.name(name, NameInfo(False, not_negative=True))
                values[builtin, axis] = Polynomial.name(name)
        return LaunchNames(values, extents, frozenset(assumed))


def _told_apart(kernel: Kernel, effects: EffectsOf, named: _Named) -> set[int]:
    """The axes along which there are threads that are not as good as one.

    Threads that do not look at their index do all the same: lowering runs one of them, too. Where
    every one of them counts (atomics, output), they are several all the same.
    """
    axes = {axis for builtin, axis in named if builtin is Builtin.THREAD_INDEX}
    if effects.of(kernel.body).side_effects:
        axes |= {axis for builtin, axis in named if builtin is Builtin.BLOCK_DIM}
        axes = axes or {0}
    return axes


def _extent(kernel: Kernel, space: Space, axis: int, assumed: set[int]) -> Polynomial:
    spelled = kernel.shape.block[axis]
    value = None if spelled is None else known_extent(kernel, spelled)
    if value is not None:
        assumed.add(axis)
        return Polynomial.constant(value)
    number, constant = (1, None) if spelled is None else _multiple(kernel, spelled)
    if constant is not None:
        assumed.add(axis)
        name = space.name(constant, NameInfo(False), ("literal", constant))
        value = usual_value(kernel.body, constant)
        if value is not None:
            space.usual[name] = value
    else:
        name, number = f"blockDim.{AXES[axis]}", 1
        space.name(name, NameInfo(False))
    size = Polynomial.name(name).scaled(number)
    most = Polynomial.constant(kernel.function.max_threads or MOST_THREADS)
    bounds = (at_least(size, ONE), at_least(most, size))
    space.define(name, conjunction(bounds), not_negative=True)
    return size


def _multiple(kernel: Kernel, spelled: str) -> tuple[int, str | None]:
    """A number and the constant of unknown value that it is multiplied with; (1, None) where the
    text is something else."""
    number, constant = 1, None
    for factor in spelled.split("*"):
        word = factor.strip()
        one = int(word) if word.isdigit() else kernel.shape.values.get(word)
        if one is not None:
            number *= one
        elif constant is None and word.isidentifier():
            constant = word
        else:
            return 1, None
    return (number, constant) if number > 0 else (1, None)


def known_extent(kernel: Kernel, spelled: str) -> int | None:
    """The value of an expression of numbers and named constants."""
    return number_of(spelled, kernel.shape.values.get)
