"""A loop that OpenMP shares out among threads, as a kernel with a thread for each iteration.

    #pragma omp parallel for reduction(+ : e)         int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 1; i < n; ++i) {              ->     if (i >= 1 && i < n) {
        v[i] = a * x[i - 1];                              v[i] = a * x[i - 1];
        e += v[i];                                        atomicAdd(e, v[i]);
    }                                                 }

What the loop names of the function around it are the parameters of the kernel: arrays by pointer,
what it sums up as well. Iterations of such a loop do not depend on each other, or the program has a
race; so do threads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.effects import EffectsOf, declared_in, statements_of, symbols_in
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan, lines_of
from g2o.frontend.openmp_c.directives import Directive
from g2o.ir.expressions import (
    Assign,
    Call,
    Literal,
    Unary,
    VarRef,
    all_of,
)
from g2o.ir.jumps import returning
from g2o.ir.kernel import Function, Kernel
from g2o.ir.statements import (
    Block,
    Declare,
    DoWhile,
    ExprStatement,
    For,
    If,
    Jump,
    JumpKind,
    Node,
    Return,
    Stmt,
    Switch,
    Variable,
    While,
)
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind
from g2o.transforms.loop_heads import LoopHead, head_of
from g2o.transforms.thread_pragmas import construct_of_threads

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CODE: Final = "G2O0412"
_CONSTRUCTS: Final = ("parallel for", "parallel for simd")
_OF_THREADS: Final = ("schedule", "num_threads", "if", "proc_bind", "default", "shared", "simdlen")
_HANDED_ON: Final = ("schedule", "num_threads", "if", "proc_bind")
_FORM: Final = Note("write for (int i = first; i < limit; ++i), or i <= limit")


@final
@dataclass(frozen=True, slots=True)
class LoopKernel:
    """The kernel of a loop. `named` are the parameters with shadows, with what these are called;
    `scalars` are parameters that are no pointers in the source, `clauses` are for threads."""

    kernel: Kernel
    loop: For
    named: Mapping[Symbol, str]
    scalars: frozenset[Symbol]
    clauses: tuple[str, ...]


def loop_kernel(function: Function, directive: Directive, effects: EffectsOf) -> LoopKernel:
    """The loop behind a pragma of the function. Raises Refusal for what is not understood."""
    if directive.construct not in _CONSTRUCTS:
        message = f"a derivative of `omp {directive.construct}`"
        told = Note(f"there is one of `{'`, `'.join(_CONSTRUCTS)}`, with `target` or without")
        raise refuse("G2O0411", message, directive.span, told)
    return _Maker(function, directive, loop_behind(function, directive.span), effects).make()


def is_parallel_loop(directive: Directive) -> bool:
    """Is it a construct that loops with derivatives may have?"""
    return construct_of_threads(directive.construct) in _CONSTRUCTS


def loop_behind(function: Function, span: SourceSpan) -> For:
    """The loop that a pragma stands in front of."""
    text = span.file.text
    loops = [
        node
        for node in walk(function.body)
        if isinstance(node, For) and node.span is not None and node.span.begin >= span.end
    ]
    first = min(loops, key=lambda one: one.span.begin if one.span else 0, default=None)
    between = "" if first is None or first.span is None else text[span.end : first.span.begin]
    if first is None or between.strip():
        raise refuse("G2O0411", "a pragma that is not followed by a loop", span)
    blocks = (node for node in walk(function.body) if isinstance(node, Block))
    if not any(one is first for block in blocks for one in block.statements) or _hangs(text, span):
        message = "a loop that is all of a branch or of another loop, without braces"
        raise refuse(_CODE, message, span, Note("put braces around it: its derivative follows it"))
    return first


def _hangs(text: str, span: SourceSpan) -> bool:
    """Does a pragma stand behind something that has no end yet: a condition, `else`, a label?"""
    above = _COMMENT.sub("", text[: span.begin])
    lines = [one for one in lines_of(above) if not one.lstrip().startswith("#")]
    front = "\n".join(lines).rstrip()
    return not front.endswith((";", "{", "}"))


@final
@dataclass(slots=True)
class _Maker:
    function: Function
    directive: Directive
    loop: For
    effects: EffectsOf

    def make(self) -> LoopKernel:
        heads = self._heads()
        inside = heads[-1].loop.body
        private = self._named_by("private")
        sums = self._sums()
        self._refuse_other_clauses()
        refuse_leaving(inside)
        written = self.effects.of(inside).writes
        own = declared_in(self.loop) | {one.index.symbol for one in heads}
        free = tuple(dict.fromkeys(n.symbol for n in walk(self.loop) if isinstance(n, VarRef)))
        free = tuple(one for one in free if one not in own and one.storage is not Storage.GLOBAL)
        parameters: dict[Symbol, Symbol] = {}
        locals_: list[Stmt] = []
        for one in free:
            if one.name in private:
                locals_.append(Declare((Variable(one, one.type.spelling),)))
                continue
            if one in written and one not in sums and one.type.kind is not TypeKind.ARRAY:
                message = f"'{one.name}', which all iterations write,"
                told = Note("declare it inside of the loop, or name it in private or reduction")
                raise refuse(_CODE, message, self.directive.span, told)
            parameters[one] = replace(one, type=self._type(one, sums), storage=Storage.PARAMETER)
        inner = rewrite(inside, lambda node: self._added(node, sums))
        self._refuse_other_uses(inner, sums)
        symbols = SymbolTable(continued=self.function.symbols)
        symbols.names -= {shadow for _, shadow in self.directive.wanted.shadows}  # theirs again
        threads_of = [
            head.as_thread(len(heads) - 1 - place, symbols) for place, head in enumerate(heads)
        ]
        declared = [one.declared for one in threads_of]
        places = [one.place for one in threads_of if one.place is not None]
        guards = [guard for one in threads_of for guard in one.guards]
        taken = tuple(returning(one) for one in statements_of(inner))
        guarded = If(all_of(guards), Block((*places, *locals_, *taken)))
        body = Block((*declared, guarded), span=self.function.body.span)
        made = replace(
            self.function,
            symbols=symbols,
            parameters=tuple(parameters.values()),
            body=rename_symbols(body, parameters),
            result=CType("void", TypeKind.VOID),
        )
        by_name = {one.name: new for one, new in parameters.items()}
        named = dict(shadow_pairs(self.directive, by_name, self.loop))
        scalars = frozenset(
            new for old, new in parameters.items() if old in sums or old.type.is_arithmetic
        )
        threads = [one for one in self.directive.clauses if one.name in _HANDED_ON]
        clauses = tuple(one.span.text for one in threads)
        changing = {one.name for one in self.effects.of(self.function.body).writes}
        kernel = Kernel(made, is_unbounded=True, of_loops=True, changing=frozenset(changing))
        return LoopKernel(kernel, self.loop, named, scalars, clauses)

    def _heads(self) -> list[LoopHead]:
        """The loops that are shared out, from the outermost one inwards."""
        count = 1
        for one in self.directive.clauses:
            if one.name == "collapse":
                known = (one.text or "").strip()
                if known not in ("1", "2", "3"):
                    raise refuse("G2O0411", f"`{one.span.text}`", one.span)
                count = int(known)
        found = [head_of(self.loop)]
        while len(found) < count:
            match statements_of(found[-1].loop.body):
                case (For() as inner,):
                    found.append(head_of(inner))
                case _:
                    message = f"collapse({count}) of loops with something in between"
                    raise refuse(_CODE, message, found[-1].loop.span)
        counters = {one.index.symbol for one in found}
        for one in found:
            if (symbols_in(one.first) | symbols_in(one.limit)) & counters:
                message = "collapsed loops whose bounds depend on each other"
                raise refuse(_CODE, message, one.loop.span)
            if self.effects.of_all((one.first, one.limit)).memory_reads:
                told = Note("give it a name in front of the loop")
                raise refuse(
                    _CODE, "a bound of the loop that is read from memory", one.loop.span, told
                )
        for one in found:
            if not one.is_plain:
                raise refuse(_CODE, "a loop of this form", one.loop.span, _FORM)
        return found

    def _named_by(self, clause: str) -> set[str]:
        found = (one for one in self.directive.clauses if one.name == clause)
        return {name for one in found for name in one.variables}

    def _sums(self) -> frozenset[Symbol]:
        """The scalars that the iterations add to."""
        known = {n.symbol.name: n.symbol for n in walk(self.loop) if isinstance(n, VarRef)}
        found: set[Symbol] = set()
        for one in self.directive.clauses:
            if one.name != "reduction":
                continue
            for name in one.variables:
                symbol = known.get(name)
                if one.modifier not in ("+", "-") or symbol is None:
                    raise refuse("G2O0411", f"`{one.span.text}`", one.span)
                if symbol.type.kind is not TypeKind.FLOATING:
                    raise refuse("G2O0411", f"`{one.span.text}` of no real number", one.span)
                found.add(symbol)
        return frozenset(found)

    def _refuse_other_clauses(self) -> None:
        known = (*_OF_THREADS, *_HANDED_ON, "private", "firstprivate", "reduction", "collapse")
        for one in self.directive.clauses:
            if one.name not in known:
                raise refuse(
                    "G2O0411", f"clause `{one.name}` of a loop with a derivative", one.span
                )

    def _type(self, symbol: Symbol, sums: frozenset[Symbol]) -> CType:
        """The type of the parameter that stands for a variable around the loop."""
        ctype = symbol.type
        if symbol in sums:
            return _pointer_to(ctype)
        if ctype.is_arithmetic:
            return ctype
        element = ctype.element
        plain = element is not None and element.is_arithmetic
        if ctype.kind is TypeKind.POINTER and plain:
            return ctype
        if ctype.kind is TypeKind.ARRAY and plain and element is not None:
            return _pointer_to(element)
        message = f"'{symbol.name}' of type '{ctype.spelling}' in a loop with a derivative"
        raise refuse(_CODE, message, self.loop.span)

    def _added(self, node: Node, sums: frozenset[Symbol]) -> Node | None:
        """An addition to a sum of all iterations as one of all threads."""
        match node:
            case ExprStatement(expr=Assign(op="+=" | "-=" as op, target=target, value=value)) if (
                isinstance(target, VarRef) and target.symbol in sums
            ):
                ctype = target.symbol.type
                given = value if op == "+=" else Unary("-", value, type=ctype)
                callee = Literal("atomicAdd")
                call = Call(
                    "atomicAdd",
                    callee,
                    (target, given),
                    is_cuda=True,
                    type=ctype,
                )
                return replace(node, expr=call, form=node.form.BUILT)
            case _:
                return None

    def _refuse_other_uses(self, body: Stmt, sums: frozenset[Symbol]) -> None:
        adding = sum(isinstance(n, Call) and n.name == "atomicAdd" for n in walk(body))
        named = sum(isinstance(n, VarRef) and n.symbol in sums for n in walk(body))
        if named > adding:
            message = "a variable of a reduction that is used otherwise than to add to it"
            raise refuse(_CODE, message, self.directive.span)


def shadow_pairs(
    directive: Directive, parameters: Mapping[str, Symbol], loop: For
) -> Iterator[tuple[Symbol, str]]:
    """The parameters with shadows, and what these are called. Raises Refusal."""
    wanted = directive.wanted
    for name, shadow in wanted.shadows:
        symbol = parameters.get(name)
        if symbol is None:
            message = f"'{name}', which the loop does not use, has no shadow in it"
            raise refuse("G2O0411", message, wanted.span)
        if shadow in {one.name for one in declared_in(loop)}:
            message = f"'{shadow}', a shadow with the name of a variable of the loop"
            raise refuse("G2O0411", message, wanted.span)
        real = symbol.type
        while real.is_indirect and real.element is not None:
            real = real.element
        if real.kind is not TypeKind.FLOATING:
            message = f"'{name}' has no real numbers, and no shadow"
            raise refuse("G2O0411", message, wanted.span)
        yield symbol, shadow


def refuse_leaving(body: Stmt) -> None:
    """Refuse iterations that end the loop."""
    for node in _of_iteration(body):
        if isinstance(node, Return) or (isinstance(node, Jump) and node.kind is JumpKind.BREAK):
            raise refuse(_CODE, "a parallel loop that is left from inside", node.span)


def _of_iteration(node: Node) -> Iterator[Node]:
    """What belongs to the iteration itself: not what leaves loops and switches inside."""
    yield node
    inner = isinstance(node, For | While | DoWhile | Switch)
    for child in walk(node) if inner else ():
        if isinstance(child, Return):
            yield child
    if not inner:
        for child in children(node):
            yield from _of_iteration(child)


def _pointer_to(ctype: CType) -> CType:
    return CType(f"{ctype.spelling} *", TypeKind.POINTER, 64, is_signed=False, element=ctype)
