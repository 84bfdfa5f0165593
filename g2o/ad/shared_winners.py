"""Which thread has put an atomic minimum or maximum of its block there.

    atomicMax(&s[k], v);              offer = v;  place = k;  offered = true;
                                      atomicMax(&s[k], offer);
                                      ...
                                      if (offered) winner[place] = INT_MAX;
    __syncthreads();        ->        __syncthreads();
                                      if (offered && offer == s[place])
                                          atomicMin(&winner[place], thread);
                                      __syncthreads();
                                      const bool won = offered && winner[place] == thread;
                                      if (won) s[place] = offer;
                                      __syncthreads();

The last store changes nothing, but it says where the number comes from: its derivative is that of
the minimum or maximum. In a loop a thread offers the best of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.ad.activity import Activity
from g2o.ad.components import behind
from g2o.ad.selections import OFFERED, Pointers, axes_of, kind_of, selected, thread_of_block
from g2o.ad.shadows import ZEROED
from g2o.analysis.effects import EffectsOf
from g2o.analysis.functions import FunctionTable
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Expr,
    Form,
    Index,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Node,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, CType, TypeKind

_NOBODY: Final = Literal("2147483647", 2147483647, INT)
_LOOPS: Final = (For, While, DoWhile)
_WAITS: Final = Note("put __syncthreads() behind it, in the same braces or in those around it")


@final
@dataclass(frozen=True, slots=True)
class _Offer:
    """What one operation of a thread puts up for the element `places` of the array `root`."""

    root: Symbol
    value: Symbol
    offered: Symbol
    places: tuple[Symbol, ...]
    winner: Symbol

    def element(self, array: Symbol) -> Expr:
        found: Expr = VarRef(array)
        for place in self.places:
            ctype = found.type.element or found.type
            found = Index(found, VarRef(place), ctype)
        return found


def with_shared_winners(
    statements: tuple[Stmt, ...],
    activity: Activity,
    symbols: SymbolTable,
    functions: FunctionTable,
) -> tuple[Stmt, ...]:
    """Statements in which stores stand for minima and maxima of shared memory. Raises Refusal where
    no barrier follows, or the memory changes in other ways before that."""
    if not any(_is_selected(node, activity) for node in walk(Block(statements))):
        return statements
    maker = _Maker(statements, activity, symbols, functions)
    made = maker.sequence(statements)
    return (*maker.declared, *made)


def _is_selected(node: Node, activity: Activity) -> bool:
    if not isinstance(node, ExprStatement):
        return False
    return selected(node.expr, activity, shared=True) is not None


def _spans(statement: Stmt, activity: Activity) -> Iterator[SourceSpan | None]:
    for node in walk(statement):
        if isinstance(node, ExprStatement) and _is_selected(node, activity):
            yield node.span or node.expr.span


class _Maker:
    def __init__(
        self,
        statements: tuple[Stmt, ...],
        activity: Activity,
        symbols: SymbolTable,
        functions: FunctionTable,
    ) -> None:
        self.activity = activity
        self.symbols = symbols
        self.effects: EffectsOf = functions.for_node(Block(statements))
        self.thread = thread_of_block(axes_of(statements))
        self.pointers = Pointers(statements, self.effects)
        self.declared: list[Stmt] = []
        self.winners: dict[Symbol, Symbol] = {}
        self.variables = {
            variable.symbol: variable
            for node in walk(Block(statements))
            if isinstance(node, Declare)
            for variable in node.variables
        }

    def sequence(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        pending: list[_Offer] = []
        last: SourceSpan | None = None
        for statement in statements:
            if isinstance(statement, Barrier) and statement.scope in (Scope.BLOCK, Scope.GRID):
                result.extend(self._settled(statement, pending))
                pending = []
                continue
            if not any(_is_selected(node, self.activity) for node in walk(statement)):
                self._refuse_changes(statement, pending)
                result.append(statement)
                continue
            last = next(_spans(statement, self.activity), statement.span)
            if any(isinstance(node, Barrier) for node in walk(statement)):
                result.append(self._inside(statement))
                continue
            new, offers = self._offers(statement)
            self._refuse_changes(new, [*pending, *offers])
            result.extend(new.statements)
            pending.extend(offers)
        if pending:
            message = f"'{pending[0].root.name}', which carries derivatives, is changed by atomic "
            message += "minima or maxima that no barrier of all threads follows"
            raise refuse("G2O0403", message, last, _WAITS)
        return tuple(result)

    def _inside(self, statement: Stmt) -> Stmt:
        match statement:
            case Block(statements=inner):
                return replace(statement, statements=self.sequence(inner), form=Form.BUILT)
            case If(then=then, otherwise=otherwise):
                first = self._body(then)
                second = None if otherwise is None else self._body(otherwise)
                return replace(statement, then=first, otherwise=second, form=Form.BUILT)
            case For() | While() | DoWhile():
                body = self._body(statement.body)
                return replace(statement, body=body, form=Form.BUILT)
            case _:
                message = "atomic minimum or maximum of values that carry derivatives"
                raise refuse("G2O0403", message, statement.span)

    def _body(self, body: Stmt) -> Stmt:
        inner = body.statements if isinstance(body, Block) else (body,)
        if not any(_is_selected(node, self.activity) for node in walk(body)):
            return body
        return Block(self.sequence(inner))

    def _refuse_changes(self, statement: Node, offers: list[_Offer]) -> None:
        wanted = {offer.root for offer in offers}
        for node in walk(statement):
            match node:
                case Assign(target=target) | Unary(op="++" | "--", operand=target):
                    changed = self.activity.origins.roots(target)
                case Call(name=name, arguments=(address, *_)) if name.startswith("atomic"):
                    if name.endswith(OFFERED):
                        continue
                    changed = self.activity.origins.roots(behind(strip_parens(address)))
                case _:
                    continue
            if wanted & changed:
                names = ", ".join(sorted(one.name for one in wanted))
                message = f"'{names}', which carries derivatives, changes by atomic minima or "
                message += "maxima and in another way between two barriers"
                raise refuse("G2O0403", message, node.span or None)

    # -- before the barrier ---------------------------------------------------------------------

    def _offers(self, statement: Stmt) -> tuple[Block, list[_Offer]]:
        """The statement with offers for the operations inside, behind their declarations."""
        loops = [node for node in walk(statement) if isinstance(node, _LOOPS)]
        declared: list[Stmt] = []
        offers: list[_Offer] = []

        def put(node: Node) -> Node | None:
            if not isinstance(node, ExprStatement):
                return None
            call = selected(node.expr, self.activity, shared=True)
            if call is None:
                return None
            around = [loop for loop in loops if any(one is node for one in walk(loop))]
            offer, indices = self._new_offer(call, around)
            declared.extend(self._declarations(offer))
            offers.append(offer)
            return self._offered(node, call, offer, indices, bool(around))

        new = rewrite(statement, put)
        return Block((*declared, new)), offers

    def _new_offer(self, call: Call, around: Sequence[Stmt]) -> tuple[_Offer, tuple[Expr, ...]]:
        root, indices = _named_element(self.pointers.behind(call.arguments[0]))
        if root is None or root.storage is not Storage.SHARED:
            message = f"'{call.name}' on values that carry derivatives"
            note = Note("declare the shared array with its size, and name its elements: &s[k]")
            raise refuse("G2O0403", message, call.span, note)
        for loop in around:
            changes = self.effects.of(loop).writes
            for index in indices:
                own = self.effects.of(index)
                if own.reads & changes or own.memory_reads or kind_of(call).startswith("Bits"):
                    message = f"'{call.name}' in a loop at several elements, on values that carry "
                    raise refuse("G2O0403", f"{message}derivatives", call.span)
        ctype = root.type.innermost
        plain = replace(ctype, is_const=False)
        offer = _Offer(
            root,
            self.symbols.fresh("offer", plain, Storage.LOCAL),
            self.symbols.fresh("offered", BOOL, Storage.LOCAL),
            tuple(self.symbols.fresh("place", INT, Storage.LOCAL) for _ in indices),
            self._winner(root, call),
        )
        return offer, indices

    def _winner(self, root: Symbol, call: Call) -> Symbol:
        known = self.winners.get(root)
        if known is None:
            variable = self.variables.get(root)
            if variable is None:
                message = f"'{call.name}' on values that carry derivatives"
                raise refuse("G2O0403", message, call.span)
            name = f"winner_of_{root.name}"
            known = self.symbols.fresh(name, _of_integers(root.type), Storage.SHARED)
            self.winners[root] = known
            own = Variable(known, "int", variable.suffix, ZEROED, "=", variable.extents)
            self.declared.append(Declare((own,)))
        return known

    def _declarations(self, offer: _Offer) -> list[Stmt]:
        zero = Literal("0.0f" if offer.value.type.bits == 32 else "0.0", None, offer.value.type)
        starts = [(offer.value, zero), (offer.offered, Literal("false", 0, BOOL))]
        starts += [(place, Literal("0", 0, INT)) for place in offer.places]
        return [
            Declare((Variable(symbol, symbol.type.spelling, "", value, "="),))
            for symbol, value in starts
        ]

    def _offered(
        self,
        node: ExprStatement,
        call: Call,
        offer: _Offer,
        indices: tuple[Expr, ...],
        is_repeated: bool,
    ) -> Block:
        value, own = call.arguments[1], VarRef(offer.value)
        statements: list[Stmt] = []
        if is_repeated:
            tried = self.symbols.fresh("tried", offer.value.type, Storage.LOCAL)
            spelled = f"const {tried.type.spelling}"
            statements.append(Declare((Variable(tried, spelled, "", value, "="),)))
            value = VarRef(tried)
            op = "<" if kind_of(call).endswith("Max") else ">"
            worse = Paren(Binary(op, own, value, BOOL), BOOL)
            first = Unary("!", VarRef(offer.offered), type=BOOL)
            condition = Binary("||", first, worse, BOOL)
            statements.append(If(condition, Block((_set(offer.value, value),))))
        else:
            statements.append(_set(offer.value, value))
            value = own
        statements += [
            _set(place, index) for place, index in zip(offer.places, indices, strict=True)
        ]
        statements.append(_set(offer.offered, Literal("true", 1, BOOL)))
        done = replace(call, name=f"{call.name}{OFFERED}", arguments=(call.arguments[0], value))
        statements.append(ExprStatement(replace(done, form=Form.BUILT), span=node.span))
        return Block(tuple(statements), trivia=node.trivia)

    # -- at the barrier -------------------------------------------------------------------------

    def _settled(self, barrier: Barrier, offers: list[_Offer]) -> list[Stmt]:
        if not offers:
            return [barrier]
        resets: list[Stmt] = []
        claims: list[Stmt] = []
        stores: list[Stmt] = []
        for offer in offers:
            offered, own = VarRef(offer.offered), VarRef(offer.value)
            winner, element = offer.element(offer.winner), offer.element(offer.root)
            resets.append(If(offered, Block((_store(winner, _NOBODY),))))
            matches = Binary("&&", offered, Binary("==", own, element, BOOL), BOOL)
            claims.append(If(matches, Block((_least(winner, self.thread),))))
            won = self.symbols.fresh("won", BOOL, Storage.LOCAL)
            is_first = Binary("==", winner, self.thread, BOOL)
            known = Binary("&&", offered, is_first, BOOL)
            stores.append(Declare((Variable(won, "const bool", "", known, "="),)))
            stores.append(If(VarRef(won), Block((_store(element, own),))))
        wait = Barrier(Scope.BLOCK)
        return [*resets, barrier, *claims, wait, *stores, Barrier(Scope.BLOCK)]


def _set(symbol: Symbol, value: Expr) -> Stmt:
    return _store(VarRef(symbol), value)


def _store(target: Expr, value: Expr) -> Stmt:
    return ExprStatement(Assign("=", target, value, target.type))


def _least(winner: Expr, thread: Expr) -> Stmt:
    pointer = CType("int *", TypeKind.POINTER, 64, element=INT)
    address = Unary("&", winner, type=pointer)
    callee = Literal("g2o::atomic_min")
    return ExprStatement(Call("atomicMin", callee, (address, thread), is_cuda=True, type=INT))


def _of_integers(ctype: CType) -> CType:
    """An array with the extents of another one, of integers."""
    if ctype.kind is not TypeKind.ARRAY or ctype.element is None:
        return INT
    element = _of_integers(ctype.element)
    spelled = f"int{ctype.spelling[ctype.spelling.find('[') :]}"
    return CType(spelled, TypeKind.ARRAY, 0, element=element, extent=ctype.extent)


def _named_element(address: Expr) -> tuple[Symbol | None, tuple[Expr, ...]]:
    """The array, and the indices of its element, at an address that names the array."""
    zero = Literal("0", 0, INT)
    indices: list[Expr] = []
    match address:
        case Unary(op="&", operand=operand):
            place = strip_parens(operand)
        case Binary(op="+", left=left, right=right):
            place = Index(strip_parens(left), right)
        case other:
            place = Index(other, zero) if other.type.is_indirect else other
    while isinstance(place, Index):
        indices.insert(0, place.index)
        place = strip_parens(place.base)
    if isinstance(place, VarRef):
        ctype: CType | None = place.symbol.type
        for _ in indices:
            ctype = ctype.element if ctype is not None and ctype.kind is TypeKind.ARRAY else None
        if ctype is not None and ctype.kind is TypeKind.FLOATING:
            return place.symbol, tuple(indices)
    return None, ()
