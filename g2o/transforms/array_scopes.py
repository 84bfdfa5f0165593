"""What a thread declares in front, as C programmers do, is declared where it carries values.

    float a[8];                                      for (int k = 0; k < n; ++k) {
    for (int k = 0; k < n; ++k) {                        load(tile);
        load(tile);                                      __syncthreads();
        __syncthreads();                      ->         for (int j = 0; j < 16; ++j) {
        for (int j = 0; j < 16; ++j) {                       float a[8];
            for (int i = 0; i < 8; ++i)                      for (int i = 0; i < 8; ++i)
                a[i] = tile[j][i];                               a[i] = tile[j][i];
            ... a[0], ..., a[7] ...                          ... a[0], ..., a[7] ...

What lives in one turn of a loop between two barriers need not be kept for every thread, and is the
turn's own for compilers, too. An array that several statements use, each for itself, becomes one
array for each.

Legal where no element is read, in the narrower scope, that has not been set there before
(`analysis/unset.py`), and nothing leads to the array from elsewhere: it is only used by elements.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import final

from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.straight_line import is_open_number
from g2o.analysis.unset import read_unset
from g2o.ir.expressions import Form
from g2o.ir.kernel import Kernel
from g2o.ir.single_declarations import split_declarations
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Exchange,
    For,
    If,
    Jump,
    JumpKind,
    Labelled,
    Node,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, walk, with_children


def with_narrow_arrays(
    kernel: Kernel, functions: FunctionTable, *, everywhere: bool = False
) -> Kernel:
    """The kernel with arrays of threads in the narrowest scopes: those that would be kept over
    barriers, or `everywhere`, as a reverse sweep asks for each turn by itself. Unchanged kernels
    are returned as they are."""
    if functions.is_c:
        return kernel  # what is declared in front of a parallel loop belongs to all threads
    if not everywhere and not any(isinstance(n, Barrier | Exchange) for n in walk(kernel.body)):
        return kernel
    wanted = _candidates(kernel.body)
    if not wanted:
        return kernel
    symbols = SymbolTable(continued=kernel.function.symbols)
    single = split_declarations(kernel.body, wanted)
    narrowing = _Narrowing(wanted, functions.for_node(kernel.body), symbols, everywhere)
    made = narrowing.inside(single)
    if not narrowing.changed:
        return kernel
    assert isinstance(made, Block)
    return replace(kernel, function=replace(kernel.function, body=made, symbols=symbols))


def _candidates(body: Block) -> set[Symbol]:
    """Numbers and arrays of them without a first value, in a body that only loops and choices go
    through."""
    found: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Jump(kind=JumpKind.GOTO) | Labelled():
                return set()
            case Declare(variables=variables):
                found.update(one.symbol for one in variables if _may_move(one))
            case _:
                pass
    return found


def _may_move(variable: Variable) -> bool:
    ctype = variable.symbol.type.innermost
    is_number = ctype.is_arithmetic or is_open_number(ctype)
    is_local = variable.symbol.storage is Storage.LOCAL
    return is_local and variable.initial is None and is_number and not ctype.is_volatile


@final
@dataclass(slots=True)
class _Narrowing:
    wanted: set[Symbol]
    effects: EffectsOf
    symbols: SymbolTable
    everywhere: bool
    changed: bool = False
    placed: set[Symbol] = field(default_factory=set[Symbol])
    _named: dict[int, tuple[Node, Set[Symbol]]] = field(
        default_factory=dict[int, "tuple[Node, Set[Symbol]]"]
    )
    _waiting: dict[int, tuple[Stmt, bool]] = field(default_factory=dict[int, "tuple[Stmt, bool]"])

    def inside(self, statement: Stmt) -> Stmt:
        """The statement with the declarations in its blocks moved to where they belong."""
        if isinstance(statement, Block):
            statement = self._with_moved(statement)
        old = children(statement)
        new = tuple(self.inside(one) if isinstance(one, Stmt) else one for one in old)
        same = all(one is before for one, before in zip(new, old, strict=True))
        return statement if same else with_children(statement, new)

    def _with_moved(self, block: Block) -> Block:
        for statement in block.statements:
            match statement:
                case Declare(variables=(variable,)) if variable.symbol in self.wanted:
                    self.wanted.discard(variable.symbol)
                    rest = [one for one in block.statements if one is not statement]
                    made = self._placed(rest, statement, moved=self.everywhere)
                    if made is not None:
                        self.changed = True
                        block = replace(block, statements=tuple(made), form=Form.BUILT)
                case _:
                    pass
        return block

    def _placed(
        self, statements: list[Stmt], declaration: Declare, *, moved: bool = False
    ) -> list[Stmt] | None:
        """The statements with the array declared where it is used; None where they read what has
        not been set, or where nobody waits in front of a use and it has not `moved` so far."""
        (variable,) = declaration.variables
        groups = self._groups(statements, variable)
        if not groups or not (moved or any(map(self._waits, statements[: groups[-1][-1] + 1]))):
            return None
        made: list[list[Stmt]] = [[one] for one in statements]
        for group in groups:
            first = group[0]
            inner = self._pushed(statements[first], declaration) if len(group) == 1 else None
            if inner is not None:
                made[first], moved = [inner], True
                continue
            moved = moved or any(map(self._waits, statements[:first]))
            declared, renamed = self._own(declaration)
            for place in group:
                made[place] = [rename_symbols(statements[place], renamed)]
            made[first].insert(0, declared)
        return [one for some in made for one in some] if moved else None

    def _groups(self, statements: list[Stmt], variable: Variable) -> list[list[int]]:
        """The statements that use an array, those together that hand on values in it; those that no
        barrier is between stay together, too. None where something is read that is not set."""
        groups: list[list[int]] = []
        for place, statement in enumerate(statements):
            if variable.symbol not in self._names(statement):
                continue
            if not groups or any(map(self._waits, statements[groups[-1][-1] : place + 1])):
                groups.append([])
            groups[-1].append(place)
        apart: list[list[int]] = []
        for group in groups:
            apart.append(group)
            while self._is_read_unset([statements[one] for one in apart[-1]], variable):
                if len(apart) == 1:
                    return []
                last = apart.pop()
                apart[-1] += last
        return apart

    def _own(self, declaration: Declare) -> tuple[Declare, dict[Symbol, Symbol]]:
        """The declaration of the array, or of another one like it where it has been declared, and
        what that stands in for."""
        (variable,) = declaration.variables
        array = variable.symbol
        if array not in self.placed:
            self.placed.add(array)
            return declaration, {}
        own = self.symbols.fresh(array.name, array.type, array.storage)
        own = replace(own, wish=array.wish or array.name)
        return Declare((replace(variable, symbol=own),)), {array: own}

    def _pushed(self, statement: Stmt, declaration: Declare) -> Stmt | None:
        """The statement with the array declared further in; None where it belongs in front."""
        array = declaration.variables[0].symbol
        match statement:
            case Block(statements=inner):
                made = self._within(inner, declaration)
                return None if made is None else replace(statement, statements=made)
            case For(initial=initial) if initial is not None and array in self._names(initial):
                return None
            case If() | For() | While() | DoWhile():
                pass
            case _:
                return None
        new: list[Node] = []
        for part in children(statement):
            if array not in self._names(part):
                new.append(part)
                continue
            made = (
                self._within(statements_of(part), declaration) if isinstance(part, Stmt) else None
            )
            if made is None:
                return None
            new.append(Block(made))
        return with_children(statement, tuple(new))

    def _within(self, inner: tuple[Stmt, ...], declaration: Declare) -> tuple[Stmt, ...] | None:
        """The statements of a block, a branch or a turn, with an array of their own."""
        made = self._placed(list(inner), declaration, moved=True)
        return None if made is None else tuple(made)

    def _is_read_unset(self, statements: list[Stmt], variable: Variable) -> bool:
        extents = {variable.symbol: variable.extents}
        whole = Block(tuple(statements))
        return bool(read_unset(whole, extents, self.effects, extents))

    def _names(self, node: Node) -> Set[Symbol]:
        """What a node names; asked of each for every variable."""
        known = self._named.get(id(node))
        if known is None or known[0] is not node:
            known = self._named[id(node)] = node, symbols_in(node)
        return known[1]

    def _waits(self, statement: Stmt) -> bool:
        known = self._waiting.get(id(statement))
        if known is None or known[0] is not statement:
            waits = any(isinstance(node, Barrier | Exchange) for node in walk(statement))
            known = self._waiting[id(statement)] = statement, waits
        return known[1]
