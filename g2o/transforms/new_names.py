"""Variables that a lowered kernel gets, with names that say what they hold."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final, final

from g2o.analysis.effects import root_symbol, symbols_in
from g2o.ir.expressions import Call, Expr, Index, VarRef
from g2o.ir.kernel import LoweredKernel
from g2o.ir.names import symbols_behind
from g2o.ir.statements import CountedLoop, Declare, Trivia, Variable
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, constant

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")


@final
class NewNames:
    """Hands out variables with names that the kernel does not have yet."""

    def __init__(self, lowered: LoweredKernel) -> None:
        self.taken = set(_IDENTIFIER.findall(lowered.function.span.text))
        self.last = symbols_behind(lowered).last_id
        self.meanings: dict[str, set[Symbol]] = {}
        self.declared: Counter[Symbol] = Counter()
        self.initialised = set(lowered.function.parameters)
        for parameter in lowered.function.parameters:
            self._take(parameter)
        for statement in lowered.body:
            for node in walk(statement):
                for symbol in symbols_in(node) if isinstance(node, (VarRef, Declare)) else ():
                    self._take(symbol)
                if isinstance(node, Declare):
                    self.declared.update(variable.symbol for variable in node.variables)
                    self.initialised.update(v.symbol for v in node.variables if v.initial_style)
                if isinstance(node, CountedLoop):
                    self._take(node.index)

    def _take(self, symbol: Symbol) -> None:
        self.taken.add(symbol.name)
        self.meanings.setdefault(symbol.name, set()).add(symbol)

    def is_only(self, symbol: Symbol) -> bool:
        """Does the name mean nothing else, nor the variable twice?"""
        return self.declared[symbol] <= 1 and self.meanings.get(symbol.name, set()) <= {symbol}

    def outside(self, symbol: Symbol) -> Symbol:
        """The variable for a place outside of the loop where it is declared."""
        if self.is_only(symbol):
            return symbol
        return self._new(symbol.name, symbol)

    def again(self, symbol: Symbol) -> Symbol:
        """A variable of its own that is called as this one is where the scopes allow it."""
        if self.is_only(symbol):
            return symbol
        made = self._new(symbol.name, symbol)
        return replace(made, wish=symbol.wish or symbol.name)

    def fresh(self, call: Call, is_mathematics: bool) -> Symbol:
        """A name for the result: `in_magnitude` for `magnitude(in, n)`, `sqrt_x` for `sqrtf(x)`,
        else `magnitude_value`."""
        said = call.said_name
        name = said.strip("_").removesuffix("f") if is_mathematics else said
        pointers = [
            argument.symbol.name
            for argument in call.arguments
            if isinstance(argument, VarRef) and argument.symbol.type.is_indirect
        ]
        if pointers:
            wish = f"{pointers[0]}_{name}"
        elif is_mathematics and all(isinstance(one, VarRef) for one in call.arguments):
            wish = "_".join((name, *sorted(one.name for one in symbols_in(call))))
        else:
            wish = f"{name}_value"
        return self._new(wish, Symbol(0, wish, call.type, Storage.BLOCK))

    def named(self, wish: str, ctype: CType) -> Symbol:
        """A variable in front of a loop, called `wish` if that is free."""
        return self._new(wish, Symbol(0, wish, ctype, Storage.BLOCK))

    def value_of(self, load: Expr) -> Symbol:
        """A name for what is read: `x_row` for `x[row]`, else `x_value`."""
        root = root_symbol(load)
        base = "element" if root is None else root.name
        match load:
            case Index(base=VarRef(), index=VarRef(symbol=index)):
                wish = f"{base}_{index.name}"
            case _:
                wish = f"{base}_value"
        return self._new(wish, Symbol(0, wish, load.type, Storage.BLOCK))

    def _new(self, wish: str, like: Symbol) -> Symbol:
        name, count = wish, 2
        while name in self.taken:
            name = f"{wish}{count}"
            count += 1
        self.last += 1
        symbol = Symbol(self.last, name, like.type, like.storage)
        self._take(symbol)
        return symbol


def declaration_of(symbol: Symbol, call: Expr, comment: str = "") -> Declare:
    """`const float sqrt_x = sqrtf(x); // comment`."""
    variable = Variable(symbol, constant(symbol.type.spelling), "", call, "=")
    return Declare((variable,), trivia=Trivia((), comment))
