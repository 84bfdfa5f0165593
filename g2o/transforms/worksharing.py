"""A C function with OpenMP's constructs as what one thread would do, which says where loops are
shared out.

    #pragma omp parallel                            {
    {                                                   double t = 0;
        double t = 0;                                   for (int i = 0; ...) {   // shared out
    #pragma omp for private(s)                              double s;
        for (i = 0; ...) { ... }             ->             ...
    #pragma omp critical                                }
        e += t;                                         e += t;
    }                                               }

A program without races, whose results do not depend on the number of threads, does what one thread
would do. That is what is differentiated (`shared_loops.py` says which loops stay shared out).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, declared_in, root_symbol, statements_of, symbols_in
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.openmp_c.directives import Clause as PragmaClause
from g2o.frontend.openmp_c.directives import Pragma
from g2o.ir.directives import CRITICAL, NO_DIRECTIVE, PARALLEL_FOR, SINGLE, Clause, Directive
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Form,
    Literal,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    Node,
    Stmt,
    Variable,
    Worksharing,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import INT, TypeKind
from g2o.transforms.arrays_of_threads import with_arrays_of_threads
from g2o.transforms.common_changes import CommonChanges, OfThreads
from g2o.transforms.device_maps import (
    OF_DEVICE,
    OF_MEMORY,
    DeviceScope,
    device_words,
    ordered_on_device,
    refuse_code_beside_loops,
    scope_of,
)
from g2o.transforms.loop_heads import in_order
from g2o.transforms.private_copies import (
    arrays_of_sizes,
    copied,
    declared_array,
    extents_of,
    plain_type,
)
from g2o.transforms.region_variables import by_id, in_its_order, with_own_variables_inside
from g2o.transforms.shared_loops import integer_reductions
from g2o.transforms.thread_loops import (
    ASKING,
    COUNT,
    as_loop_over_threads,
    as_loop_pragma,
    as_team,
    asks_for_thread,
    refuse_asking,
    shares_out_elsewhere,
)
from g2o.transforms.thread_pragmas import UNKNOWN, construct_of_threads
from g2o.transforms.updates import added_atomically, sum_of_update

_CODE: Final = "G2O0412"
_UNKNOWN: Final = "G2O0411"
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_OF_ALL: Final = frozenset(
    (
        *("omp_get_wtime", "omp_get_wtick", "omp_get_max_threads", "omp_get_num_procs"),
        *("omp_set_num_threads", "omp_set_dynamic", "omp_set_nested", "omp_set_schedule"),
    )
)
_LOOPS: Final = frozenset(
    ("for", "for simd", "loop", "parallel for", "parallel for simd", "parallel loop")
)
_ONCE: Final = frozenset(
    ("single", "master", "masked", "section", "sections", "parallel sections", "parallel single")
)
_ALONE: Final = ("barrier", "flush")
_HANDED_ON: Final = ("schedule", "num_threads", "if", "proc_bind")
_OWN_VARIABLES: Final = ("private", "firstprivate", "lastprivate", "reduction")
_MOVES: Final = ("target update", "target enter data", "target exit data")
_NOTHING_KNOWN: Final = OfThreads()
NO_MATTER: Final = frozenset(
    (
        *(*_HANDED_ON, *_OWN_VARIABLES, "collapse", "shared", "default", "nowait", "simdlen"),
        *("safelen", "aligned", "nontemporal", "bind", "order", "read", "write", "capture"),
        *("update", "seq_cst", "relaxed", "acquire", "release", "acq_rel", "hint"),
        *(*OF_DEVICE, *OF_MEMORY),
    )
)


def with_worksharing(
    function: Function,
    pragmas: list[Pragma],
    effects: EffectsOf,
    of_threads: OfThreads = _NOTHING_KNOWN,
    *,
    apart: bool = False,
) -> Function:
    """The function as one thread would run it. Raises Refusal for what is not understood.

    What a function shares out that has no region of its own, it shares out among the threads that
    call it, each of which has the function's variables for itself.

    With `apart` loops have all variables that threads have of their own declared in them, whatever
    that makes of their values: those of reductions and of the region around, too. Then it is known
    what their iterations share. Loops of which it is not are not shared out.
    """
    for node in walk(function.body):
        if not isinstance(node, Call) or not node.name.startswith("omp_") or apart:
            continue
        known = node.name in _OF_ALL or node.name == COUNT or (pragmas and node.name in ASKING)
        if not known:
            raise refuse(_CODE, f"`{node.name}` in a function with a derivative", node.span)
    if not pragmas:
        return function
    symbols = SymbolTable(continued=function.symbols)
    targets = _targets(function.body, [one for one in pragmas if one.construct not in _ALONE])
    counted = _counters_elsewhere(function.body)
    sized = arrays_of_sizes(function.body, effects)
    device = scope_of(function, written_after_declaration(function.body, effects))
    given = _given_numbers(function, effects)
    waits = tuple(one.span for one in pragmas if one.construct in _ALONE)
    reader = _Reader(
        effects, symbols, targets, counted, of_threads, sized, given, device, waits, apart
    )
    body = reader.read(function.body)
    for node in walk(body):
        if isinstance(node, Call) and node.name in ASKING - {COUNT} and not apart:
            message = f"`{node.name}` in a function with a derivative"
            raise refuse(_CODE, message, node.span)
    if reader.is_called_by_all and not apart:
        values = {one for one in function.parameters if not one.type.is_indirect}
        own = values | of_threads.own_in(body)
        body = with_own_variables_inside(body, own, symbols)
    spans = [one.span for one in pragmas]
    return replace(function, body=_spelled_out(body, spans), symbols=symbols)


def _given_numbers(function: Function, effects: EffectsOf) -> dict[str, Symbol]:
    """Parameters that are numbers, by their names, which no variable has as well."""
    written = effects.of(function.body).writes
    declared = {one.name for one in declared_in(function.body)}
    return {
        one.name: one
        for one in function.parameters
        if one.type.is_arithmetic and one not in written and one.name not in declared
    }


def _targets(body: Block, pragmas: list[Pragma]) -> dict[int, list[Pragma]]:
    """The statements behind the pragmas, by identity; the outermost where several begin there."""
    statements = [
        (node, node.span) for node in walk(body) if isinstance(node, Stmt) and node.span is not None
    ]
    found: dict[int, list[Pragma]] = {}
    for pragma in pragmas:
        around = [span for _, span in statements if _is_in(pragma.span, span)]
        inside = min(around, key=lambda span: span.end - span.begin, default=None)
        behind = [
            (node, span)
            for node, span in statements
            if span.begin >= pragma.span.end and (inside is None or span.end <= inside.end)
        ]
        if not behind:
            raise refuse(_UNKNOWN, "a pragma that no statement follows", pragma.span)
        target, _ = min(behind, key=lambda pair: pair[1].begin)
        found.setdefault(id(target), []).append(pragma)
    return found


def _is_in(span: SourceSpan, other: SourceSpan) -> bool:
    return other.begin <= span.begin and span.end <= other.end


def _spelled_out(body: Block, pragmas: list[SourceSpan]) -> Block:
    """Statements with a pragma inside are written anew: their text has it."""
    made: list[Node] = []

    def replacement(node: Node) -> Node | None:
        span = node.span
        if span is None or not isinstance(node, Stmt) or any(node is one for one in made):
            return None
        if not any(_is_in(one, span) for one in pragmas):
            return None
        made.append(replace(node, form=Form.BUILT))
        return rewrite(made[-1], replacement)

    return rewrite(body, replacement)


@final
@dataclass(slots=True)
class _Reader:
    effects: EffectsOf
    symbols: SymbolTable
    targets: dict[int, list[Pragma]]
    counted: frozenset[Symbol]  # what loops count, and what is used outside of these, too
    of_threads: OfThreads
    sized: Mapping[Symbol, Variable]  # arrays with sizes that only the program knows
    given: Mapping[str, Symbol]  # numbers that the function is given, and that nothing changes
    device: DeviceScope
    waits: tuple[SourceSpan, ...]  # where threads wait for each other
    apart: bool = False
    is_called_by_all: bool = False  # it shares out a loop among threads that call it
    around: list[Pragma] = field(default_factory=list[Pragma])
    count: int = 0

    def read(self, body: Block) -> Block:
        return rewrite(body, self._replacement)

    def _replacement(self, node: Node) -> Node | None:
        pragmas = self.targets.pop(id(node), None)
        if pragmas is None or not isinstance(node, Stmt):
            return None
        return self._under(pragmas, node)

    def _under(self, pragmas: list[Pragma], node: Stmt) -> Stmt:
        if not pragmas:
            return rewrite(node, self._replacement)
        first, *rest = pragmas
        self._refuse_unknown(first)
        self.around.append(first)
        inner = self._under(rest, node)
        self.around.pop()
        return replace(self._of(first, inner), trivia=node.trivia)

    def _refuse_nested(self, pragma: Pragma) -> None:
        """Refuse a region that all threads of another one begin."""
        for one in reversed(self.around):
            if one.construct in _LOOPS or one.construct in _ONCE:
                return
            if one.construct == "parallel":
                message = f"`omp {pragma.construct}` that all threads of a region come to"
                raise refuse(_CODE, message, pragma.span)

    def _refuse_unknown(self, pragma: Pragma) -> None:
        if pragma.construct in _MOVES:
            message = f"`omp {pragma.construct}` in a function with a derivative"
            told = Note("put the loops into a region of `target data` with their maps")
            raise refuse(_UNKNOWN, message, pragma.span, told)
        for one in pragma.clauses:
            if one.name not in NO_MATTER and not (self.apart and one.name == "linear"):
                message = f"clause `{one.name}` in a function with a derivative"
                raise refuse(_UNKNOWN, message, one.span)

    def _of(self, pragma: Pragma, node: Stmt) -> Stmt:
        """What one thread does of a construct."""
        construct = construct_of_threads(pragma.construct)
        if "parallel" in construct and not self.apart:
            self._refuse_nested(pragma)
        if construct in _LOOPS and isinstance(node, For):
            return self._loop(pragma, node)
        if construct != pragma.construct:
            return self._region_of_device(pragma, construct, node)
        match construct:
            case _ if construct == UNKNOWN:
                return _marked(node, CRITICAL)
            case "simd" if isinstance(node, For):
                return self._private(pragma, node)
            case "parallel":
                return self._region(pragma, node)
            case "critical":
                return _marked(node, CRITICAL)
            case "atomic":
                return self._atomic(pragma, node)
            case _ if construct in _ONCE:
                return replace(self._privately(pragma, node), directive=SINGLE)
            case _:
                message = f"`omp {construct}` in a function with a derivative"
                raise refuse(_UNKNOWN, message, pragma.span)

    # -- loops ----------------------------------------------------------------------------------

    def _loop(self, pragma: Pragma, loop: For) -> Stmt:
        depth = _depth(pragma)
        self.count += 1
        words = device_words((*self.around, pragma))
        clauses = [c for one in self._of_region(pragma) for c in one.clauses]
        handed_on = (*_HANDED_ON, *OF_DEVICE) if words else _HANDED_ON
        clauses = [one for one in clauses if one.name in handed_on]
        told = [one for one in map(self._handed_on, clauses) if one is not None]
        if not self.apart:
            self._refuse_asking(loop)
        is_last = not self.apart and self._has_last_counter(pragma, loop, depth)
        around = (*self.around, pragma)
        if not any("parallel" in construct_of_threads(one.construct) for one in around):
            self.is_called_by_all = True
        if not is_last and not self.of_threads.meets_private(loop):
            maps = self.device.maps(around, loop) if words else ()
            directive = Directive(words or PARALLEL_FOR.construct, clauses=tuple(told), maps=maps)
            if not words:
                directive = directive.reducing(integer_reductions(pragma, loop))
            loop = self._shared(loop, depth, directive)
        if self.apart:
            return self._loop_apart(pragma, loop)
        if pragma.named_by("lastprivate"):
            loop = replace(loop, shared=None)
        for name in pragma.named_by("reduction"):
            loop = self._summed(loop, name)
        if words and loop.shared is None:
            raise ordered_on_device(pragma.span)
        return in_its_order(self._private(pragma, loop))

    def _refuse_asking(self, loop: For) -> None:
        """Refuse iterations that ask which thread runs them: any may."""
        refuse_asking(loop, self.of_threads.function, _CODE, frozenset())
        if (asking := asks_for_thread(loop)) is not None:
            raise refuse(_CODE, f"`{asking.name}` in a loop with a derivative", asking.span)

    def _handed_on(self, clause: PragmaClause) -> str | Clause | None:
        """The clause, if every number in it is the same in the loops that it is handed on to."""
        text = clause.span.text
        named = self.symbols.names.intersection(_WORD.findall(clause.text or ""))
        if not named:
            return text
        if not named <= self.given.keys():
            return None
        parts = re.split(r"(\w+)", text)
        return tuple(self.given[one] if one in named else one for one in parts if one)

    def _of_region(self, pragma: Pragma) -> list[Pragma]:
        """The pragma and those around it, from that on which makes the threads that hear it."""
        found = [pragma]
        for one in reversed(self.around):
            if "parallel" in found[0].construct:
                break
            found.insert(0, one)
        return found

    def _has_last_counter(self, pragma: Pragma, loop: For, depth: int) -> bool:
        """Has a counter behind the loop, where it is used, the value that it has counted up to?
        So have those of `simd`, and of `lastprivate`."""
        last = pragma.named_by("lastprivate")
        is_simd = "simd" in pragma.construct
        inner: Node | None = loop
        for _ in range(depth):
            counter = _counter_of(inner)
            if counter in self.counted and (is_simd or (counter and counter.name in last)):
                return True
            below = statements_of(inner.body) if isinstance(inner, For) else ()
            inner = below[0] if len(below) == 1 else None
        return False

    def _loop_apart(self, pragma: Pragma, loop: For) -> For:
        """The loop with what belongs to threads in it. A loop whose region is in another function
        does not know what does."""
        if not any("parallel" in one.construct for one in (*self.around, pragma)):
            loop = replace(loop, shared=None)
        numbers: set[str] = set()
        for name in pragma.named_by("reduction"):
            loop = self._summed(loop, name)
            named = {n.symbol for n in walk(loop) if isinstance(n, VarRef)}
            numbers |= {one.name for one in named if one.name == name and not one.type.is_indirect}
        names = numbers | pragma.named_by("private", "firstprivate", "lastprivate", "linear")
        own = {one for one in symbols_in(loop.body) - declared_in(loop) if one.name in names}
        return self._with_own(loop, own)

    def _with_own(self, loop: For, own: Collection[Symbol]) -> For:
        """The loop with variables of its own in place of these. Pointers may lead anywhere."""
        body = loop.body
        front: list[Stmt] = []
        for one in sorted(own, key=by_id):
            if one.type.kind is TypeKind.POINTER or None in extents_of(one.type):
                loop = replace(loop, shared=None)
            declared, new = declared_array(self.symbols, one, self.sized)
            front.append(declared)
            body = rename_symbols(body, {one: new.symbol})
        if not front:
            return loop
        return replace(loop, body=Block((*front, *statements_of(body))), form=Form.BUILT)

    def _shared(self, loop: For, depth: int, directive: Directive, level: int = 0) -> For:
        """The loop with its marks, and counters of its own."""
        loop = in_order(self._with_own_index(loop))
        how = Worksharing(self.count, level, directive, depth - level)
        match statements_of(loop.body):
            case (For() as inner,) if level + 1 < depth:
                body: Stmt = Block((self._shared(inner, depth, NO_DIRECTIVE, level + 1),))
            case _:
                body = loop.body
        return replace(loop, shared=how, body=body, form=Form.BUILT)

    def _with_own_index(self, loop: For) -> For:
        match loop.initial:
            case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=old), value=first)):
                new = self.symbols.declare(old.name, old.type, Storage.LOCAL)
                renamed = rename_symbols(replace(loop, initial=None), {old: new})
                start = Declare((Variable(new, plain_type(new.type), "", first, "="),))
                return replace(renamed, initial=start, form=Form.BUILT)
            case _:
                return loop

    def _summed(self, loop: For, name: str) -> For:
        """A loop whose iterations add to elements of an array: other threads do so, too. One that
        does more with the array runs in one thread, and numbers are `sums_of`'s business."""

        def replacement(node: Node) -> Node | None:
            match node:
                case ExprStatement(
                    expr=Assign(op="=", target=VarRef(symbol=one) as target) as assigned
                ) if one.name == name and (sum_ := sum_of_update(assigned)) is not None:
                    op, value = sum_
                    added = Assign(op, target, value, one.type)
                    return replace(node, expr=added, form=Form.BUILT)
                case ExprStatement(expr=Assign(op="+=" | "-=", target=target)) if not isinstance(
                    strip_parens(target), VarRef
                ) and _is_root(target, name):
                    return added_atomically(node)
                case _:
                    return None

        body = rewrite(loop.body, replacement)
        named = [one for one in walk(body) if isinstance(one, VarRef) and one.symbol.name == name]
        added = [
            root_symbol(one.arguments[0])
            for one in walk(body)
            if isinstance(one, Call) and one.name == "atomicAdd"
        ]
        is_array = any(one.symbol.type.is_indirect for one in named)
        does_more = is_array and len(named) > sum(one.name == name for one in added if one)
        return replace(loop, body=body, shared=None if does_more else loop.shared)

    def _private(self, pragma: Pragma, loop: For) -> For:
        """The loop with the variables that are private in it declared in its body."""
        last = pragma.named_by("lastprivate")
        inside = symbols_in(loop.body) - declared_in(loop)
        body = loop.body
        front: list[Stmt] = []
        for one in sorted(inside, key=lambda symbol: symbol.id):
            if one.name in last or one.name not in pragma.named_by("private", "firstprivate"):
                continue
            made = self._declared(one, pragma, body)
            if made is not None:
                declared, new = made
                front += declared
                body = rename_symbols(body, {one: new})
        if not front:
            return loop
        return replace(loop, body=Block((*front, *statements_of(body))), form=Form.BUILT)

    def _privately(self, pragma: Pragma, node: Stmt) -> Block:
        """A statement with variables of its own."""
        body = node
        front: list[Stmt] = []
        for one in sorted(symbols_in(node) - declared_in(node), key=lambda symbol: symbol.id):
            if one.name in pragma.named_by("private", "firstprivate"):
                made = self._declared(one, pragma, body)
                if made is not None:
                    declared, new = made
                    front += declared
                    body = rename_symbols(body, {one: new})
        return Block((*front, *statements_of(body)), span=node.span, form=Form.BUILT)

    def _declared(
        self, one: Symbol, pragma: Pragma, body: Stmt
    ) -> tuple[tuple[Stmt, ...], Symbol] | None:
        """The declaration of a variable's private copy; None where nothing changes it."""
        is_first = one.name in pragma.named_by("firstprivate")
        is_array = one.type.kind is TypeKind.ARRAY
        if is_first and one not in self.effects.of(body).writes:
            return None
        is_sized = None not in extents_of(one.type) or one in self.sized
        if is_array and not is_sized and not self.apart:
            message = f"'{one.name}', an array that is private, in a function with a derivative"
            raise refuse(_CODE, message, pragma.span, Note("declare it inside of the loop"))
        if is_array:
            declared, new = declared_array(self.symbols, one, self.sized)
            copy = [copied(self.symbols, new, one)] if is_first else []
            return (declared, *copy), new.symbol
        initial = VarRef(one) if is_first else None
        make = self.symbols.declare if initial is None else self.symbols.fresh
        new = make(one.name, one.type, Storage.LOCAL)
        style = "" if initial is None else "="
        return (Declare((Variable(new, plain_type(one.type), "", initial, style),)),), new

    # -- regions --------------------------------------------------------------------------------

    def _region(self, pragma: Pragma, node: Stmt) -> Stmt:
        """A region that all threads run: what they all do, each does for itself alone."""
        if not self.apart:
            refuse_asking(node, self.of_threads.function, _CODE, frozenset())
        if (asking := asks_for_thread(node)) is not None and not self.apart:
            return self._over_threads(pragma, node, asking)
        made = with_arrays_of_threads(self._privately(pragma, node), self.symbols)
        own = self.of_threads.own_in(made)
        if self.apart:
            own |= {one for one in symbols_in(made) if one.name in pragma.named_by("reduction")}
            return rewrite(made, lambda inner: self._with_own_of_region(inner, own))
        CommonChanges(self.effects, self.of_threads, pragma.span).refuse_in(made, own)
        return with_own_variables_inside(made, own, self.symbols)

    def _over_threads(self, pragma: Pragma, node: Stmt, asking: Call) -> Stmt:
        """A region in which threads ask which one they are."""
        waits = any(node.span is None or _is_in(one, node.span) for one in self.waits)
        of_threads = self.of_threads
        waits |= shares_out_elsewhere(node, of_threads.function, of_threads.constructs)
        waits |= of_threads.meets_private(node)
        region = with_arrays_of_threads(Block(statements_of(node), span=node.span), self.symbols)
        used = symbols_in(region) | set(self.given.values())
        named = {one.name: one for one in sorted(used, key=by_id)}
        is_here = not device_words((*self.around, pragma))
        made = None if waits else as_loop_over_threads(pragma, region, self.symbols, named)
        if made is None and is_here:
            team = as_team(pragma, node, self.symbols, named)
            if team is not None:
                return self._region(pragma, team)
        if made is None or not is_here:
            message = f"`{asking.name}` in a region whose threads wait for each other"
            raise refuse(_CODE, message, asking.span)
        count, loop = made
        loop = replace(loop, body=self._with_own_sums(pragma, loop.body))
        return Block((count, self._loop(as_loop_pragma(pragma), loop)), form=Form.BUILT)

    def _with_own_sums(self, pragma: Pragma, region: Stmt) -> Stmt:
        """A region of one thread, whose sums begin with 0 and are added to those of all at its end:
        in between it may do with them what it likes."""
        statements = statements_of(region)
        for clause in pragma.clauses:
            if clause.name != "reduction":
                continue
            used = symbols_in(region) - declared_in(region)
            summed = [one for one in sorted(used, key=by_id) if one.name in clause.variables]
            is_sum = (clause.text or "").split(":")[0].strip() in ("+", "-")
            if not is_sum or any(not one.type.is_arithmetic for one in summed):
                message = f"`{clause.span.text}` in a region that asks which thread runs it"
                raise refuse(_CODE, message, clause.span)
            for one in summed:
                own = self.symbols.declare(one.name, one.type, Storage.LOCAL)
                zero = Literal("0", 0, INT)
                begun = Declare((Variable(own, plain_type(one.type), "", zero, "="),))
                inner = rename_symbols(Block(statements), {one: own}).statements
                added = Assign("+=", VarRef(one), VarRef(own), one.type)
                statements = (begun, *inner, ExprStatement(added))
        return Block(statements, span=region.span, form=Form.BUILT)

    def _region_of_device(self, pragma: Pragma, construct: str, node: Stmt) -> Stmt:
        """A region that a device runs, whose loops say so themselves, or has memory in."""
        if pragma.construct == "target data":
            return node
        if construct not in ("", "parallel"):
            message = f"`omp {pragma.construct}` in a function with a derivative"
            raise refuse(_UNKNOWN, message, pragma.span)
        refuse_code_beside_loops(pragma, node)
        return self._region(pragma, node) if construct else self._privately(pragma, node)

    def _with_own_of_region(self, node: Node, own: Collection[Symbol]) -> Node | None:
        match node:
            case For(shared=Worksharing(level=0)):
                used = (symbols_in(node.body) - declared_in(node)) & set(own)
                return self._with_own(node, used)
            case _:
                return None

    def _atomic(self, pragma: Pragma, node: Stmt) -> Stmt:
        made = added_atomically(node) if isinstance(node, ExprStatement) else None
        return _marked(node, CRITICAL) if made is None else made


def _counter_of(node: Node | None) -> Symbol | None:
    """The variable from outside that a loop counts."""
    match node:
        case For(initial=ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol)))):
            return symbol
        case _:
            return None


def _counters_elsewhere(body: Block) -> frozenset[Symbol]:
    """The counters of loops that are used outside of all loops that count them, too."""
    counters = {one for node in walk(body) if (one := _counter_of(node)) is not None}
    found: set[Symbol] = set()

    def visit(node: Node, inside: frozenset[Symbol]) -> None:
        if isinstance(node, VarRef) and node.symbol in counters - inside:
            found.add(node.symbol)
        counter = _counter_of(node)
        inside = inside if counter is None else inside | {counter}
        for child in children(node):
            visit(child, inside)

    visit(body, frozenset())
    return frozenset(found)


def _marked(node: Stmt, directive: Directive) -> Stmt:
    return Block(statements_of(node), directive=directive, span=node.span, form=Form.BUILT)


def _is_root(target: Expr, name: str) -> bool:
    root = root_symbol(target)
    return root is not None and root.name == name


def _depth(pragma: Pragma) -> int:
    for one in pragma.clauses:
        if one.name == "collapse":
            known = (one.text or "").strip()
            if not known.isdecimal():
                raise refuse(_UNKNOWN, f"`{one.span.text}`", one.span)
            return int(known)
    return 1
