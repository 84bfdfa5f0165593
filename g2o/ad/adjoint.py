"""The adjoint of a kernel: a forward sweep that does what the kernel does and keeps what will be
needed, and a reverse sweep that takes every statement back in the opposite order.

    y[i] = a * x[i] + y[i];    ->    y[i] = a * x[i] + y[i];
                                     d_x[i] += a * d_y[i];

Adjoints are ordinary kernels: threads wait where the primal's threads wait, in the opposite order
(Moses et al., "Reverse-mode automatic differentiation and optimization of GPU kernels via Enzyme",
SC 2021). Increments of memory that threads share are atomic here; a later pass makes those plain
that no other thread can meet.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.choosing_loops import Choice, choice_of
from g2o.ad.dead_zeros import without_dead_zeros, without_pointers
from g2o.ad.hidden import is_atomic_on_active
from g2o.ad.increments import atomic_add, zero_declaration
from g2o.ad.iteration_order import commutes
from g2o.ad.lanes import Meeting
from g2o.ad.leaf_adjoints import LeafAdjoints
from g2o.ad.linear import (
    Linearisation,
)
from g2o.ad.loop_adjoints import LoopAdjoints
from g2o.ad.loops import (
    counted,
    shifted,
    stepped,
)
from g2o.ad.parts import is_part_of, named_parts, path_of
from g2o.ad.places import Places
from g2o.ad.pushes import put_root
from g2o.ad.reach import Reach
from g2o.ad.reals import is_real, real_parts
from g2o.ad.replay import Replay, replays, with_replays
from g2o.ad.roundings import is_marker
from g2o.ad.scopes import Braces, Point
from g2o.ad.selections import is_of_winners
from g2o.ad.shadows import (
    ZEROED,
    Shadows,
    is_block_memory,
    shadow_variable,
)
from g2o.ad.turn_elements import is_small_array, started_in_loops
from g2o.ad.values import Values
from g2o.analysis.effects import declared_in, statements_of, symbols_in
from g2o.diagnostics.diagnostic import placed, refuse
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Form,
    Literal,
    Unary,
    VarRef,
    negated,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Return,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, walk
from g2o.ir.types import BOOL, INT, TypeKind, unqualified

_LEAVING: Final = (Barrier, Exchange, Jump, Return)
_TRUE: Final = Literal("true", 1, BOOL)
_FALSE: Final = Literal("false", 0, BOOL)
_NONE: Final = Literal("0", 0, INT)


@final
class Adjoint:
    """Turns the statements of one kernel around."""

    def __init__(
        self,
        activity: Activity,
        places: Places,
        values: Values,
        shadows: Shadows,
        symbols: SymbolTable,
        named: Mapping[int, Expr],
        axes: tuple[int, ...],
        meetings: Mapping[int, Meeting],
    ) -> None:
        """`named` are expressions whose values have names, `axes` those of threadIdx that the
        kernel names, `meetings` are the lanes that meet in exchanges, by the identity of these."""
        self.activity = activity
        self.places = places
        self.values = values
        self.shadows = shadows
        self.symbols = symbols
        self.linear = Linearisation(activity.is_active, values.functions, named)
        reach = Reach(activity, places, values, shadows)
        self.leaves = LeafAdjoints(reach, self.linear, symbols, axes, meetings)
        self.loops = LoopAdjoints(activity, values, shadows, symbols)
        self.block_memory: list[Stmt] = []  # shadows of shared memory
        self.block_shadows: set[Symbol] = set()

    # -- sequences ------------------------------------------------------------------------------

    def whole(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """Both sweeps of the kernel with these statements."""
        both = tuple(self.joint(statements, None))
        known = declared_in(Block(statements))
        made = declared_in(Block(both)) - known - self.values.made_again
        arrays = {one for one in made if is_small_array(one)}
        effects = self.values.effects
        both = started_in_loops(both, without_pointers(both, arrays), effects)
        own = arrays | {one for one in made if is_real(one.type)}
        both = without_dead_zeros(both, self.block_shadows | own, effects)
        return _behind_extents(self.block_memory, both)

    def joint(self, statements: tuple[Stmt, ...], parent: Braces | None) -> list[Stmt]:
        """Both sweeps in one pair of braces."""
        braces = Braces(parent, joint=True)
        statements, last = self._without_tail(statements)
        forward, reverse = self._sequence(statements, braces)
        middle: list[Stmt] = []
        if isinstance(last, If):
            middle = self._joint_condition(last, braces, forward)
        elif isinstance(last, Block):
            middle = [
                replace(
                    last, statements=tuple(self.joint(last.statements, braces)), form=Form.BUILT
                )
            ]
        elif isinstance(last, For):
            middle = [self._joint_loop(last, braces)]
        reverse = self._added_at_once(braces, reverse, middle)
        declared, added = self._sums(braces, (*middle, *reverse))
        forward = _with_pointers(forward, braces)
        return [*forward, *declared, *braces.shadows, *middle, *reverse, *added]

    def _joint_condition(self, node: If, braces: Braces, forward: list[Stmt]) -> list[Stmt]:
        """A condition at the end of joint braces: both sweeps stand in its branches."""
        then = self.joint(statements_of(node.then), braces)
        other = self.joint(statements_of(node.otherwise), braces) if node.otherwise else None
        otherwise = Block(tuple(other)) if other else None
        return [replace(node, then=Block(tuple(then)), otherwise=otherwise, form=Form.BUILT)]

    def _joint_loop(self, node: For, braces: Braces) -> For:
        """A loop at the end of joint braces whose iterations may run in any order: each of them is
        taken back at once, and what it has overwritten needs no tape."""
        turn = Braces(braces, joint=True)
        if isinstance(node.initial, Declare):
            for variable in node.initial.variables:
                self.values.braces_of[variable.symbol] = turn
                turn.renewed[variable.symbol] = VarRef(variable.symbol)
        both = self.joint(statements_of(node.body), turn)
        return replace(node, body=Block(tuple(both)), form=Form.BUILT)

    def _updates_in_place(self, node: For) -> bool:
        """Does the loop change elements that only the same iteration reads, and nothing else?"""
        effects = self.values.effects
        head = counted(node, effects)
        if head is None or node.shared is not None or node.increment is None:
            return False
        body = list(statements_of(node.body))
        if any(isinstance(inner, _LEAVING) for one in body for inner in walk(one)):
            return False
        calls = (inner for one in body for inner in walk(one) if isinstance(inner, Call))
        if any(effects.of_called(call).memory_writes for call in calls):
            return False
        found, declared = effects.of(node.body), declared_in(node.body)
        if found.side_effects or found.writes - declared or None in found.memory_writes:
            return False
        changed = found.memory_writes & found.memory_reads
        if not any(one is not None and self.activity.is_active(VarRef(one)) for one in changed):
            return False
        return commutes(body, declared, self.loops.primal_memory_of, head.index)

    def _without_tail(self, statements: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], Stmt | None]:
        """The last statement apart where both sweeps can stand inside it."""
        rest = list(statements)
        while rest and isinstance(rest[-1], Empty) and not rest[-1].trivia.before:
            rest.pop()
        if rest and isinstance(rest[-1], (If, Block)):
            return tuple(rest[:-1]), rest[-1]
        if rest and isinstance(rest[-1], For) and self._updates_in_place(rest[-1]):
            return tuple(rest[:-1]), rest[-1]
        return tuple(rest), None

    def _added_at_once(self, braces: Braces, reverse: list[Stmt], others: list[Stmt]) -> list[Stmt]:
        """A sum with one term is no sum: the term goes to the shadow of the parameter itself."""
        for parameter, own in list(braces.sums.items()):
            naming = [
                position
                for position, statement in enumerate(reverse)
                if own in symbols_in(statement)
            ]
            if len(naming) != 1 or any(own in symbols_in(statement) for statement in others):
                continue
            match reverse[naming[0]]:
                case ExprStatement(
                    expr=Assign(op="+=" | "-=" as op, target=VarRef(), value=value)
                ) if own not in symbols_in(ExprStatement(value)):
                    if op == "-=":
                        value = Unary("-", value, type=value.type)
                    place = Unary("*", self.shadows.given[parameter], type=own.type)
                    reverse[naming[0]] = atomic_add(place, value)
                    del braces.sums[parameter]
                case _:
                    pass
        return reverse

    def _sums(self, braces: Braces, statements: Sequence[Stmt]) -> tuple[list[Stmt], list[Stmt]]:
        """Declarations of the sums for value parameters, and their way into the shadows: of the
        parts that the statements add to."""
        declared: list[Stmt] = []
        added: list[Stmt] = []
        for parameter, own in braces.sums.items():
            declared.append(zero_declaration(own))
            given = self.shadows.given[parameter]
            named = list(named_parts(statements, own))
            for part in real_parts(VarRef(own)):
                if not any(map(partial(is_part_of, path_of(part)), named)):
                    continue
                place = put_root(part, own, Unary("*", given, type=own.type))
                added.append(atomic_add(place, part))
        return declared, added

    def deferred(
        self, statements: tuple[Stmt, ...], braces: Braces, filled: Collection[Replay] = ()
    ) -> tuple[list[Stmt], list[Stmt]]:
        """The sweeps of what loops and conditions contain, each for braces of its own. `filled` are
        the arrays that the reverse sweep fills anew if it asks for them."""
        forward, reverse = self._sequence(statements, braces)
        if not reverse:
            return forward, []
        declared = [*braces.again, *braces.shadows]
        return forward, with_replays(filled, declared, reverse, self.activity.origins)

    def _sequence(
        self, statements: tuple[Stmt, ...], braces: Braces
    ) -> tuple[list[Stmt], list[Stmt]]:
        forward: list[tuple[Stmt | None, list[Stmt]]] = []
        reverse: list[list[Stmt]] = []
        braces.statements = statements
        for statement in statements:
            braces.statement = statement
            with placed(statement.span):
                there, back = self._statement(statement, braces)
            forward.append((statement, [*braces.tapes, *there]))
            braces.tapes = []
            reverse.append(back)
        result: list[Stmt] = []
        for statement, there in forward:
            result.extend(there)
            result.extend(braces.behind.get(id(statement), ()))
        return result, [one for back in reversed(reverse) for one in back]

    # -- statements -----------------------------------------------------------------------------

    def _statement(self, node: Stmt, braces: Braces) -> tuple[list[Stmt], list[Stmt]]:
        point = Point(self.places.place(node), braces)
        match node:
            case Declare():
                back = self._declare(node, point)
            case ExprStatement(expr=expr):
                back = self.leaves.expression(strip_parens(expr), point)
                if is_marker(node):
                    return point.before, [*point.first, *back]
            case Block(statements=statements):
                inner = Braces(braces, joint=False)
                there, back = self.deferred(statements, inner)
                return [_same_or(node, there)], [Block(tuple(back))] if back else []
            case If():
                return self._condition(node, point)
            case For() | While() | DoWhile():
                return self._loop(node, point)
            case Barrier(scope=scope, width=width):
                return [node], [Barrier(scope, width)]
            case Exchange():
                back = self.leaves.exchange(node, point)
            case Return() | Empty():
                back = []
            case _:
                self._refuse_active(node)
                back = []
        return [*point.before, node], [*point.first, *back]

    def _refuse_active(self, node: Stmt) -> None:
        if any(symbol in self.activity.active for symbol in symbols_in(node)):
            raise refuse("G2O0403", "statement on values that carry derivatives", node.span)

    def _declare(self, node: Declare, point: Point) -> list[Stmt]:
        back: list[Stmt] = []
        for variable in node.variables:
            symbol = variable.symbol
            self.values.braces_of[symbol] = point.braces
            if variable.initial is not None and is_atomic_on_active(
                variable.initial, self.activity
            ):
                call = strip_parens(variable.initial)
                if isinstance(call, Call) and is_of_winners(call):
                    back.extend(self.leaves.won(symbol, call, point))
                else:
                    back.extend(self.leaves.expression(call, point))
            if not self.activity.is_active(VarRef(symbol)):
                continue
            if is_block_memory(symbol):
                self._shadow_block_memory(variable)
                continue
            if symbol.type.kind in (TypeKind.POINTER, TypeKind.REFERENCE):
                continue
            if variable.initial is not None:
                back.extend(self.leaves.initialise(variable, point))
        return back

    def _shadow_block_memory(self, variable: Variable) -> None:
        shadow = self.shadows.of(variable.symbol)
        self.block_shadows.add(shadow)
        self.block_memory.append(Declare((shadow_variable(variable, shadow, ZEROED),)))

    # -- control --------------------------------------------------------------------------------

    def _condition(self, node: If, point: Point) -> tuple[list[Stmt], list[Stmt]]:
        parts: list[tuple[list[Stmt], list[Stmt]]] = []
        for branch in (node.then, node.otherwise):
            inner = Braces(point.braces, joint=False)
            statements = () if branch is None else statements_of(branch)
            parts.append(self.deferred(statements, inner))
        (then, then_back), (other, other_back) = parts
        there = _with_branches(node, then, other)
        if not then_back and not other_back:
            return [there], []
        condition = self.values.value(node.condition, point)
        if point.braces.joint and point.known(node.condition) is condition:
            there = replace(there, condition=condition, form=Form.BUILT)
        if then_back:
            otherwise = Block(tuple(other_back)) if other_back else None
            back = If(condition, Block(tuple(then_back)), otherwise, is_constexpr=node.is_constexpr)
        else:
            back = If(negated(condition), Block(tuple(other_back)), is_constexpr=node.is_constexpr)
        return [*point.before, there], [*point.first, back]

    def _loop(self, node: For | While | DoWhile, point: Point) -> tuple[list[Stmt], list[Stmt]]:
        effects = self.values.effects
        choice = choice_of(node, self.activity, effects)
        if choice is not None and (sweeps := self._choosing_loop(node, choice, point)):
            return sweeps
        head = counted(node, effects) or shifted(node, effects) or stepped(node, effects)
        loop = self.places.place(node.body).loops[-1]
        inner = Braces(point.braces, joint=False, entered=point, loop=loop)
        index = self.loops.index_of(head, inner) if head is not None else None
        if isinstance(node, For) and isinstance(node.initial, Declare):
            for variable in node.initial.variables:
                self.values.braces_of[variable.symbol] = inner
        filled = self._filled(node, inner)
        there, back = self.deferred(statements_of(node.body), inner, filled)
        body = _same_or_block(node.body, there)
        whole = node if body is node.body else replace(node, body=body, form=Form.BUILT)
        if not back:
            return [whole], []
        if head is not None and index is not None:
            there, new = self.loops.enumerated(whole, head, index, back, point)
        else:
            there, new = self.loops.repeated(whole, back, point)
        return [*point.before, *there], [*point.first, new]

    def _choosing_loop(
        self, node: For | While | DoWhile, choice: Choice, point: Point
    ) -> tuple[list[Stmt], list[Stmt]] | None:
        """A loop that only chooses: the last iteration that stores is taken back. None where that
        needs values that are gone where it stores."""
        inner = Braces(point.braces, joint=False, keeps_nothing=True, keeps_last=True)
        wish = min(choice.chosen, key=lambda one: one.id).name
        noted: dict[Symbol, Symbol] = {}
        for counter in choice.counters:
            plain = replace(counter.type, spelling=unqualified(counter.type), is_const=False)
            noted[counter] = self.symbols.fresh(f"{wish}_{counter.name}", plain, Storage.LOCAL)
            self.values.braces_of[counter] = inner
            inner.renewed[counter] = VarRef(noted[counter])
        joint = point.braces.nearest_joint()
        tapes, kept = len(joint.tapes), len(self.values.recorder.kept)
        stores: list[Stmt] = []
        reverse: list[list[Stmt]] = []
        is_there = True
        for number, statement in enumerate(choice.path):
            inner.statement = statement
            there, back = self._statement(statement, inner)
            before = [one for one in there if one is not statement]
            is_there &= number >= choice.site or not before
            is_there &= id(statement) not in inner.behind
            stores += before
            reverse.append(back)
        taken_back = [one for back in reversed(reverse) for one in back]
        taken_back = [*inner.again, *inner.shadows, *taken_back]
        behind = [one for ones in inner.behind.values() for one in ones]
        own = {symbol for one in (*stores, *behind) for symbol in symbols_in(one)}
        more = [one for one in self.values.recorder.kept[kept:] if one.symbol in own]
        if more and not point.braces.joint:
            is_there = False  # each iteration of a loop around this one has values of its own
        if not is_there or any(one.is_tape for one in more):
            joint.tapes[tapes:] = [one for one in joint.tapes[tapes:] if not declared_in(one) & own]
            left = [one for one in self.values.recorder.kept[kept:] if one.symbol not in own]
            self.values.recorder.kept[kept:] = left
            return None
        chosen = self.symbols.fresh(f"has_{wish}", BOOL, Storage.LOCAL)
        named = {symbol for statement in taken_back for symbol in symbols_in(statement)}
        notes: list[Stmt] = [ExprStatement(Assign("=", VarRef(chosen), _TRUE, BOOL))]
        declared: list[Stmt] = [Declare((Variable(chosen, "bool", "", _FALSE, "="),))]
        values = {chosen: chosen}
        for counter, note in noted.items():
            if note in named:
                notes.append(ExprStatement(Assign("=", VarRef(note), VarRef(counter), note.type)))
                spelled = note.type.spelling
                declared.append(Declare((Variable(note, spelled, "", _NONE, "="),)))
                values[note] = note
        there = [*declared, choice.with_notes(node, [*notes, *stores])]
        first: list[Stmt] = []
        if not point.braces.joint:
            for note in list(values):
                values[note] = self._brought_back(note, there, first, point)
        back = [rename_symbols(one, values) for one in taken_back]
        return there, [*first, If(VarRef(values[chosen]), Block(tuple(back)))]

    def _brought_back(
        self, note: Symbol, there: list[Stmt], first: list[Stmt], point: Point
    ) -> Symbol:
        """A variable with what `note` holds behind the loop, in the reverse sweep."""
        kept = self.symbols.fresh(f"old_{note.name}", note.type, Storage.LOCAL)
        if point.place.loops:
            pop = self.values.recorder.taped(VarRef(note), note.type.spelling, there, point.braces)
            first.append(Declare((Variable(kept, f"const {note.type.spelling}", "", pop, "="),)))
        else:
            self.values.recorder.held(kept, VarRef(note), there, point.braces)
        return kept

    def _filled(self, node: For | While | DoWhile, inner: Braces) -> tuple[Replay, ...]:
        """The shared arrays that each iteration of the loop fills, and may fill again."""
        found = tuple(replays(node, self.values, inner))
        for one in found:
            self.places.restored[one.array] = one.holds
        return found


def _behind_extents(declared: list[Stmt], statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`statements` with declarations of arrays in front, or behind what their extents name."""
    front: list[Stmt] = []
    behind: dict[int, list[Stmt]] = {}
    for one in declared:
        extents = symbols_in(one) - declared_in(one)
        known = [s for s in statements if isinstance(s, Declare) and extents & declared_in(s)]
        (behind.setdefault(id(known[-1]), []) if known else front).append(one)
    placed = [new for one in statements for new in (one, *behind.get(id(one), ()))]
    return (*front, *placed)


def _with_pointers(forward: list[Stmt], braces: Braces) -> list[Stmt]:
    """The forward sweep with the shadow of a pointer behind the pointer: threads that share the one
    share the other."""
    result: list[Stmt] = []
    for statement in forward:
        result.append(statement)
        result.extend(made for behind, made in braces.pointers if behind is statement)
    placed_there = {id(statement) for statement in forward}
    braces.shadows[:0] = [
        made for behind, made in braces.pointers if id(behind) not in placed_there
    ]
    return result


def _same_or(node: Block, statements: list[Stmt]) -> Stmt:
    same = len(statements) == len(node.statements) and all(
        one is old for one, old in zip(statements, node.statements, strict=True)
    )
    return node if same else replace(node, statements=tuple(statements), form=Form.BUILT)


def _same_or_block(node: Stmt, statements: list[Stmt]) -> Stmt:
    if isinstance(node, Block):
        return _same_or(node, statements)
    return node if len(statements) == 1 and statements[0] is node else Block(tuple(statements))


def _with_branches(node: If, then: list[Stmt], other: list[Stmt]) -> If:
    new_then = _same_or_block(node.then, then)
    otherwise = None if node.otherwise is None else _same_or_block(node.otherwise, other)
    if new_then is node.then and otherwise is node.otherwise:
        return node
    return replace(node, then=new_then, otherwise=otherwise, form=Form.BUILT)
