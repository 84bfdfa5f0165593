"""Loops that OpenMP runs on a device, and what the device has copies of.

    #pragma omp target data map(tofrom : x[0 : n])
    {
    #pragma omp target teams distribute parallel for map(from : y[0 : n])
        for (int i = 0; i < n; ++i)         // target teams distribute parallel for, both maps
            y[i] = x[i] * x[i];
    }

A program whose results do not depend on whether there is a device does what it does where there is
none, in one memory. That is what is differentiated; the loops of the derivative run on the device
again. Each maps what it uses as the source does, and shadows as their values: where nothing is
there from elsewhere, the host has all values behind every loop. What the source does not map has to
be on the device, and so has its shadow.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import declared_in, is_tape_call, root_symbol, statements_of, symbols_in
from g2o.diagnostics.diagnostic import Note, Refusal, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.openmp_c.directives import Clause, Pragma
from g2o.ir.directives import THERE, Directive, Mapped
from g2o.ir.expressions import Assign, Call, Form, Unary, VarRef
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, For, Node, Return, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import children, rewrite, walk
from g2o.ir.types import TypeKind

_CODE: Final = "G2O0412"
_UNKNOWN: Final = "G2O0411"
_WORDS: Final = ("target", "teams", "distribute", "parallel", "for", "loop")
_ITEM: Final = re.compile(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)")
_PART: Final = re.compile(r"[A-Za-z_]\w*|[^A-Za-z_]+")
_KINDS: Final = ("to", "from", "tofrom", "alloc")
OF_DEVICE: Final = ("num_teams", "thread_limit", "device", "dist_schedule")
"""Clauses that say how a device runs a loop."""
OF_MEMORY: Final = ("map", "defaultmap")


@final
@dataclass(frozen=True, slots=True)
class DeviceScope:
    """The variables of a function by their names, and those that it changes."""

    named: Mapping[str, Collection[Symbol]]
    changed: Collection[Symbol]

    def maps(self, heard: Iterable[Pragma], loop: For) -> tuple[Mapped, ...]:
        """What the pragmas that a loop stands behind map of what it uses; what they do not is
        there. Raises Refusal."""
        free = symbols_in(loop) - declared_in(loop)
        used = {symbol.name: symbol for symbol in sorted(free, key=_by_id)}
        found: dict[Symbol, Mapped] = {}
        clauses = [(one, each) for one in heard for each in one.clauses if each.name == "map"]
        for pragma, clause in clauses:
            stays = pragma.construct == "target data"
            for name, section in _items(clause):
                symbol = used.get(name)
                if symbol is None or symbol.type.is_arithmetic:
                    continue
                parts = tuple(self._parts(section, clause))
                if symbol not in found or not found[symbol].stays:
                    found[symbol] = Mapped("tofrom", symbol, parts, stays)
        others = (one for one in used.values() if one.type.is_indirect and one not in found)
        return (*found.values(), *(Mapped(THERE, one) for one in others))

    def _parts(self, section: str, clause: Clause) -> Iterator[str | Symbol]:
        for word in _PART.findall(section):
            known = self.named.get(word)
            if known is None:
                yield word
                continue
            symbol, *others = known
            if others or symbol in self.changed:
                message = f"'{word}' in `{clause.span.text}`, which does not stay the same,"
                told = Note("name a parameter, or a variable that is declared once and not changed")
                raise refuse(_CODE, message, clause.span, told)
            yield symbol


def scope_of(function: Function, changed: Collection[Symbol]) -> DeviceScope:
    """What a function has names for; `changed` are the variables that it changes behind their
    declarations."""
    named: dict[str, list[Symbol]] = {}
    for one in (*function.parameters, *sorted(declared_in(function.body), key=_by_id)):
        named.setdefault(one.name, []).append(one)
    return DeviceScope(named, changed)


def device_words(heard: Sequence[Pragma]) -> tuple[str, ...]:
    """The construct of a loop behind pragmas, the outermost first, that a device runs; () for one
    that it does not."""
    regions = [one for one in heard if one.construct != "target data"]
    words = {word for one in regions for word in one.construct.split()}
    return tuple(one for one in _WORDS if one in words) if "target" in words else ()


def refuse_code_beside_loops(pragma: Pragma, node: Stmt) -> None:
    """Refuse a region of a device that is more than loops that it shares out."""
    for one in statements_of(node):
        match one:
            case For(shared=how) if how is not None and how.directive.is_on_device:
                continue
            case Block():
                refuse_code_beside_loops(pragma, one)
            case Declare(variables=variables) if all(v.initial is None for v in variables):
                continue
            case _:
                message = f"`omp {pragma.construct}` of more than loops that are shared out"
                told = Note("put `target teams distribute parallel for` in front of each loop")
                raise refuse(_CODE, message, one.span or pragma.span, told)


def refuse_ordered(loop: For) -> None:
    """Refuse a loop of a device that is to be shared out no more."""
    if loop.shared is not None and loop.shared.directive.is_on_device:
        raise ordered_on_device(loop.span)


def ordered_on_device(span: SourceSpan | None) -> Refusal:
    """A refusal of a loop of a device whose iterations take an order."""
    message = "a loop of a device whose derivative takes one iteration after the other"
    return refuse(_CODE, message, span, Note("the host may not have the values that it needs"))


def refuse_foreign_maps(function: Function) -> None:
    """Refuse maps by what is no variable of the function: they came with what it calls."""
    own = {*function.parameters, *declared_in(function.body)}
    for node in walk(function.body):
        if not isinstance(node, For) or node.shared is None:
            continue
        named = (s for one in node.shared.directive.maps for s in one.symbols)
        if any(one not in own and one.storage is not Storage.GLOBAL for one in named):
            message = "`map` of a loop in a function that is called with what is no variable"
            raise refuse(_CODE, message, node.span)


def with_mapped_shadows(body: Block, shadows: Mapping[Symbol, Symbol]) -> Block:
    """Loops of devices map what they use, shadows as the values, which `shadows` gives for them."""

    def replacement(node: Node) -> Node | None:
        match node:
            case For(shared=how) if how is not None and how.directive.is_on_device:
                directive = _with_shadows(node, how.directive, shadows)
                return replace(node, shared=replace(how, directive=directive), form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement)


def with_memory_on_device(body: Block, parameters: Collection[Symbol]) -> Block:
    """The body as a region in which the device keeps what the source has there for longer than one
    loop takes, and its shadows: the same part for all loops of `parameters` that the host does not
    touch."""
    host, loops = _sides(body)
    staying: list[Mapped] = []
    for one in sorted(parameters, key=_by_id):
        maps = [mapped for loop in loops for mapped in _maps_of(loop) if mapped.symbol == one]
        known = all(symbol in parameters for mapped in maps for symbol in mapped.symbols)
        if any(m.stays for m in maps) and len({m.section for m in maps}) == 1 and known:
            staying.append(maps[0])
    kept = {one.symbol for one in staying}
    inside = body.statements[:-1] if _returns(body) else body.statements
    leaves = any(isinstance(node, Return) for one in inside for node in walk(one))
    if not staying or leaves or kept & {n.symbol for n in host if isinstance(n, VarRef)}:
        return body

    def replacement(node: Node) -> Node | None:
        match node:
            case For(shared=how) if how is not None and how.directive.is_on_device:
                maps = tuple(one for one in how.directive.maps if one.symbol not in kept)
                return replace(
                    node, shared=replace(how, directive=replace(how.directive, maps=maps))
                )
            case _:
                return None

    whole = tuple(replace(one, kind="tofrom") for one in staying)
    region = Block(inside, directive=Directive(("target", "data"), maps=whole))
    return rewrite(replace(body, statements=(region, *body.statements[len(inside) :])), replacement)


def _sides(body: Block) -> tuple[list[Node], list[For]]:
    """What the host does, node by node, and the loops of the device."""
    host: list[Node] = []
    loops: list[For] = []

    def visit(node: Node) -> None:
        if isinstance(node, For) and node.shared and node.shared.directive.is_on_device:
            loops.append(node)
            return
        host.append(node)
        for child in children(node):
            visit(child)

    visit(body)
    return host, loops


def _maps_of(loop: For) -> tuple[Mapped, ...]:
    return () if loop.shared is None else loop.shared.directive.maps


def _returns(body: Block) -> bool:
    return bool(body.statements) and isinstance(body.statements[-1], Return)


def _with_shadows(loop: For, directive: Directive, shadows: Mapping[Symbol, Symbol]) -> Directive:
    _refuse_tapes(loop)
    known = {one.symbol: one for one in directive.maps}
    written = {root for node in walk(loop) for root in _written(node)}
    used = sorted(symbols_in(loop) - declared_in(loop), key=_by_id)
    maps: list[Mapped] = []
    for symbol in used:
        found = known.get(symbol)
        value = shadows.get(symbol)
        if found is None and value is not None and value in known:
            found = replace(known[value], symbol=symbol)
        if found is not None:
            own = found.kind != "tofrom"  # it is there, or a part of a tape, with one direction
            kind = found.kind if own else ("tofrom" if symbol in written else "to")
            maps.append(replace(found, kind=kind))
        elif symbol.type.kind is TypeKind.POINTER:
            message = f"'{symbol.name}' in a loop of a device, which maps another name of it"
            told = Note("map parameters and arrays, not pointers that are set to them")
            raise refuse(_CODE, message, loop.span, told)
    return replace(directive, maps=tuple(maps))


def _refuse_tapes(loop: For) -> None:
    for node in walk(loop):
        if isinstance(node, Call) and is_tape_call(node):
            message = "a loop of a device of which an iteration keeps a number of values"
            told = Note("it is known while it runs only, and a device has no memory for them")
            raise refuse(_CODE, message, loop.span, told)


def _written(node: Node) -> Iterator[Symbol]:
    match node:
        case Assign(target=target) | Unary(op="++" | "--" | "&", operand=target):
            root = root_symbol(target)
            if root is not None:
                yield root
        case Call(arguments=arguments):
            handed = (root_symbol(one) for one in arguments if one.type.is_indirect)
            yield from (one for one in handed if one is not None)
        case _:
            return


def _items(clause: Clause) -> Iterator[tuple[str, str]]:
    """The names that `map` lists, with their sections."""
    if clause.modifier and clause.modifier.split(",")[-1].strip() not in _KINDS:
        raise refuse(_UNKNOWN, f"`{clause.span.text}`", clause.span)
    for item in clause.items:
        found = _ITEM.fullmatch(item)
        if found is None:
            message = f"'{item}' in `{clause.name}` of a function with a derivative"
            told = Note("map variables and sections of them: map(tofrom : x[0 : n])")
            raise refuse(_CODE, message, clause.span, told)
        yield found[1], found[2].rstrip()


def _by_id(symbol: Symbol) -> int:
    return symbol.id
