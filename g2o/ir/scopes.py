"""Which names of a lowered kernel are looked up where: its declarative regions, as C++ has them.

    for (int i = 0; i < n; ++i) {       one region: i, v
        int v = f(w, i);                v is in sight from "f" on: s and i are free there
        { s[i] = v; }                   a region of its own
    }

Parameters and the outermost block of a function are one region, and so are the head of a loop and
the outermost block of its body. A variable is in sight from its own initial value to the end of its
region. Text that is printed as it is names what it spells: functions, types and constants of the
file (`foreign`), or anything else (`spelled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, final

from g2o.ir.directives import Directive
from g2o.ir.expressions import Call, Cast, Code, Literal, Member, VarRef, Verbatim
from g2o.ir.kernel import LoweredKernel
from g2o.ir.statements import (
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    For,
    Labelled,
    LocalFunction,
    Node,
    Stmt,
    Text,
)
from g2o.ir.symbols import Symbol
from g2o.ir.traverse import children, walk

_NO_CODE: Final = r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_QUALIFIED: Final = r"(?:\.|->|::)\s*[A-Za-z_]\w*"
_WORD: Final = re.compile(rf"{_NO_CODE}|{_QUALIFIED}|(?<![\w.])([A-Za-z_]\w*)", re.DOTALL)
_OF_VARIABLES: Final = re.compile(r"\b(?:decltype|sizeof|typeof|__typeof__)\b")
_NAMED: Final = re.compile(r"[A-Za-z_\[]")
_OF_OBJECTS: Final = re.compile(r"\.|->|^\[")  # a member, or what a lambda captures


@final
@dataclass(slots=True)
class Uses:
    """What some code names without declaring it; `said` are all words in it."""

    free: set[Symbol] = field(default_factory=set[Symbol])
    foreign: set[str] = field(default_factory=set[str])
    spelled: set[str] = field(default_factory=set[str])
    said: set[str] = field(default_factory=set[str])

    def add(self, other: Uses) -> None:
        self.free |= other.free
        self.foreign |= other.foreign
        self.spelled |= other.spelled
        self.said |= other.said


@final
@dataclass(slots=True, eq=False)
class Region:
    """One declarative region. `fixed` are the names in it that are not those of variables, `bound`
    the variables that are named in it at any depth, `said` all other words there, and `texts` those
    of its own statements that are text, which may declare anything."""

    around: Region | None
    declared: list[Symbol] = field(default_factory=list[Symbol])
    fixed: set[str] = field(default_factory=set[str])
    texts: set[str] = field(default_factory=set[str])
    bound: set[Symbol] = field(default_factory=set[Symbol])
    said: set[str] = field(default_factory=set[str])


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A declaration, with what is named where it is in sight."""

    symbol: Symbol
    region: Region
    free: frozenset[Symbol]
    foreign: frozenset[str]
    spelled: frozenset[str]


@final
@dataclass(slots=True)
class Scopes:
    """The declarations of a kernel by variable, in their order; the variables that text names
    (`pinned`), and those that are declared nowhere. `of_file` are the names that the file has."""

    of_file: frozenset[str]
    places: dict[Symbol, list[Place]] = field(default_factory=dict[Symbol, list[Place]])
    pinned: set[Symbol] = field(default_factory=set[Symbol])
    undeclared: set[Symbol] = field(default_factory=set[Symbol])

    # -- statements -----------------------------------------------------------------------------

    def sequence(self, statements: Iterable[Stmt], region: Region) -> Uses:
        """The uses of statements that stand in a region, which learns what they declare."""
        parts = [(statement, self._statement(statement, region)) for statement in statements]
        behind = Uses()
        for statement, uses in reversed(parts):
            behind.add(uses)
            self._declared(statement, region, behind)
        return behind

    def _statement(self, statement: Stmt, region: Region) -> Uses:
        """The uses of a statement, but for those of what it declares for the ones behind it."""
        uses = Uses()
        match statement:
            case Declare(variables=variables):
                self.note([one.symbol for one in variables], region)
            case Text(declares=declared):
                self.note(declared, region)
                self._collect(statement, uses)
                uses.spelled.difference_update(one.name for one in declared)
                uses.foreign.difference_update(one.name for one in declared)
                region.texts |= uses.spelled
            case DeclareTypes(names=names, text=text, span=span):
                region.fixed.update(names)
                uses.foreign |= words(text if span is None else span.text).difference(names)
            case Block():
                uses = self._inside((statement,), Region(region))
            case For(initial=initial, condition=condition, increment=increment, body=body):
                own = Region(region)
                first = None if initial is None else self._statement(initial, own)
                uses = self._inside((body,), own)
                for part in (condition, increment):
                    self._collect(part, uses)
                if statement.shared is not None:
                    self._directive(statement.shared.directive, uses)
                if initial is not None and first is not None:
                    uses.add(first)
                    self._declared(initial, own, uses)
                _close(own, uses)
            case CountedLoop(index=index, body=body, directive=directive):
                own = Region(region)
                self.note([index], own)
                uses = self._inside((body,), own)
                for part in (statement.upper, statement.step):
                    self._collect(part, uses)
                self._directive(directive, uses)
                self.declare(index, own, uses)
                self._collect(statement.lower, uses)
                uses.foreign |= words(index.type.spelling)
                _close(own, uses)
            case LocalFunction(name=name, parameters=parameters, body=body):
                region.fixed.add(name)
                own = Region(region)
                self.note(parameters, own)
                uses = self._inside((body,), own)
                for one in parameters:
                    self.declare(one, own, uses)
                _close(own, uses)
            case Labelled(value=value, body=body):
                uses = self.sequence((body,), region)
                self._collect(value, uses)
            case _:
                for part in children(statement):
                    if isinstance(part, Stmt):
                        uses.add(self._inside((part,), Region(region)))
                    else:
                        self._collect(part, uses)
        return uses

    def _inside(self, body: tuple[Stmt], own: Region) -> Uses:
        """The uses of the body of something, whose outermost block is its `own` region."""
        (only,) = body
        uses = self.sequence(only.statements if isinstance(only, Block) else body, own)
        if isinstance(only, Block) and own.around is not None:
            self._directive(only.directive, uses)
        _close(own, uses)
        return uses

    # -- declarations ---------------------------------------------------------------------------

    def note(self, symbols: Iterable[Symbol], region: Region) -> None:
        for symbol in symbols:
            self.places.setdefault(symbol, [])
            region.declared.append(symbol)
            region.bound.add(symbol)

    def _declared(self, statement: Stmt, region: Region, behind: Uses) -> None:
        """Turn the uses `behind` a statement that may declare variables into those from it on."""
        if isinstance(statement, Text):
            for symbol in statement.declares:
                self.declare(symbol, region, behind)
        for one in reversed(statement.variables) if isinstance(statement, Declare) else ():
            self._collect(one.initial, behind)
            self.declare(one.symbol, region, behind)
            sizes = Uses()
            for extent in one.extents:
                self._collect(extent, sizes)
            in_suffix = words(one.suffix)
            self.pinned |= {size for size in sizes.free if size.name in in_suffix}
            behind.add(sizes)
            self._text(in_suffix.difference(size.name for size in sizes.free), behind)
            if _OF_VARIABLES.search(one.declared):
                behind.spelled |= words(one.declared)
            else:
                self._text(words(one.declared), behind)

    def declare(self, symbol: Symbol, region: Region, behind: Uses) -> None:
        """A variable is in sight for what is named `behind` its name, and free no more."""
        behind.free.discard(symbol)
        named = frozenset(behind.free), frozenset(behind.foreign), frozenset(behind.spelled)
        self.places[symbol].append(Place(symbol, region, *named))
        is_argument = symbol.type.is_const and symbol.name in behind.foreign
        if is_argument or symbol.name in behind.spelled:
            self.pinned.add(symbol)

    # -- what is named --------------------------------------------------------------------------

    def _directive(self, directive: Directive, uses: Uses) -> None:
        """Clauses name variables of what they stand in front of, or others."""
        if not directive:
            return
        uses.free |= directive.symbols
        clauses = [clause for one in directive.all for clause in one.clauses]
        meant = words(" ".join(one for one in clauses if isinstance(one, str)))
        found = {symbol for symbol in uses.free if symbol.name in meant}
        self.pinned |= found
        uses.spelled |= meant.difference(symbol.name for symbol in found)

    def _collect(self, node: Node | None, uses: Uses) -> None:
        """Add what an expression, or text that is a statement, names."""
        callees: set[int] = set()
        for inner in () if node is None else walk(node):
            match inner:
                case VarRef(symbol=symbol):
                    uses.free.add(symbol)
                case Literal(text=text, span=span) if _NAMED.match(text):
                    is_of_file = span is not None or id(inner) in callees
                    is_of_file = is_of_file and not _OF_OBJECTS.search(text)
                    (uses.foreign if is_of_file else uses.spelled).update(words(text))
                case Call(name=name, callee=callee):
                    uses.said.add(name)
                    callees.add(id(callee))
                case Member(name=name):
                    uses.said.add(name)
                case Cast(type=ctype):
                    uses.foreign |= words(ctype.spelling)
                case Code(parts=parts) | Text(parts=parts):
                    for part in parts:
                        if isinstance(part, str):
                            self._text(words(part), uses)
                case Verbatim(span=span) if span is not None:
                    found = words(span.text)
                    uses.said |= found
                    uses.foreign |= (found & self.of_file).difference(_names_in(inner))
                case _:
                    pass

    def _text(self, found: frozenset[str], uses: Uses) -> None:
        """Words in text: where the file has something of the name, it is that."""
        uses.foreign |= found & self.of_file
        uses.spelled |= found - self.of_file


def scopes_of(lowered: LoweredKernel, parameters: Iterable[Symbol]) -> Scopes:
    """The scopes of a kernel that is a function with `parameters`, its own among them."""
    found = Scopes(lowered.function.symbols.reserved)
    region = Region(None)
    found.note(parameters, region)
    region.fixed.update(lowered.function.template_parameters)
    uses = found.sequence(lowered.body, region)
    for one in list(region.declared):
        if not found.places[one]:
            found.declare(one, region, uses)
    found.undeclared = uses.free
    _close(region, uses)
    return found


def _close(region: Region, uses: Uses) -> None:
    """Tell a region, and the one around it, what is named inside."""
    region.bound |= uses.free
    region.said |= uses.foreign | uses.spelled | uses.said
    if region.around is not None:
        region.around.bound |= region.bound
        region.around.said |= region.said


def _names_in(node: Node) -> set[str]:
    return {inner.symbol.name for inner in walk(node) if isinstance(inner, VarRef)}


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The names that are looked up where the text stands: not members, nor what is qualified."""
    return frozenset(found[1] for found in _WORD.finditer(text) if found[1])
