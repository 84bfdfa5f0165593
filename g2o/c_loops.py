"""Derivatives of loops that no kernel stands for: those of functions that are only the loop.

    #pragma omp parallel for lastprivate(t) g2o(reverse, shadow(x : d_x, t : d_t))
    for (int i = 0; i < n; ++i) {
    #pragma omp atomic
        x[i / 2] += t;
        ...

Variables that the loop changes are handed to it by their address, and are its own in between. What
stands in place of the loop is the loop with its derivative.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from g2o.analysis.effects import EffectsOf, declared_in, root_symbol
from g2o.c_functions import CFunctions, text_of
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.frontend.openmp_c.directives import Directive
from g2o.ir.directives import CRITICAL
from g2o.ir.expressions import Assign, Call, Literal, Unary, VarRef
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, ExprStatement, For, If, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rename_symbols, walk
from g2o.ir.types import INT, VOID, CType, TypeKind
from g2o.transforms.loop_kernels import refuse_leaving, shadow_pairs
from g2o.transforms.shared_loops import sums_of
from g2o.transforms.worksharing import with_worksharing

_CODE: Final = "G2O0412"


def loop_text(
    functions: CFunctions, function: Function, loop: For, directive: Directive, effects: EffectsOf
) -> str:
    """What stands in place of the loop. Raises Refusal."""
    assert loop.span is not None
    refuse_leaving(loop.body)
    inner = functions.source.pragmas_of(function)
    inner = [one for one in inner if loop.span.begin <= one.span.begin < loop.span.end]
    body = Block((loop,), span=function.body.span)
    whole = replace(function, body=body, parameters=(), result=VOID)
    whole = with_worksharing(whole, [directive.pragma, *inner], effects, functions.of_threads())
    own = declared_in(whole.body)
    named = (n.symbol for n in walk(whole.body) if isinstance(n, VarRef))
    free = [one for one in dict.fromkeys(named) if one not in own]
    free = [one for one in free if one.storage is not Storage.GLOBAL]
    changed = {one for one in effects.of(whole.body).writes if one.type.is_arithmetic}
    _refuse_races(whole.body, changed.intersection(free), directive)
    parameters = {one: _parameter(one, one in changed, loop) for one in free}
    symbols = SymbolTable(continued=whole.symbols)
    symbols.names -= {shadow for _, shadow in directive.wanted.shadows}  # theirs again
    front: list[Stmt] = []
    behind: list[Stmt] = []
    inside = dict(parameters)
    pragma = directive.pragma
    only_last = pragma.named_by("lastprivate") - pragma.named_by("firstprivate", "reduction")
    for one in free:
        if one not in changed:
            continue
        new = symbols.fresh(one.name, one.type, Storage.LOCAL)
        place = Unary("*", VarRef(parameters[one]), type=one.type)
        first = Literal("0", 0, INT) if one.name in only_last else place
        front.append(Declare((Variable(new, one.type.spelling, "", first, "="),)))
        behind.append(ExprStatement(Assign("=", place, VarRef(new), one.type)))
        inside[one] = new
    statements = rename_symbols(whole.body, inside).statements
    whole = replace(
        whole,
        body=replace(body, statements=(*front, *statements, *behind)),
        parameters=tuple(parameters.values()),
        symbols=symbols,
    )
    by_name = {one.name: new for one, new in parameters.items()}
    called = dict(shadow_pairs(directive, by_name, loop))
    made, _ = functions.statements(
        whole,
        tuple(one for one in whole.parameters if one in called),
        False,
        "jvp" if directive.wanted.mode == "forward" else "grad",
        whole=True,
        places=[parameters[one] for one in free if one in changed],
        called=called,
    )
    return f"{{\n{text_of(made)}}}"


def _parameter(symbol: Symbol, is_place: bool, loop: For) -> Symbol:
    ctype = symbol.type
    innermost = ctype.element if ctype.kind is TypeKind.POINTER else ctype.innermost
    if innermost is None or not innermost.innermost.is_arithmetic:
        message = f"'{symbol.name}' of type '{ctype.spelling}' in a loop with a derivative"
        raise refuse(_CODE, message, loop.span)
    if is_place:
        ctype = _pointer_to(ctype)
    elif ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        ctype = _pointer_to(ctype.element)
    return replace(symbol, type=ctype, storage=Storage.PARAMETER)


def _pointer_to(ctype: CType) -> CType:
    spelled = f"{ctype.spelling} *"
    return CType(spelled, TypeKind.POINTER, 64, is_signed=False, element=ctype)


def _refuse_races(body: Block, changed: Collection[Symbol], directive: Directive) -> None:
    """Refuse what iterations would do to a variable of all of them at the same time, or in an
    order that they do not have."""
    pragma = directive.pragma
    plain = {symbol for node in _unguarded(body) for symbol in _changed(node)}
    given = pragma.named_by("reduction", "lastprivate")
    loops = [node for node in walk(body) if isinstance(node, For) and node.shared is not None]
    sums = sums_of(loops[0]) if loops else None
    for one in sorted(changed, key=lambda symbol: symbol.id):
        if one.name not in given and one in plain:
            message = f"'{one.name}', which all iterations write,"
            told = Note("declare it inside of the loop, or name it in private or reduction")
            raise refuse(_CODE, message, directive.span, told)
        if one.name in pragma.named_by("reduction") and _is_used(body, one):
            if sums is None or one not in sums:
                message = "a variable of a reduction that is used otherwise than for that"
                raise refuse(_CODE, message, directive.span)


def _unguarded(node: Node) -> Iterator[Node]:
    """The code outside of what one thread after the other runs."""
    if isinstance(node, Block) and node.directive == CRITICAL:
        return
    yield node
    for child in children(node):
        yield from _unguarded(child)


def _changed(node: Node) -> Iterator[Symbol]:
    match node:
        case Assign(target=target) | Unary(op="++" | "--", operand=target):
            root = root_symbol(target)
            if root is not None:
                yield root
        case _:
            return


def _is_used(body: Block, reduced: Symbol) -> bool:
    """Does the code do anything with the variable of a reduction but to change it?"""
    for node in walk(body):
        match node:
            case Assign(target=target, value=value) if root_symbol(target) != reduced:
                used: tuple[Node, ...] = (target, value)
            case Declare(variables=variables):
                used = tuple(one.initial for one in variables if one.initial is not None)
            case ExprStatement(expr=Call() as call):
                used = (call,)
            case For(condition=condition) if condition is not None:
                used = (condition,)
            case If(condition=condition, then=then, otherwise=other):
                branches = [one for one in (then, other) if one is not None]
                inner = {root for one in branches for n in walk(one) for root in _changed(n)}
                used = (condition,) if inner - {reduced} else ()
            case _:
                continue
        if any(isinstance(n, VarRef) and n.symbol == reduced for u in used for n in walk(u)):
            return True
    return False
