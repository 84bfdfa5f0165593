"""The loops of a derivative that OpenMP shares out among threads.

    for (int i = 0; i < n; ++i) {        double *kept_x = g2o_keep(&kept, n, sizeof *kept_x);
        kept_x.push(x[i]);               #pragma omp parallel for reduction(+ : e)
        x[i] = sin(x[i]);                for (int i = 0; i < n; ++i) {
        e += x[i];                ->         kept_x[i] = x[i];
    }                                        ...

The loop of the source is one whose iterations do not depend on each other; so are those that
differentiation makes of it, but that they add to the same places, and that values are kept in an
order. What is kept gets a place for every iteration, so that any thread finds it again; additions
are judged as those of kernels are, with a thread for each iteration.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, final

from g2o.analysis.effects import (
    declared_in,
    is_tape_call,
    root_symbol,
    statements_of,
    symbols_in,
)
from g2o.analysis.functions import FunctionTable
from g2o.ir.directives import Directive, Mapped, Reduction, sum_of
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    all_of,
    integer_value,
    moved_by,
)
from g2o.ir.increments import is_increment, reason
from g2o.ir.jumps import continuing, returning
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    ExprStatement,
    For,
    If,
    Node,
    Stmt,
    Variable,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, VOID, CType, TypeKind
from g2o.polyhedral.solver import Solver
from g2o.transforms.fixed_places import with_fixed_places_summed
from g2o.transforms.hoist_increments import hoist_increments
from g2o.transforms.loop_heads import LoopHead, find_head
from g2o.transforms.plain_increments import all_plain, make_increments_plain
from g2o.transforms.shared_loops import atomic_addition, heads_of, reduced_by, sums_of
from g2o.transforms.views_apart import View, lie_apart, views_of

_MOST_AXES: Final = 3
_SIZE: Final = CType("size_t", TypeKind.INTEGER, 64, is_signed=False)


@final
@dataclass(frozen=True, slots=True)
class SharedOut:
    """The body with its loops shared out, or the numbers of loops that cannot be."""

    body: Block
    ordered: frozenset[int]


def share_out(
    function: Function,
    shadows: Collection[Symbol],
    made: Collection[Symbol],
    functions: FunctionTable,
    assume_noalias: bool,
) -> SharedOut:
    """The body of a derivative, whose `shadows` lead to memory of their own. `made` is what
    differentiation has declared."""
    maker = _Maker(function, frozenset(shadows), frozenset(made), functions, assume_noalias)
    body = maker.body()
    return SharedOut(body, frozenset(maker.ordered))


@final
@dataclass(slots=True)
class _Maker:
    function: Function
    shadows: frozenset[Symbol]
    made: frozenset[Symbol]
    functions: FunctionTable
    assume_noalias: bool
    solver: Solver = field(default_factory=Solver)
    ordered: set[int] = field(default_factory=set[int])
    once: set[Symbol] = field(default_factory=set[Symbol])
    stack: Symbol | None = None
    views: Mapping[Symbol, View] = field(default_factory=dict[Symbol, View])
    changing: frozenset[str] = frozenset()

    @property
    def symbols(self) -> SymbolTable:
        return self.function.symbols

    def body(self) -> Block:
        body = self.function.body
        self.views = views_of(body, self.shadows)
        written = self.functions.for_node(body).of(body).writes
        self.changing = frozenset(one.name for one in written)
        loops = [n for n in walk(body) if isinstance(n, For) and n.shared and not n.shared.level]
        parted = self._tapes(body, loops)
        body = rewrite(body, lambda node: self._sequence(node, parted))
        gone = {tape for tapes in parted.values() for tape in tapes}
        body = _without(body, gone)
        if self.stack is None:
            return body
        start = Code(("{0}",))
        declared = Declare((Variable(self.stack, "g2o_stack", "", start, "="),))
        freed = _call("g2o_free_stack", Unary("&", VarRef(self.stack)))
        return replace(body, statements=(declared, *body.statements, ExprStatement(freed)))

    def _tapes(self, body: Block, loops: list[For]) -> dict[int, list[Symbol]]:
        """The tapes of each number of loops."""
        found: dict[int, list[Symbol]] = {}
        inside: dict[Symbol, int] = {}
        for loop in loops:
            assert loop.shared is not None
            own = declared_in(loop)
            for call in walk(loop.body):
                root = _tape_of(call)
                if root is None or root in own:
                    continue
                inside[root] = inside.get(root, 0) + 1
                tapes = found.setdefault(loop.shared.number, [])
                if root not in tapes:
                    tapes.append(root)
        self._note_single(loops)
        everywhere: dict[Symbol, int] = {}
        for call in walk(body):
            root = _tape_of(call)
            if root is not None:
                everywhere[root] = everywhere.get(root, 0) + 1
        for number, tapes in found.items():
            if any(everywhere[one] != inside[one] for one in tapes):
                self.ordered.add(number)
        return found

    def _note_single(self, loops: list[For]) -> None:
        """Note the tapes onto which each iteration of any of the loops pushes one value, or each
        one of loops inside that run as often in every iteration."""
        found: dict[Symbol, list[tuple[LoopHead, ...] | None]] = {}
        for loop in loops:
            assert loop.shared is not None
            heads = heads_of(loop)
            calls = [node for node in walk(loop.body) if isinstance(node, Call)]
            for tape in {one for one in map(_tape_of, calls) if one is not None}:
                own = [call for call in calls if _tape_of(call) == tape]
                if all(_operation(one) != "push" for one in own) and len(own) > 1:
                    chain: tuple[LoopHead, ...] | None = ()
                elif heads is None or len(own) > 1:
                    chain = None
                else:
                    chain = self._chain(heads, heads[-1].loop.body, tape)
                on_device = loop.shared.directive.is_on_device
                found.setdefault(tape, []).append(None if chain and on_device else chain)
        for tape, chains in found.items():
            lows = {None if one is None else tuple(map(_low, one)) for one in chains}
            if len(lows) == 1 and None not in lows:
                self.once.add(tape)

    def _chain(
        self, outer: Sequence[LoopHead], body: Stmt, tape: Symbol
    ) -> tuple[LoopHead, ...] | None:
        """The loops inside of an iteration's `body` around what the tape is used for, each of which
        runs as often every time; None where it is not, or not used in all of their iterations."""
        heads: list[LoopHead] = []
        around = body
        own = {one.index.symbol for one in outer} | declared_in(body)
        while True:
            holding = [
                one
                for one in statements_of(around)
                if any(isinstance(node, Call) and _tape_of(node) == tape for node in walk(one))
            ]
            match holding:
                case [ExprStatement() | Declare()]:
                    return tuple(heads)
                case [For(shared=None, initial=Declare()) as inner]:
                    head = find_head(inner)
                case _:
                    return None
            if (
                head is None
                or head.stride not in (1, -1)
                or head.index.symbol.type.bits != INT.bits
            ):
                return None
            effects = self.functions.for_node(body)
            bounds = symbols_in(head.first) | symbols_in(head.limit)
            if bounds & (effects.of(body).writes | own):
                return None
            if head.index.symbol in effects.of(inner.body).writes:
                return None
            if effects.of_all((head.first, head.limit)).memory_reads:
                return None
            heads.append(head)
            around = inner.body

    def _sequence(self, node: Node, parted: dict[int, list[Symbol]]) -> Node | None:
        """Statements in braces, with what their loops need around them."""
        match node:
            case Block(statements=statements):
                new: list[Stmt] = []
                for one in statements:
                    if isinstance(one, For) and one.shared is not None:
                        new += self._loop(one, parted.get(one.shared.number, []))
                    else:
                        new.append(rewrite(one, lambda inner: self._sequence(inner, parted)))
                same = len(new) == len(statements)
                if same and all(a is b for a, b in zip(new, statements, strict=True)):
                    return node
                return replace(node, statements=tuple(new), form=Form.BUILT)
            case For(shared=how) if how is not None:
                return Block(tuple(self._loop(node, parted.get(how.number, []))))
            case ExprStatement(expr=Call(name="atomicAdd")):
                return all_plain((_as_made(node),))[0]
            case _:
                return None

    def _loop(self, loop: For, tapes: list[Symbol]) -> list[Stmt]:
        assert loop.shared is not None
        how = loop.shared
        summed = with_fixed_places_summed(loop, self.shadows | self.made, self.symbols)
        loop = summed.loop
        heads = heads_of(loop)
        if heads is None or len(heads) > _MOST_AXES:
            how = replace(how, depth=1)
            loop = replace(loop, shared=how)
            heads = heads_of(loop)
        sums = sums_of(loop)
        if heads is None or sums is None:
            self.ordered.add(how.number)
            return [loop]
        parts: list[Mapped] = []
        on_device = parts if how.directive.is_on_device else None
        before, inside, behind = self._with_parts(heads[-1].loop.body, tapes, heads, on_device)
        inside = self._judged(inside, heads, how.number)
        own = declared_in(loop) | declared_in(inside)
        inside = rewrite(inside, lambda node: self._atomic_in_structure(node, own))
        maps = (*how.directive.maps, *parts)
        directive = replace(how.directive, collapse=len(heads), maps=maps)
        loop = replace(loop, shared=replace(how, directive=directive))
        loop = _with_body(loop, len(heads), inside)
        return [*before, *summed.before, loop, *summed.behind, *behind]

    # -- what is kept ---------------------------------------------------------------------------

    def _with_parts(
        self, inside: Stmt, tapes: list[Symbol], heads: list[LoopHead], maps: list[Mapped] | None
    ) -> tuple[list[Stmt], Stmt, list[Stmt]]:
        """What a loop keeps, in a place for each iteration: what comes in front of the loop, its
        body, and what comes behind it. `maps` are of a loop that runs on a device."""
        calls = [call for call in walk(inside) if isinstance(call, Call) and _tape_of(call)]
        own = [tape for tape in tapes if any(_tape_of(one) == tape for one in calls)]
        if not own:
            return [], inside, []
        if self.stack is None:
            kind = CType("g2o_stack", TypeKind.RECORD, 0)
            self.stack = self.symbols.fresh("kept", kind, Storage.LOCAL)
        backwards = any(_operation(one) == "pop" for one in calls)
        count = _count(heads)
        before: list[Stmt] = []
        behind: list[Stmt] = []
        freed: list[Stmt] = []
        section: tuple[str | Symbol, ...] = ()
        if maps is not None:
            number = self.symbols.fresh("count", _SIZE, Storage.LOCAL)
            known = Code(("", Paren(count), " > 0 ? ", count, " : 0"), type=_SIZE)
            before.append(Declare((Variable(number, "const size_t ", "", known, "="),)))
            count = VarRef(number)
            section = "[0 : ", number, "]"
        for tape in sorted(own, key=lambda one: one.id, reverse=backwards):
            once = tape in self.once
            chain = (self._chain(heads, inside, tape) if once and maps is None else None) or ()
            place = _place(heads, chain)
            if maps is None:
                count = _count([*heads, *chain])
            values = tape.type.spelling if not once else _values(tape)
            element = replace((once and tape.type.element) or tape.type, spelling=values)
            kind = CType(f"{values} *", TypeKind.POINTER, 64, is_signed=False, element=element)
            part = self.symbols.fresh(tape.name, kind, Storage.LOCAL)
            given: Expr = _call("g2o_take", Unary("&", VarRef(self.stack)))
            if not backwards:
                given = _call("g2o_keep", Unary("&", VarRef(self.stack)), count, _size_of(part))
            before.append(Declare((Variable(part, f"{values} *", "", given, "="),)))
            if maps is not None:
                maps.append(Mapped("to" if backwards else "from", part, section))
            element_of = Index(VarRef(part), place, element)
            inside = rewrite(inside, partial(_kept_at, tape=tape, element=element_of, once=once))
            if backwards:
                behind.append(ExprStatement(_call("free", VarRef(part))))
                if not once:
                    callee = Member(element_of, "free", arrow=False)
                    freed.append(ExprStatement(Call("free", callee, (), type=VOID)))
        if freed:
            inside = Block((*statements_of(inside), *freed))
        return before, inside, behind

    # -- additions ------------------------------------------------------------------------------

    def _judged(self, inside: Stmt, heads: list[LoopHead], number: int) -> Stmt:
        """The body of a loop, whose additions are atomic only where they have to be."""
        loop = heads[0].loop
        own = declared_in(loop)
        inside = rewrite(inside, lambda node: self._atomic(node, own, number))
        free = {n.symbol for n in walk(loop) if isinstance(n, VarRef)} - own
        free |= (
            {n.symbol for n in walk(inside) if isinstance(n, VarRef)} - own - declared_in(inside)
        )
        free = {one for one in free if one.storage is not Storage.GLOBAL}
        added = {
            root_symbol(node.arguments[0])
            for node in walk(inside)
            if isinstance(node, Call) and is_increment(node)
        }
        apart = self.shadows | {one for one in free if one.type.kind is TypeKind.ARRAY}
        if lie_apart(free & (self.shadows | self.views.keys()), self.views, self.shadows):
            apart |= free & self.views.keys()
        if not added or not all(one in apart or one in declared_in(inside) for one in added):
            return inside
        given = {one: _parameter(one) for one in free}
        threads = [
            head.as_thread(len(heads) - 1 - level, self.symbols) for level, head in enumerate(heads)
        ]
        places = [one.place for one in threads if one.place is not None]
        guard = all_of([one for thread in threads for one in thread.guards])
        guarded = If(guard, Block((*places, *statements_of(returning(inside)))))
        body = Block((*(one.declared for one in threads), guarded), span=self.function.body.span)
        parameters = tuple(sorted(given.values(), key=lambda one: one.id))
        function = replace(
            self.function,
            symbols=self.symbols,
            parameters=parameters,
            body=rename_symbols(body, given),
            result=VOID,
        )
        kernel = Kernel(function, is_unbounded=True, of_loops=True, changing=self.changing)
        shadows = [given.get(one, one) for one in apart]
        kernel = hoist_increments(kernel, self.functions, self.assume_noalias, self.solver)
        self.symbols.adopt(kernel.function.symbols)
        made = make_increments_plain(
            kernel, shadows, self.functions, self.assume_noalias, self.solver
        )
        last = made.kernel.body.statements[-1]
        assert isinstance(last, If)
        statements = statements_of(continuing(last.then))[len(places) :]
        back = {new: old for old, new in given.items()}
        return rename_symbols(continuing(Block(statements)), back)

    def _atomic(self, node: Node, own: Collection[Symbol], number: int) -> Node | None:
        """Additions to arrays that are declared around the loop, as if these were memory. `own` are
        the variables of an iteration."""
        match node:
            case ExprStatement(expr=Assign(op=op, target=target, value=value)):
                root = root_symbol(target)
                if root not in self.made or root in own or isinstance(target, VarRef):
                    return None
                if root is None or root.type.kind is not TypeKind.ARRAY:
                    return None
                if op not in ("+=", "-="):
                    self.ordered.add(number)
                    return None
                given = value if op == "+=" else Unary("-", value, type=value.type)
                return ExprStatement(atomic_addition(target, given, None))
            case _:
                return None

    def _atomic_in_structure(self, node: Node, own: Collection[Symbol]) -> Node | None:
        """Additions to arrays in structures that are declared around the loop are atomic."""
        match node:
            case ExprStatement(expr=Assign(op="+=" | "-=" as op, target=target, value=value)):
                root = root_symbol(target)
                is_outside = root is not None and root in self.made and root not in own
                if root is None or not is_outside or root.type.kind is not TypeKind.RECORD:
                    return None
                given = value if op == "+=" else Unary("-", value, type=value.type)
                why = reason(f"several threads may add to one element of {root.name}")
                told = replace(node.trivia, before=(*node.trivia.before, why))
                return ExprStatement(atomic_addition(target, given, None), trivia=told)
            case _:
                return None


def _tape_of(node: Node) -> Symbol | None:
    """The tape that a call pushes to or pops from."""
    if not isinstance(node, Call) or not is_tape_call(node):
        return None
    return root_symbol(node.callee)


def _operation(call: Call) -> str:
    return call.callee.name if isinstance(call.callee, Member) else ""


def _values(tape: Symbol) -> str:
    return tape.type.spelling.removeprefix("g2o::Tape<").removesuffix(">").strip()


def _kept_at(node: Node, tape: Symbol, element: Expr, once: bool) -> Node | None:
    match node:
        case ExprStatement(expr=Call(arguments=(value,)) as call) if once and _is_push(call, tape):
            return ExprStatement(Assign("=", element, value, value.type))
        case Call(callee=Member() as callee) if _tape_of(node) == tape:
            if once:
                return element
            return replace(node, callee=replace(callee, base=element), form=Form.BUILT)
        case _:
            return None


def _is_push(call: Call, tape: Symbol) -> bool:
    return _operation(call) == "push" and _tape_of(call) == tape


def _count(heads: list[LoopHead]) -> Expr:
    """How many iterations there are, or a number that is not positive."""
    count = heads[0].iterations()
    for one in heads[1:]:
        wide = count if isinstance(count, Binary) and count.type == _SIZE else _wide(count)
        count = Binary("*", wide, _factor(_without_sign(one)), _SIZE)
    return count


def _without_sign(head: LoopHead) -> Expr:
    """How many iterations there are: of two empty ranges, which may be far below 0, none."""
    count = head.iterations()
    if not isinstance(count, Binary) or not count.type.is_signed:
        return count
    if any(integer_value(one) is not None for one in (head.first, head.limit)):
        return count
    some = Binary(head.op, head.first, head.limit, BOOL)
    return Conditional(some, count, Literal("0", 0, INT), count.type)


def _place(heads: Sequence[LoopHead], inner: Sequence[LoopHead]) -> Expr:
    """The number of an iteration, and of one of the loops inside of it."""
    numbers = [one.number_of(VarRef(one.index.symbol)) for one in heads] + [*map(_number, inner)]
    made, *others = numbers
    for head, number in zip((*heads, *inner)[1:], others, strict=True):
        far = Binary("*", _wide(made), _factor(head.iterations()), _SIZE)
        made = Binary("+", far, number, _SIZE)
    return made


def _factor(expr: Expr) -> Expr:
    return expr if isinstance(expr, VarRef | Literal) else Paren(expr)


def _number(head: LoopHead) -> Expr:
    """The number of an iteration from the least index on, which loops over the same values in
    another order have as well."""
    index = VarRef(head.index.symbol)
    if not head.falls:
        return head.number_of(index)
    low = _low(head)
    return index if integer_value(low) == 0 else Binary("-", index, low, index.symbol.type)


def _low(head: LoopHead) -> Expr:
    """The least index of a loop that counts by one."""
    if not head.falls:
        return head.first
    return head.limit if head.op == ">=" else moved_by(head.limit, 1, head.index.symbol.type)


def _wide(expr: Expr) -> Expr:
    """The number in a type that holds those of all iterations."""
    whole = Paren(expr)
    return whole if expr.type == _SIZE else Code(("(size_t)", whole), type=_SIZE)


def _size_of(part: Symbol) -> Expr:
    return Code(("sizeof *", VarRef(part)), type=_SIZE)


def _call(name: str, *arguments: Expr) -> Call:
    return Call(name, Literal(name), arguments, type=VOID)


def _with_body(loop: For, depth: int, body: Stmt) -> For:
    if depth == 1:
        return replace(loop, body=body, form=Form.BUILT)
    (inner,) = statements_of(loop.body)
    assert isinstance(inner, For)
    return replace(loop, body=Block((_with_body(inner, depth - 1, body),)), form=Form.BUILT)


def _parameter(symbol: Symbol) -> Symbol:
    """The parameter that stands for a variable around a loop."""
    ctype, element = symbol.type, symbol.type.element
    if ctype.kind is TypeKind.ARRAY and element is not None:
        spelled = f"{element.spelling} *"
        ctype = CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=element)
    return replace(symbol, type=ctype, storage=Storage.PARAMETER)


def _as_made(node: ExprStatement) -> ExprStatement:
    """An addition that is atomic in the source as one of the derivative."""
    assert isinstance(node.expr, Call)
    call = replace(node.expr, span=None, form=Form.BUILT)
    return replace(node, expr=call, form=Form.BUILT)


def _without(body: Block, tapes: Collection[Symbol]) -> Block:
    """The body without the declarations of these tapes."""

    def replacement(node: Node) -> Node | None:
        match node:
            case Block(statements=statements):
                kept = tuple(
                    rewrite(one, replacement) for one in statements if not _declares(one, tapes)
                )
                return replace(node, statements=kept, form=Form.BUILT)
            case _:
                return None

    return rewrite(body, replacement) if tapes else body


def _declares(statement: Stmt, tapes: Collection[Symbol]) -> bool:
    match statement:
        case Declare(variables=(Variable(symbol=symbol),)):
            return symbol in tapes
        case _:
            return False


def _only_reducing(directive: Directive, symbols: Collection[Symbol]) -> Directive:
    """The directive with reductions of these variables alone."""
    left: list[Reduction] = []
    for one in directive.reductions:
        own = tuple(symbol for symbol in one.symbols if symbol in symbols)
        if own:
            left.append(replace(one, symbols=own, counts=("",) * len(own)))
    return replace(directive, reductions=tuple(left))


def with_reductions(body: Block) -> Block:
    """Loops that are shared out say what their iterations add to."""

    def replacement(node: Node) -> Node | None:
        match node:
            case For(shared=how) if how is not None and how.level == 0:
                sums = sorted(sums_of(node) or (), key=lambda one: one.id)
                told = _only_reducing(how.directive, reduced_by(node)).reducing(sum_of(sums))
                if told == how.directive:
                    return node
                if told.is_on_device:
                    mapped = (Mapped("tofrom", one) for one in sums)
                    told = replace(told, maps=(*told.maps, *mapped))
                return replace(node, shared=replace(how, directive=told))
            case _:
                return None

    return rewrite(body, replacement)
