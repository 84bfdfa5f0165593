"""Where runs of neighbours end: at the edges at which indices wrap around.

    int end = std::min(first + chunk, n);
    for (int q = 0; q < 9; ++q) {
        const int at = first - dx[q] + n;
        const int room = at < 0 ? 1 : n - at % n;    // until (x - dx[q] + n) / n changes
        if (room < end - first)
            end = first + room;
    }

Legal because a run may end anywhere behind its first thread. The quotient of what is negative is
not asked for: such a run has one thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from g2o.ir.expressions import Code, Expr, Paren, VarRef, is_primary
from g2o.ir.statements import Block, Declare, For, Stmt, Text, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols
from g2o.ir.types import INT
from g2o.lowering.wraps import Remainder


@final
@dataclass(frozen=True, slots=True)
class Edges:
    """Where runs end in the turns of a loop, whose counter is among the numbers `turns`."""

    turns: range
    counter: Symbol
    edges: list[Expr]
    remainders: list[Remainder]

    def are_same(self, others: Edges) -> bool:
        """Are there no others than those of another loop?"""
        renamed = {self.counter: others.counter}
        mine = [rename_symbols(edge, renamed) for edge in self.edges]
        rests = [
            Remainder(rename_symbols(one.dividend, renamed), rename_symbols(one.divisor, renamed))
            for one in self.remainders
        ]
        return self.turns == others.turns and all(
            (*(edge in others.edges for edge in mine), *(one in others.remainders for one in rests))
        )


@final
@dataclass(slots=True)
class RunEnds:
    """The statements, `cuts`, that put `end` where the run that starts at `first` has to end."""

    symbols: SymbolTable
    first: Symbol
    end: Symbol
    cuts: list[Stmt] = field(default_factory=list[Stmt])
    known: list[Edges] = field(default_factory=list[Edges])
    names: list[tuple[Symbol, Symbol]] = field(default_factory=list[tuple[Symbol, Symbol]])

    def add(self, loop: For, edges: Edges) -> None:
        """End the run at the first of the edges that come up in the turns of a loop, too."""
        if (not edges.edges and not edges.remainders) or any(map(edges.are_same, self.known)):
            return
        self.known.append(edges)
        found = [self._listed(edges.edges)] if edges.edges else []
        for number, one in enumerate(edges.remainders):
            found += self._where_quotient_changes(one, number)
        body = found[0] if len(found) == 1 else Block(tuple(found))
        self.cuts.append(For(loop.initial, loop.condition, loop.increment, body))

    def _listed(self, edges: list[Expr]) -> Stmt:
        listed: list[str | Expr] = []
        for edge in edges:
            listed += [", ", edge] if listed else [edge]
        start, last = VarRef(self.first), VarRef(self.end)
        parts = (
            *("for (const long long edge : {", *listed, "})\n"),
            *("if (", start, " < edge && edge < ", last, ")\n"),
            *(last, " = int(edge);"),
        )
        return Text(parts)

    def _where_quotient_changes(self, one: Remainder, number: int) -> list[Stmt]:
        start, last = VarRef(self.first), VarRef(self.end)
        at, room = self._names(number)
        divisor = one.divisor if is_primary(one.divisor) else Paren(one.divisor, INT)
        value = Code((VarRef(at), " < 0 ? 1 : ", divisor, " - ", VarRef(at), " % ", divisor))
        shorter = ("if (", VarRef(room), " < ", last, " - ", start, ")\n")
        return [
            Declare((Variable(at, "const int", "", one.dividend, "="),)),
            Declare((Variable(room, "const int", "", value, "="),)),
            Text((*shorter, last, " = ", start, " + ", VarRef(room), ";")),
        ]

    def _names(self, number: int) -> tuple[Symbol, Symbol]:
        """The same names in one loop after the other."""
        if number == len(self.names):
            fresh = self.symbols.fresh
            names = fresh("at", INT, Storage.LOCAL), fresh("room", INT, Storage.LOCAL)
            self.names.append(names)
        return self.names[number]
