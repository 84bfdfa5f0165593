"""What a block combines from values of all its threads is combined where the values come up.

    float sum = 0.0f;                                  __shared__ float sum;
    for (int i = threadIdx.x; i < n; i += 256)         if (threadIdx.x == 0)
        sum += x[i];                                       sum = 0.0f;
    for (int d = 16; d > 0; d /= 2)                    __syncthreads();
        sum += __shfl_xor_sync(m, sum, d);      ->     for (int i = threadIdx.x; i < n; i += 256)
    if (lane == 0)                                         atomicAdd(&sum, x[i]);
        part[warp] = sum;                              __syncthreads();
    __syncthreads();                                   y[0] = sum;
    sum = 0.0f;
    for (int w = 0; w < 8; ++w)
        sum += part[w];
    y[0] = sum;

On a CPU one thread runs the block: the atomics become plain, and all threads one loop. How the
block combines the values does not matter, only that the result is made of the value of every thread
(`analysis/contributions.py` runs the code to see that), that nothing else of the code is used
afterwards, and that values may be combined in any order: that is so for integers, minima and
maxima, and for sums of real numbers where `--associative-math` says so. The extents of the block
are relied on. All threads come there: kernels that threads leave early stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from g2o.analysis.contributions import Combined, Contributions, extreme_of
from g2o.analysis.definitions import written_after_declaration
from g2o.analysis.effects import EffectsOf, statements_of, symbols_in
from g2o.analysis.functions import FunctionTable
from g2o.analysis.uniformity import Uniformity, solve_uniformity
from g2o.ir.expressions import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Conditional,
    Expr,
    Form,
    Index,
    LaunchRef,
    Literal,
    Paren,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import (
    NO_TRIVIA,
    Barrier,
    Block,
    Declare,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    Node,
    Return,
    Scope,
    Stmt,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import BOOL, INT, UNSIGNED, CType, TypeKind, unqualified

_ATOMICS: Final = {"add": "atomicAdd", "max": "atomicMax", "min": "atomicMin"}
_MOST_THREADS: Final = 1024
_SHARED: Final = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def combine_by_block(
    kernel: Kernel, functions: FunctionTable, associative: bool, differentiated: bool
) -> Kernel:
    """The kernel with such code in place of its own; the kernel itself where there is none. Where
    it will be `differentiated`, what all threads work out alike from what is combined is worked out
    by one of them, for the derivatives of all go there."""
    extents = _extents(kernel)
    if extents is None or not any(_is_shared_step(node) for node in walk(kernel.body)):
        return kernel
    if any(isinstance(node, (Return, Labelled)) for node in walk(kernel.body)):
        return kernel
    effects = functions.for_node(kernel.body)
    uniform = solve_uniformity(kernel.body, Scope.BLOCK, effects, set())
    symbols = SymbolTable(continued=kernel.function.symbols)
    made = _Combiner(kernel.body, extents, effects, uniform, symbols, associative, differentiated)
    body = made.inside(kernel.body, in_loop=False)
    if body is kernel.body:
        return kernel
    assert isinstance(body, Block)
    relied = kernel.relied | {(Builtin.BLOCK_DIM, axis) for axis in range(3)}
    function = replace(kernel.function, body=body, symbols=symbols)
    return replace(kernel, function=function, relied=relied)


def _extents(kernel: Kernel) -> tuple[int, int, int] | None:
    """The extents of a block, where every launch agrees on them."""
    found: list[int] = []
    for text in kernel.shape.block:
        value = 1
        for factor in text.split("*") if text is not None else [""]:
            word = factor.strip()
            known = int(word) if word.isdecimal() else kernel.shape.values.get(word)
            if known is None:
                return None
            value *= known
        found.append(value)
    x, y, z = found
    return (x, y, z) if 1 < x * y * z <= _MOST_THREADS and min(found) > 0 else None


def _is_shared_step(node: Node) -> bool:
    return isinstance(node, Exchange) or (isinstance(node, Barrier) and node.scope is Scope.BLOCK)


@final
@dataclass(frozen=True, slots=True)
class _Fragment:
    """Statements `first` to `last` of a sequence, and what variables and elements of shared arrays
    that are used afterwards are made of."""

    first: int
    last: int
    results: Mapping[Symbol, Combined]
    elements: Mapping[tuple[Symbol, tuple[int, ...]], Combined]
    arrays: frozenset[Symbol]
    declared: frozenset[Symbol]


@final
@dataclass(slots=True)
class _Combiner:
    body: Block
    extents: tuple[int, int, int]
    effects: EffectsOf
    uniform: Uniformity
    symbols: SymbolTable
    associative: bool
    differentiated: bool
    totals: set[Symbol] = field(default_factory=set[Symbol])
    positions: list[Variable] = field(init=False)
    changed: set[Symbol] = field(init=False)

    def __post_init__(self) -> None:
        changed = written_after_declaration(self.body, self.effects)
        declared = (node for node in walk(self.body) if isinstance(node, Declare))
        variables = [one for each in declared for one in each.variables]
        self.positions = [one for one in variables if one.symbol not in changed]
        self.changed = changed

    def machine(self) -> Contributions:
        machine = Contributions(self.extents)
        for variable in self.positions:
            machine.knows(variable)
        machine.bases.clear()
        return machine

    # -- where all threads come -----------------------------------------------------------------

    def inside(self, statement: Stmt, *, in_loop: bool) -> Stmt:
        """The statement, which all threads come to, with what is in it."""
        match statement:
            case Block(statements=inner):
                flat = tuple(_without_braces(inner))
                combined = self.sequence(flat, in_loop=in_loop)
                kept = inner if combined is flat else combined
                new = tuple(self.inside(one, in_loop=in_loop) for one in kept)
                same = len(new) == len(inner) and all(map(_is, new, inner))
                return statement if same else replace(statement, statements=new, form=Form.BUILT)
            case If(condition=condition) if self.uniform.is_uniform(condition):
                then = self.inside(statement.then, in_loop=in_loop)
                if then is statement.then:
                    return statement
                return replace(statement, then=then, form=Form.BUILT)
            case For(condition=condition, body=body) | While(condition=condition, body=body):
                if condition is None or not self.uniform.is_uniform(condition) or _jumps(body):
                    return statement
                new_body = self.inside(body, in_loop=True)
                if new_body is body:
                    return statement
                return replace(statement, body=new_body, form=Form.BUILT)
            case _:
                return statement

    def sequence(self, statements: tuple[Stmt, ...], *, in_loop: bool) -> tuple[Stmt, ...]:
        found: list[_Fragment] = []
        first = 0
        while first < len(statements):
            fragment = self.fragment(statements, first, in_loop)
            if fragment is not None:
                found.append(fragment)
            first = first + 1 if fragment is None else fragment.last + 1
        for fragment in reversed(found):
            if self.leaves_arrays(statements, fragment, found, in_loop):
                statements = self.replaced(statements, fragment, in_loop)
            else:
                found.remove(fragment)
        if self.differentiated and found and not in_loop:
            return tuple(self.worked_out_once(statements))
        return statements

    def worked_out_once(self, statements: tuple[Stmt, ...]) -> Iterator[Stmt]:
        """The statements, with real numbers that are worked out from the totals alone, and what
        else all threads have in common, as variables of the block."""
        renamed: dict[Symbol, Symbol] = {}
        for statement in statements:
            statement = rename_symbols(statement, renamed)
            match statement:
                case Declare(variables=(Variable(symbol=old, initial=value, suffix=""),)) if (
                    value is not None and self.is_common(old, value)
                ):
                    ctype = replace(old.type, spelling=unqualified(old.type), is_const=False)
                    new = self.symbols.declare(old.name, ctype, Storage.SHARED)
                    renamed[old] = new
                    self.totals.add(new)
                    yield from self.started(new, value, False, (statement,))
                case _:
                    yield statement

    def is_common(self, symbol: Symbol, value: Expr) -> bool:
        if symbol.type.kind is not TypeKind.FLOATING or symbol in self.changed:
            return False
        named = symbols_in(value)
        plain = all(one in self.totals or self.uniform.is_uniform(VarRef(one)) for one in named)
        pure = self.effects.is_pure(value) and not any(isinstance(n, Index) for n in walk(value))
        return bool(named & self.totals) and plain and pure and not self.reads_positions(value)

    def reads_positions(self, value: Expr) -> bool:
        return any(
            isinstance(node, LaunchRef) and node.builtin is Builtin.THREAD_INDEX
            for node in walk(value)
        )

    # -- what a fragment is ---------------------------------------------------------------------

    def fragment(self, statements: tuple[Stmt, ...], first: int, in_loop: bool) -> _Fragment | None:
        """The longest fragment that begins there."""
        if not _may_begin(statements[first]):
            return None
        machine = self.machine()
        known = set(machine.values)
        best: _Fragment | None = None
        for last in range(first, len(statements)):
            if not machine.follows(statements[last]):
                break
            if machine.meets:
                best = self.complete(statements, first, last, machine, known, in_loop) or best
        return best

    def complete(
        self,
        statements: tuple[Stmt, ...],
        first: int,
        last: int,
        machine: Contributions,
        known: set[Symbol],
        in_loop: bool,
    ) -> _Fragment | None:
        """The fragment, if all that is used of it afterwards is what all values combine to."""
        after = statements[last + 1 :]
        used = symbols_in(Block(after))
        if in_loop:
            own = {s for one in statements for s in _declared_in(one)}
            inside = _occurrences(Block(statements[first : last + 1]))
            around = _occurrences(self.body)
            used |= {s for s in set(around) - own if around.count(s) > inside.count(s)}
        results: dict[Symbol, Combined] = {}
        for symbol, items in machine.values.items():
            if symbol in known or symbol not in used:
                continue
            if symbol in machine.bases and _is_untouched(items, symbol):
                continue
            whole = machine.whole(items) or self.of_some(items, symbol, after, machine, in_loop)
            if whole is None:
                return None
            results[symbol] = whole
        elements: dict[tuple[Symbol, tuple[int, ...]], Combined] = {}
        for array, stored in machine.memory.items():
            for place in _read_places(Block(after), array):
                item = stored.get(place)
                whole = machine.whole([item])
                if whole is not None:
                    elements[array, place] = whole
        wholes = (*results.values(), *elements.values())
        if not wholes or not all(map(self.may_be_combined, wholes)):
            return None
        if len({(one.base, one.operator) for one in wholes}) > len({one.base for one in wholes}):
            return None
        arrays, declared = frozenset(machine.memory), frozenset(machine.declared)
        return _Fragment(first, last, results, elements, arrays, declared)

    def may_be_combined(self, whole: Combined) -> bool:
        """In any order?"""
        is_exact = whole.base.type.kind is TypeKind.INTEGER or whole.operator != "add"
        return (is_exact or self.associative) and not whole.base.type.is_volatile

    def of_some(
        self,
        items: Sequence[object],
        symbol: Symbol,
        after: tuple[Stmt, ...],
        machine: Contributions,
        in_loop: bool,
    ) -> Combined | None:
        """What all values combine to, if only threads look at the variable that have that."""
        wholes = [one if isinstance(one, Combined) and one.operator else None for one in items]
        having = [one is not None and machine.whole([one]) is not None for one in wholes]
        found = next((one for one, has in zip(wholes, having, strict=True) if has), None)
        if found is None or in_loop:
            return None
        for statement in after:
            if symbol not in symbols_in(statement):
                continue
            if not isinstance(statement, If) or statement.otherwise is not None:
                return None
            if symbol in symbols_in(statement.condition):
                return None
            holds = machine.threads_where(statement.condition)
            if holds is None or any(h and not has for h, has in zip(holds, having, strict=True)):
                return None
        return found

    def leaves_arrays(
        self,
        statements: tuple[Stmt, ...],
        fragment: _Fragment,
        found: list[_Fragment],
        in_loop: bool,
    ) -> bool:
        """Does nobody read from its shared arrays but other fragments, which have stored there, and
        those who want the result?"""
        later = [one for one in found if one.first > fragment.last]
        covered = {index for one in later for index in range(one.first, one.last + 1)}
        for array in fragment.arrays:
            rest = [
                statement
                for index, statement in enumerate(statements)
                if index > fragment.last and index not in covered
            ]
            named = sum(_occurrences(one).count(array) for one in rest)
            known = [p for one in rest for p in _read_places(one, array)]
            if named > len(known) or any((array, p) not in fragment.elements for p in known):
                return False
            here = sum(_occurrences(one).count(array) for one in statements)
            if in_loop and _occurrences(self.body).count(array) > here:
                return False
        return True

    # -- what comes in its place ----------------------------------------------------------------

    def replaced(
        self, statements: tuple[Stmt, ...], fragment: _Fragment, in_loop: bool
    ) -> tuple[Stmt, ...]:
        before, after = statements[: fragment.first], statements[fragment.last + 1 :]
        inside = statements[fragment.first : fragment.last + 1]
        totals: dict[Symbol, Symbol] = {}
        result = before
        for whole in (*fragment.results.values(), *fragment.elements.values()):
            if whole.base not in totals:
                base = whole.base
                ctype = replace(base.type, spelling=unqualified(base.type), is_const=False)
                total = self.symbols.declare(base.name, ctype, Storage.SHARED)
                found = self.gathered(result, after, fragment, whole, total, in_loop)
                if found is None:
                    total = self.symbols.fresh(base.name, ctype, Storage.SHARED)
                    neutral = self.started(total, _neutral(whole.operator, ctype), in_loop, ())
                    own = ExprStatement(_atomic(whole.operator, total, VarRef(base)))
                    found = (*result, *neutral, own)
                totals[base], result = total, found
                self.totals.add(total)
        made: list[Stmt] = [*result, _barrier()]
        rest = Block(after)
        for (array, place), whole in fragment.elements.items():
            rest = self.read_elements(rest, array, place, totals[whole.base])
        kept = fragment.arrays & symbols_in(Block((*before, *rest.statements)))
        for one in inside:
            if isinstance(one, Declare) and any(v.symbol in kept for v in one.variables):
                made.append(one)
        for symbol, whole in fragment.results.items():
            total = totals[whole.base]
            declares = symbol in fragment.declared or not any(
                symbol in _declared_in(one) for one in made
            )
            only = [one for one in made if _declares_only(one, symbol)]
            if only and not any(symbol in symbols_in(one) for one in made if one is not only[0]):
                made.remove(only[0])
                declares = True
            if declares and not _is_written(rest, symbol) and not in_loop:
                rest = rewrite(rest, lambda n, s=symbol, t=total: _read_from(n, s, t))
            elif declares:
                spelled = unqualified(symbol.type) + " "
                made.append(Declare((Variable(symbol, spelled, "", VarRef(total), "="),)))
            else:
                store = Assign("=", VarRef(symbol), VarRef(total), total.type)
                made.append(ExprStatement(store))
        if in_loop:
            made.append(_barrier())
        return (*made, *rest.statements)

    def read_elements(
        self, rest: Block, array: Symbol, place: tuple[int, ...], total: Symbol
    ) -> Block:
        """What is behind, with the total in place of an element that has it."""

        def replacement(node: Node) -> Node | None:
            if not isinstance(node, (Index, VarRef)) or _read_places(node, array) != [place]:
                return None
            return VarRef(total)

        return rewrite(rest, replacement)

    def gathered(
        self,
        before: tuple[Stmt, ...],
        after: tuple[Stmt, ...],
        fragment: _Fragment,
        whole: Combined,
        total: Symbol,
        in_loop: bool,
    ) -> tuple[Stmt, ...] | None:
        """The statements in front, with the values of all threads combined in the total where they
        come up; None where that is not all that the base is for."""
        base, kind = whole.base, whole.operator
        if base in symbols_in(Block(after)) and base not in fragment.results:
            return None
        begin = next((i for i in reversed(range(len(before))) if _starts(before[i], base)), None)
        if begin is None:
            return None
        others = (one for one in before[:begin] if not _declares_only(one, base))
        if any(base in symbols_in(one) for one in others):
            return None
        first = before[begin]
        initial = _initial(first, base)
        if initial is None or not _is_start(initial, kind):
            return None
        selects = self.differentiated and kind != "add" and not in_loop
        met = total
        if selects and total.type.kind is TypeKind.FLOATING:
            met = self.symbols.fresh("extreme", total.type, Storage.SHARED)
        added = tuple(rewrite(one, _Updates(base, met, kind)) for one in before[begin + 1 :])
        if any(base in symbols_in(one) for one in added):
            return None
        if met is not total:
            found = self.selected(added, met, total, initial)
            if found is None:
                added = tuple(rewrite(one, lambda n: _read_from(n, met, total)) for one in added)
                met = total
            else:
                added = found
        return (*before[:begin], *self.started(met, initial, in_loop, (first,)), *added)

    def selected(
        self, added: tuple[Stmt, ...], extreme: Symbol, total: Symbol, initial: Expr
    ) -> tuple[Stmt, ...] | None:
        """The total as the element that is the extreme: its derivative is that of the first such
        element, and the extreme itself has none. None where it is not one loop that looks for it.

            for (c ...)                        for (c ...)
                atomicMax(&m, x[c]);    ->         atomicMax(&extreme, x[c]);
                                               for (c ...)
                                                   if (x[c] == extreme) atomicMin(&at, c);
                                               m = x[at];
        """
        naming = [one for one in added if extreme in symbols_in(one)]
        if len(naming) != 1 or naming[0] is not added[-1]:
            return None
        match naming[0]:
            case For(initial=Declare(variables=(Variable(symbol=index),)), body=body) as loop:
                *declared, last = statements_of(body)
            case _:
                return None
        if not isinstance(last, ExprStatement) or not isinstance(last.expr, Call):
            return None
        if index.type.kind is not TypeKind.INTEGER or index in self.effects.of(body).writes:
            return None
        if not all(isinstance(one, Declare) and self.effects.is_pure(one) for one in declared):
            return None
        value = last.expr.arguments[1]
        named = symbols_in(Block((*declared, last))) - {index, extreme}
        named -= {symbol for one in declared for symbol in _declared_in(one)}
        if not all(self.uniform.is_uniform(VarRef(one)) for one in named):
            return None
        at = self.symbols.fresh(f"{total.name}_at", index.type, Storage.SHARED)
        turn = self.like(index)
        nowhere, known = _outside(loop, index, turn)
        found = Binary("==", value, VarRef(extreme), BOOL)
        noted = If(found, ExprStatement(_atomic("min", at, VarRef(index))))
        again = replace(loop, body=Block((*declared, noted)), form=Form.BUILT, trivia=NO_TRIVIA)
        chosen = (*declared, ExprStatement(Assign("=", VarRef(total), value, total.type)))
        there = rename_symbols(Block(chosen), {index: turn, **self.renewed(declared)})
        none = ExprStatement(Assign("=", VarRef(total), initial, total.type))
        place = Declare((Variable(turn, f"{index.type.spelling} ", "", VarRef(at), "="),))
        return (
            *added,
            *self.started(at, nowhere, True, ()),
            rename_symbols(again, {index: self.like(index), **self.renewed(declared)}),
            _barrier(),
            Declare((Variable(total, f"{total.type.spelling} "),)),
            If(self.first_thread(), Block((place, If(known, there, none)))),
        )

    def renewed(self, declared: Sequence[Stmt]) -> dict[Symbol, Symbol]:
        return {symbol: self.like(symbol) for one in declared for symbol in _declared_in(one)}

    def like(self, symbol: Symbol) -> Symbol:
        return self.symbols.declare(symbol.name, symbol.type, symbol.storage)

    def started(
        self, total: Symbol, value: Expr, in_loop: bool, instead: tuple[Stmt, ...]
    ) -> tuple[Stmt, ...]:
        """The total with its first value, in place of another statement."""
        trivia = instead[0].trivia if instead and isinstance(instead[0], Declare) else NO_TRIVIA
        declared = Declare((Variable(total, f"{total.type.spelling} "),))
        store = ExprStatement(Assign("=", VarRef(total), value, total.type), trivia=trivia)
        begun: tuple[Stmt, ...] = (declared, If(self.first_thread(), store), _barrier())
        return (_barrier(), *begun) if in_loop else begun

    def first_thread(self) -> Expr:
        condition: Expr | None = None
        for axis in range(3):
            if axis and self.extents[axis] == 1:
                continue
            position = LaunchRef(Builtin.THREAD_INDEX, axis, UNSIGNED)
            own = Binary("==", position, Literal("0", 0, INT), BOOL)
            condition = own if condition is None else Binary("&&", condition, own, BOOL)
        assert condition is not None
        return condition


@final
@dataclass(frozen=True, slots=True)
class _Updates:
    """Replaces updates of `base` by atomic ones of `total`."""

    base: Symbol
    total: Symbol
    kind: str

    def __call__(self, node: Node) -> Node | None:
        value: Expr | None = None
        match node:
            case ExprStatement(expr=expr):
                value = self.value_of(strip_parens(expr))
            case If(condition=condition, then=then, otherwise=None) if self.kind != "add":
                value = self.extreme_of(condition, then)
            case _:
                pass
        if value is None or self.base in symbols_in(value):
            return None
        atomic = ExprStatement(_atomic(self.kind, self.total, value))
        assert isinstance(node, (ExprStatement, If))
        return replace(atomic, trivia=node.trivia)

    def value_of(self, expr: Expr) -> Expr | None:
        """What is combined with the base."""
        if not isinstance(expr, Assign) or not self.is_base(expr.target):
            return None
        value = strip_parens(expr.value)
        match value:
            case _ if expr.op == "+=":
                return expr.value if self.kind == "add" else None
            case _ if expr.op != "=":
                return None
            case Binary(op="+", left=left, right=right) if self.kind == "add":
                return right if self.is_base(left) else left if self.is_base(right) else None
            case Call(arguments=(left, right)) as call:
                if extreme_of(call) != self.kind:
                    return None
                return right if self.is_base(left) else left if self.is_base(right) else None
            case Conditional(condition=condition, if_true=first, if_false=second):
                return self.compared(condition, first, second)
            case _:
                return None

    def extreme_of(self, condition: Expr, then: Stmt) -> Expr | None:
        """`x` of `if (x > base) base = x;`."""
        while isinstance(then, Block) and len(then.statements) == 1:
            then = then.statements[0]
        if not isinstance(then, ExprStatement):
            return None
        stored = strip_parens(then.expr)
        if not isinstance(stored, Assign) or stored.op != "=" or not self.is_base(stored.target):
            return None
        return self.compared(condition, stored.value, VarRef(self.base))

    def compared(self, condition: Expr, first: Expr, second: Expr) -> Expr | None:
        """The other value, where the condition chooses the greater or lesser one of two."""
        bare = strip_parens(condition)
        if not isinstance(bare, Binary) or bare.op not in ("<", "<=", ">", ">="):
            return None
        left, right = strip_parens(bare.left), strip_parens(bare.right)
        first, second = strip_parens(first), strip_parens(second)
        if (left, right) == (second, first):
            chosen = "min" if bare.op.startswith(">") else "max"
        elif (left, right) == (first, second):
            chosen = "max" if bare.op.startswith(">") else "min"
        else:
            return None
        if chosen != self.kind:
            return None
        return second if self.is_base(first) else first if self.is_base(second) else None

    def is_base(self, expr: Expr) -> bool:
        bare = strip_parens(expr)
        return isinstance(bare, VarRef) and bare.symbol is self.base


def _without_braces(statements: Sequence[Stmt]) -> Iterator[Stmt]:
    """The statements, with those of blocks that are nothing more among them, and declarations of
    one variable each."""
    for one in statements:
        if isinstance(one, Block) and not one.pragma:
            yield from _without_braces(one.statements)
        elif isinstance(one, Declare) and len(one.variables) > 1:
            yield Declare(one.variables[:1], trivia=one.trivia)
            yield from (Declare((variable,)) for variable in one.variables[1:])
        else:
            yield one


def _is(new: Stmt, old: Stmt) -> bool:
    return new is old


def _jumps(body: Stmt) -> bool:
    return any(isinstance(node, Jump) for node in walk(body))


def _may_begin(statement: Stmt) -> bool:
    """Does it say what is combined, or use what threads share?"""
    if isinstance(statement, (Barrier, Block)):
        return False
    if isinstance(statement, Declare):
        variables = statement.variables
        copies = all(isinstance(one.initial, VarRef) for one in variables)
        return copies or all(one.symbol.storage is Storage.SHARED for one in variables)
    return any(
        isinstance(node, Exchange) or (isinstance(node, VarRef) and node.symbol.storage in _SHARED)
        for node in walk(statement)
    )


def _occurrences(node: Node) -> list[Symbol]:
    found: list[Symbol] = []
    for inner in walk(node):
        if isinstance(inner, VarRef):
            found.append(inner.symbol)
        elif isinstance(inner, Exchange):
            found.append(inner.result)
    return found


def _declared_in(statement: Stmt) -> list[Symbol]:
    return [one.symbol for one in statement.variables] if isinstance(statement, Declare) else []


def _declares_only(statement: Stmt, symbol: Symbol) -> bool:
    """Does it declare the variable, without a value, and nothing else?"""
    match statement:
        case Declare(variables=(Variable(symbol=declared, initial=None),)):
            return declared is symbol
        case _:
            return False


def _is_untouched(items: Sequence[object], base: Symbol) -> bool:
    return all(
        isinstance(one, Combined)
        and one.base is base
        and not one.operator
        and int(one.parts.sum()) == 1
        and int(one.parts[thread]) == 1
        for thread, one in enumerate(items)
    )


def _read_places(node: Node, array: Symbol) -> list[tuple[int, ...]]:
    """The elements that are named by numbers and only read; for a variable, the empty place."""
    stored = {id(strip_parens(target)) for inner in walk(node) for target in _targets(inner)}
    found: list[tuple[int, ...]] = []
    within: set[int] = set()
    for inner in walk(node):
        if not isinstance(inner, (Index, VarRef)) or id(inner) in within or id(inner) in stored:
            continue
        place: list[int] = []
        bare: Expr = inner
        chain = [bare]
        while isinstance(bare, Index):
            index = strip_parens(bare.index)
            if not isinstance(index, Literal) or index.value is None:
                break
            place.insert(0, index.value)
            bare = strip_parens(bare.base)
            chain.append(bare)
        if isinstance(bare, VarRef) and bare.symbol is array:
            within |= {id(one) for one in chain}
            found.append(tuple(place))
    return found


def _targets(node: Node) -> list[Expr]:
    match node:
        case Assign(target=target):
            return [target]
        case Unary(op="++" | "--" | "&", operand=operand):
            return [operand]
        case _:
            return []


def _is_written(node: Node, symbol: Symbol) -> bool:
    for inner in walk(node):
        if isinstance(inner, Exchange) and inner.result is symbol:
            return True
        for target in _targets(inner):
            bare = strip_parens(target)
            if isinstance(bare, VarRef) and bare.symbol is symbol:
                return True
        if isinstance(inner, Call) and any(
            isinstance(strip_parens(one), VarRef) and symbol in symbols_in(one)
            for one in inner.arguments
        ):
            return not inner.is_cuda
    return False


def _read_from(node: Node, symbol: Symbol, total: Symbol) -> Node | None:
    return VarRef(total) if isinstance(node, VarRef) and node.symbol is symbol else None


def _starts(statement: Stmt, base: Symbol) -> bool:
    return _initial(statement, base) is not None


def _initial(statement: Stmt, base: Symbol) -> Expr | None:
    """What a statement gives the base at first."""
    match statement:
        case Declare(variables=(Variable(symbol=symbol, initial=initial),)) if symbol is base:
            return initial
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)):
            return value if symbol is base and base not in symbols_in(value) else None
        case _:
            return None


def _outside(loop: For, index: Symbol, turn: Symbol) -> tuple[Expr, Expr]:
    """A number that no iteration has, and the condition that a number is that of one."""
    condition = None if loop.condition is None else strip_parens(loop.condition)
    match condition:
        case Binary(op="<", left=VarRef(symbol=symbol), right=bound) if symbol is index:
            is_natural = Binary(">=", VarRef(turn), Literal("0", 0, INT), BOOL)
            is_less = Binary("<", VarRef(turn), bound, BOOL)
            return bound, Binary("&&", is_natural, is_less, BOOL)
        case _:
            largest = f"std::numeric_limits<{index.type.spelling}>::max()"
            nowhere = Literal(largest, None, index.type)
            return nowhere, Binary("!=", VarRef(turn), nowhere, BOOL)


def _is_start(initial: Expr, kind: str) -> bool:
    """May every thread start so, and the block as well?"""
    if kind == "add":
        bare = strip_parens(initial)
        while isinstance(bare, Cast):
            bare = strip_parens(bare.operand)
        return isinstance(bare, Literal) and _is_zero(bare)
    plain = (Literal, Unary, Paren, Cast, Binary)
    return all(isinstance(node, plain) for node in walk(initial))


def _is_zero(literal: Literal) -> bool:
    if literal.value is not None:
        return literal.value == 0
    try:
        return float(literal.text.rstrip("fFlL")) == 0
    except ValueError:
        return False


def _neutral(kind: str, ctype: CType) -> Expr:
    if kind == "add":
        return Literal("0", 0, INT)
    limit = "lowest" if kind == "max" else "max"
    return Literal(f"std::numeric_limits<{ctype.spelling}>::{limit}()", None, ctype)


def _atomic(kind: str, total: Symbol, value: Expr) -> Call:
    name = _ATOMICS[kind]
    pointer = CType(f"{total.type.spelling} *", TypeKind.POINTER, element=total.type)
    place = Unary("&", VarRef(total), type=pointer)
    return Call(name, Literal(name), (place, value), is_cuda=True, type=total.type)


def _barrier() -> Barrier:
    return Barrier(Scope.BLOCK)
