"""What OpenMP is asked to do with the loop or the block behind a directive, clause by clause.

    #pragma omp parallel for simd collapse(2) reduction(+ : sum)

is `Directive(("parallel", "for", "simd"), collapse=2, reductions=(Reduction("+", (sum,)),))`. It is
text only in what is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, final

from g2o.ir.symbols import Symbol


@final
@dataclass(frozen=True, slots=True)
class Reduction:
    """`reduction(op : symbol[ : count], ...)`; `counts` has the number of elements of an array, and
    "" for numbers."""

    op: str
    symbols: tuple[Symbol, ...]
    counts: tuple[str, ...]

    @property
    def variables(self) -> str:
        """They as a clause lists them."""
        parts = zip(self.symbols, self.counts, strict=True)
        return ", ".join(f"{one.name}[ : {count}]" if count else one.name for one, count in parts)


def sum_of(symbols: Iterable[Symbol]) -> tuple[Reduction, ...]:
    """The reduction that adds numbers up; none where there are none."""
    own = tuple(symbols)
    return (Reduction("+", own, ("",) * len(own)),) if own else ()


Clause = tuple[str | Symbol, ...]
"""`if (n > 100)` with its variables as symbols."""

THERE: Final = "there"


@final
@dataclass(frozen=True, slots=True)
class Mapped:
    """`map(kind : symbol section)`: memory of the host that a device has a copy of. The section has
    the variables that it names as symbols: `("[0 : ", n, "]")`. `stays`: the source has it on the
    device for longer than one loop takes. What is THERE no clause lists."""

    kind: str
    symbol: Symbol
    section: tuple[str | Symbol, ...] = ()
    stays: bool = False

    @property
    def text(self) -> str:
        """It as a clause lists it."""
        parts = (one.name if isinstance(one, Symbol) else one for one in self.section)
        return f"{self.symbol.name}{''.join(parts)}"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return (self.symbol, *(one for one in self.section if isinstance(one, Symbol)))

    def renamed(self, symbols: Mapping[Symbol, Symbol]) -> Mapped:
        section = (
            symbols.get(one, one) if isinstance(one, Symbol) else one for one in self.section
        )
        return replace(self, symbol=symbols.get(self.symbol, self.symbol), section=tuple(section))


class Heeds(Enum):
    """Who heeds a directive of a source that is for CPUs and devices."""

    ALL = "omp {}"
    CPU = "G2O_CPU_PRAGMA(omp {})"
    DEVICE = "G2O_DEVICE_PRAGMA(omp {})"


@final
@dataclass(frozen=True, slots=True)
class Directive:
    """`construct` are its words, none where there is no directive. `clauses` are those that no pass
    asks for, as they are written, with the variables that they name as symbols. `on_device` is what
    devices heed in its place, if anything."""

    construct: tuple[str, ...] = ()
    collapse: int = 1
    clauses: tuple[str | Clause, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    firstprivate: tuple[Symbol, ...] = ()
    maps: tuple[Mapped, ...] = ()
    heeds: Heeds = field(default=Heeds.ALL, kw_only=True)
    on_device: Directive | None = field(default=None, kw_only=True)

    def __bool__(self) -> bool:
        return bool(self.construct)

    # -- what it asks for -----------------------------------------------------------------------

    @property
    def is_parallel(self) -> bool:
        """Does it start threads?"""
        return "parallel" in self.construct

    @property
    def is_worksharing(self) -> bool:
        """Do threads share the iterations of the loop?"""
        return "for" in self.construct

    @property
    def is_on_device(self) -> bool:
        """Does what stands behind it run on a device?"""
        return "target" in self.construct

    @property
    def is_simd(self) -> bool:
        """Are iterations to run side by side in one thread?"""
        return "simd" in self.construct

    @property
    def all(self) -> Iterator[Directive]:
        """It, and what devices heed in its place."""
        yield self
        if self.on_device is not None:
            yield self.on_device

    @property
    def symbols(self) -> frozenset[Symbol]:
        """The variables that its clauses name."""
        named = (s for one in self.all for part in one.reductions for s in part.symbols)
        mapped = (s for one in self.all for part in one.maps for s in part.symbols)
        clauses = (c for one in self.all for c in one.clauses if not isinstance(c, str))
        said = (part for clause in clauses for part in clause if isinstance(part, Symbol))
        own = (s for one in self.all for s in one.firstprivate)
        return frozenset((*named, *mapped, *said, *own))

    # -- others like it -------------------------------------------------------------------------

    def with_simd(self) -> Directive:
        return self if self.is_simd else replace(self, construct=(*self.construct, "simd"))

    def without(self, *words: str) -> Directive:
        """The same without words of its construct."""
        return replace(self, construct=tuple(one for one in self.construct if one not in words))

    def reducing(self, reductions: tuple[Reduction, ...]) -> Directive:
        """The same with more reductions."""
        return replace(self, reductions=(*self.reductions, *reductions))

    def renamed(self, symbols: Mapping[Symbol, Symbol]) -> Directive:
        """The same with others in the place of some variables."""
        if self.symbols.isdisjoint(symbols):
            return self
        reductions = tuple(
            replace(one, symbols=tuple(symbols.get(s, s) for s in one.symbols))
            for one in self.reductions
        )
        own = tuple(symbols.get(one, one) for one in self.firstprivate)
        maps = tuple(one.renamed(symbols) for one in self.maps)
        clauses = tuple(
            one
            if isinstance(one, str)
            else tuple(symbols.get(p, p) if isinstance(p, Symbol) else p for p in one)
            for one in self.clauses
        )
        device = None if self.on_device is None else self.on_device.renamed(symbols)
        made = replace(self, reductions=reductions, firstprivate=own, maps=maps, on_device=device)
        return replace(made, clauses=clauses)

    # -- as text --------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What stands behind `#pragma`; "" where there is no directive."""
        if not self:
            return ""
        if self.on_device is not None:
            return f"omp G2O_CPU({self._words}) G2O_DEVICE({self.on_device._words})"
        return self.heeds.value.format(self._words)

    @property
    def _words(self) -> str:
        parts = [*self.construct]
        if self.collapse > 1:
            parts.append(f"collapse({self.collapse})")
        for one in self.clauses:
            said = (one,) if isinstance(one, str) else one
            parts.append("".join(p.name if isinstance(p, Symbol) else p for p in said))
        parts += (f"reduction({one.op} : {one.variables})" for one in self.reductions)
        if self.firstprivate:
            parts.append(f"firstprivate({', '.join(one.name for one in self.firstprivate)})")
        for kind in dict.fromkeys(one.kind for one in self.maps if one.kind != THERE):
            listed = ", ".join(one.text for one in self.maps if one.kind == kind)
            parts.append(f"map({kind} : {listed})")
        return " ".join(parts)


NO_DIRECTIVE: Final = Directive()
SIMD: Final = Directive(("simd",))
PARALLEL: Final = Directive(("parallel",))
PARALLEL_FOR: Final = Directive(("parallel", "for"))
PARALLEL_FOR_SIMD: Final = Directive(("parallel", "for", "simd"))
CRITICAL: Final = Directive(("critical",))
SINGLE: Final = Directive(("single",))
BARRIER: Final = Directive(("barrier",))


def simd_where(vectorises: bool) -> Directive:
    """`omp simd`, or no directive."""
    return SIMD if vectorises else NO_DIRECTIVE
