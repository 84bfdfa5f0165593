"""Names are given once, behind the last pass: no reference is captured, and no two collide.

    int x = n * 5;                           int x = n * 5;
    const int x = 7;                         const int x2 = 7;
    for (...) {                       ->     for (...) {
        s[t] += x;     // the first              s[t] += x;
        s[t] ^= x;     // the second             s[t] ^= x2;

Passes move declarations, put functions into kernels and make arrays of variables; what a symbol is
called meanwhile is but a wish. A name is right for a variable where its declaration comes into
sight of no reference to another thing of this name, none of the references to it is in sight of
another such declaration, and no region has two of them. Outer variables choose first. What the
source declares keeps its name where that is right; what passes have made takes the name that it
wishes for where nothing around or inside its scope is called so at all, else the one that it has.
Text that no pass looks into keeps the names that it spells: others give way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import VarRef
from g2o.ir.kernel import LoweredKernel
from g2o.ir.lookup import misnamed_in
from g2o.ir.scopes import Place, Region, Scopes, scopes_of
from g2o.ir.symbols import Storage, Symbol, numbered
from g2o.ir.traverse import rename_symbols, walk


def with_names(lowered: LoweredKernel, further: tuple[Symbol, ...] = ()) -> LoweredKernel:
    """`lowered`, whose function has the parameters `further` besides its own, with the names that
    its variables have in the output. Raises Refusal where there is none that is right for all."""
    launch = (lowered.grid, lowered.block, lowered.shared_bytes)
    added = tuple(one for one in launch if one is not None)
    parameters = (*lowered.function.parameters, *added, *further)
    lowered = _with_hidden_qualified(lowered, parameters)
    scopes = scopes_of(lowered, dict.fromkeys(parameters))
    naming = _Naming(scopes)
    naming.take({*parameters, *scopes.undeclared})
    naming.take(one for one in scopes.places if one in scopes.pinned)
    for symbol in scopes.places:
        naming.choose(symbol)
    new = _Renamed({one: name for one, name in naming.names.items() if name != one.name})
    if new:
        body = tuple(rename_symbols(one, new) for one in lowered.body)
        lowered = replace(lowered, body=body)
    for fault in misnamed_in(lowered, parameters):
        span = lowered.function.name_span
        raise refuse("G2O0218", f"in the output {fault}: this is a bug in g2o", span)
    return lowered


def _with_hidden_qualified(lowered: LoweredKernel, parameters: tuple[Symbol, ...]) -> LoweredKernel:
    """`::eps` for a variable of the file that a function named which has moved to where a parameter
    is called so."""
    taken = {one.name for one in parameters}
    named = {n.symbol for one in lowered.body for n in walk(one) if isinstance(n, VarRef)}
    hidden = {
        one: replace(one, name=f"::{one.name}")
        for one in named
        if one.storage is Storage.GLOBAL and one.name in taken and one not in parameters
    }
    if not hidden or "@N@" in lowered.function.key:
        return lowered
    return replace(lowered, body=tuple(rename_symbols(one, hidden) for one in lowered.body))


@final
@dataclass(frozen=True, slots=True)
class _Renamed(Mapping[Symbol, Symbol]):
    """Symbols by their names alone: each is of the type that it has where it stands, which for a
    variable and for the index of a loop that counts it are not the same."""

    names: dict[Symbol, str]

    def __getitem__(self, symbol: Symbol) -> Symbol:
        return replace(symbol, name=self.names[symbol])

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


@final
@dataclass(slots=True)
class _Naming:
    scopes: Scopes
    names: dict[Symbol, str] = field(default_factory=dict[Symbol, str])
    called: dict[str, list[Symbol]] = field(default_factory=dict[str, list[Symbol]])

    def take(self, symbols: Iterator[Symbol] | set[Symbol]) -> None:
        """These keep the names that they have."""
        for symbol in symbols:
            self._give(symbol, symbol.name)

    def choose(self, symbol: Symbol) -> None:
        if symbol in self.names:
            return
        wish = symbol.wish
        if wish and wish != symbol.name and self._is_new(symbol, wish):
            self._give(symbol, wish)
        elif self._is_right(symbol, symbol.name):
            self._give(symbol, symbol.name)
        else:
            names = numbered(wish or symbol.name)
            self._give(symbol, next(name for name in names if self._is_new(symbol, name)))

    def _give(self, symbol: Symbol, name: str) -> None:
        self.names[symbol] = name
        self.called.setdefault(name, []).append(symbol)

    def _is_right(self, symbol: Symbol, name: str) -> bool:
        """Would all references to the variable, and all others, mean what they mean?"""
        others = [one for one in self.called.get(name, ()) if one != symbol]
        for place in self.scopes.places[symbol]:
            if name in place.foreign or name in place.region.fixed:
                return False
            if name in place.spelled and name != symbol.name:
                return False
            declared = place.region.declared
            if any(one in place.free or one in declared for one in others):
                return False
        return not any(
            symbol in place.free for one in others for place in self.scopes.places.get(one, ())
        )

    def _is_new(self, symbol: Symbol, name: str) -> bool:
        """Is the name one that nothing has in sight of the variable, and nothing inside?"""
        if name in self.scopes.of_file:
            return False
        return all(self._is_free(place, name) for place in self.scopes.places[symbol]) and (
            self._is_right(symbol, name)
        )

    def _is_free(self, place: Place, name: str) -> bool:
        region = place.region
        if name in region.said or any(self._name(one) == name for one in region.bound):
            return False
        return not any(
            name in one.fixed
            or name in one.texts
            or any(self._name(other) == name for other in one.declared)
            for one in _around(region)
        )

    def _name(self, symbol: Symbol) -> str:
        return self.names.get(symbol, symbol.name)


def _around(region: Region) -> Iterator[Region]:
    current: Region | None = region
    while current is not None:
        yield current
        current = current.around
