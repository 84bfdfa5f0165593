"""The one rewriter and the one walker of the project.

`rewrite` returns the same object where nothing changed, keeps spans, and marks parents of changed
nodes PATCHED so that the printer still reproduces the author's text around the change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any, Final, TypeVar, assert_never, cast

from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
    Form,
    Index,
    InitList,
    LaunchRef,
    Literal,
    Member,
    Paren,
    Remote,
    Unary,
    VarRef,
    Verbatim,
)
from g2o.ir.statements import (
    Barrier,
    Block,
    CountedLoop,
    Declare,
    DeclareTypes,
    DoWhile,
    Empty,
    Exchange,
    ExprStatement,
    For,
    If,
    Jump,
    Labelled,
    LocalFunction,
    Node,
    Return,
    Stmt,
    Switch,
    Text,
    Variable,
    While,
)
from g2o.ir.symbols import Symbol

N = TypeVar("N", bound=Node)
_NAME: Final = re.compile(r"<.*>|[A-Za-z_]\w*", re.DOTALL)


def _present(*nodes: Node | None) -> tuple[Node, ...]:
    return tuple(node for node in nodes if node is not None)


def _none(_: Node) -> tuple[Node, ...]:
    return ()


def _in_parts(parts: tuple[Node | str, ...]) -> tuple[Node, ...]:
    return tuple(part for part in parts if not isinstance(part, str))


def _of_variables(variables: tuple[Variable, ...]) -> tuple[Node, ...]:
    return tuple(child for variable in variables for child in _of_variable(variable))


def _of_variable(variable: Variable) -> tuple[Node, ...]:
    return _present(*variable.extents, variable.initial)


# One look-up for a node, not a row of comparisons: half of what passes do is to walk.
CHILDREN: Final[Mapping[type[Node], Callable[[Any], tuple[Node, ...]]]] = {
    Literal: _none,
    VarRef: _none,
    LaunchRef: _none,
    Jump: _none,
    Barrier: lambda node: _present(node.width),
    Empty: _none,
    DeclareTypes: _none,
    Unary: lambda node: (node.operand,),
    Cast: lambda node: (node.operand,),
    Binary: attrgetter("left", "right"),
    Assign: attrgetter("target", "value"),
    Conditional: attrgetter("condition", "if_true", "if_false"),
    Call: lambda node: (node.callee, *node.arguments),
    Index: attrgetter("base", "index"),
    Member: lambda node: (node.base,),
    Paren: lambda node: (node.inner,),
    InitList: lambda node: _present(*node.elements, node.said),
    Remote: lambda node: _present(node.thread),
    Verbatim: attrgetter("parts"),
    Code: lambda node: _in_parts(node.parts),
    Text: lambda node: _in_parts(node.parts),
    Declare: lambda node: _of_variables(node.variables),
    ExprStatement: lambda node: (node.expr,),
    Block: attrgetter("statements"),
    If: lambda node: _present(node.condition, node.then, node.otherwise),
    For: lambda node: _present(node.initial, node.condition, node.increment, node.body),
    While: attrgetter("condition", "body"),
    Switch: attrgetter("condition", "body"),
    DoWhile: attrgetter("body", "condition"),
    Labelled: lambda node: _present(node.value, node.body),
    LocalFunction: lambda node: (node.body,),
    Return: lambda node: _present(node.value),
    Exchange: lambda node: _present(*node.operands, node.width),
    CountedLoop: lambda node: _present(node.lower, node.upper, node.step, node.body),
}


_HOLD_STATEMENTS: Final = frozenset(
    (Block, If, For, While, DoWhile, Switch, Labelled, LocalFunction, CountedLoop)
)


def children(node: Node) -> tuple[Node, ...]:
    """Direct children in source order."""
    return CHILDREN[type(node)](node)


def with_children(node: N, new: tuple[Node, ...]) -> N:
    """`node` with its children replaced one for one; its form is weakened to PATCHED, or to BUILT
    where a child has its text elsewhere: that of `node` says nothing of it."""
    form = Form.PATCHED
    if node.form is Form.BUILT or any(map(_is_moved, children(node), new)):
        form = Form.BUILT
    return cast(N, _with_children(node, new, form))


def _is_moved(old: Node, new: Node) -> bool:
    return new is not old and new.span is not None and new.span != old.span


def _with_children(node: Node, new: tuple[Node, ...], form: Form) -> Node:
    rest = list(new)

    def take() -> Expr:
        return cast(Expr, rest.pop(0))

    def take_statement() -> Stmt:
        return cast(Stmt, rest.pop(0))

    def maybe(old: Expr | None) -> Expr | None:
        return None if old is None else take()

    match node:
        case Literal() | VarRef() | LaunchRef() | Jump() | Empty() | DeclareTypes():
            return node
        case Unary() | Cast():
            return replace(node, operand=take(), form=form)
        case Binary():
            return replace(node, left=take(), right=take(), form=form)
        case Assign():
            return replace(node, target=take(), value=take(), form=form)
        case Conditional():
            return replace(node, condition=take(), if_true=take(), if_false=take(), form=form)
        case Call(arguments=arguments):
            callee = take()
            return replace(
                node, callee=callee, arguments=tuple(take() for _ in arguments), form=form
            )
        case Index():
            return replace(node, base=take(), index=take(), form=form)
        case Member():
            return replace(node, base=take(), form=form)
        case Paren():
            return replace(node, inner=take(), form=form)
        case InitList(elements=elements):
            new_elements = tuple(take() for _ in elements)
            return replace(node, elements=new_elements, said=maybe(node.said), form=form)
        case Remote(thread=thread):
            return replace(node, thread=maybe(thread), form=form)
        case Verbatim(parts=parts):
            return replace(node, parts=tuple(take() for _ in parts), form=form)
        case Code(parts=parts) | Text(parts=parts):
            filled = tuple(part if isinstance(part, str) else take() for part in parts)
            return replace(node, parts=filled, form=form)
        case Declare(variables=variables):
            rebuilt = tuple(
                replace(
                    variable,
                    extents=tuple(take() for _ in variable.extents),
                    initial=maybe(variable.initial),
                )
                for variable in variables
            )
            return replace(node, variables=rebuilt, form=form)
        case ExprStatement():
            return replace(node, expr=take(), form=form)
        case Block(statements=statements):
            return replace(node, statements=tuple(take_statement() for _ in statements), form=form)
        case If(otherwise=otherwise):
            condition, then = take(), take_statement()
            other = None if otherwise is None else take_statement()
            return replace(node, condition=condition, then=then, otherwise=other, form=form)
        case For(initial=initial, condition=condition, increment=increment):
            return replace(
                node,
                initial=None if initial is None else take_statement(),
                condition=maybe(condition),
                increment=maybe(increment),
                body=take_statement(),
                form=form,
            )
        case While() | Switch():
            return replace(node, condition=take(), body=take_statement(), form=form)
        case DoWhile():
            return replace(node, body=take_statement(), condition=take(), form=form)
        case Labelled(value=value):
            return replace(node, value=maybe(value), body=take_statement(), form=form)
        case LocalFunction():
            return replace(node, body=take_statement(), form=form)
        case Return(value=value):
            return replace(node, value=maybe(value), form=form)
        case Barrier(width=width):
            return replace(node, width=maybe(width), form=form)
        case Exchange(operands=operands, width=width):
            return replace(
                node, operands=tuple(take() for _ in operands), width=maybe(width), form=form
            )
        case CountedLoop(step=step):
            return replace(
                node,
                lower=take(),
                upper=take(),
                step=maybe(step),
                body=take_statement(),
                form=form,
            )
        case _:
            assert_never(node)


def walk(node: Node) -> Iterator[Node]:
    """`node` and all below it, parents first, in source order."""
    if CHILDREN[type(node)] is _none:
        return iter((node,))
    return chain((node,), _below(node))


def _below(node: Node) -> tuple[Node, ...]:
    """All below the node: listed once, as most questions to a body are asked of it again."""
    try:
        return node.below
    except AttributeError:
        pass
    found: list[Node] = []
    stack: list[Node] = list(children(node)[::-1])
    pop, append, extend = stack.pop, found.append, stack.extend
    while stack:
        current = pop()
        append(current)
        below = CHILDREN[type(current)]
        if below is not _none:
            extend(below(current)[::-1])
    listed = tuple(found)
    object.__setattr__(node, "below", listed)
    return listed


def statements_behind(node: Node, inner: Node) -> list[Node] | None:
    """The statements that come behind `inner` inside of `node`; None where it is not there."""
    if node is inner:
        return []
    parts = children(node)
    for position, part in enumerate(parts):
        found = statements_behind(part, inner)
        if found is not None:
            return [*found, *(parts[position + 1 :] if isinstance(node, Block) else ())]
    return None


def rewrite(node: N, replacement: Callable[[Node], Node | None]) -> N:
    """Replace, from the top down, every node for which `replacement` gives another one.

    A node for which it gives anything, be it the node itself, is not descended into. A new one
    keeps the place of the old one in the source, which is what lets the printer put it into the
    author's text.
    """
    new = replacement(node)
    if new is node:
        return node
    if new is not None:
        return cast(N, in_place_of(node, new))
    below = CHILDREN[type(node)]
    if below is _none:
        return node
    old_children = below(node)
    new_children: list[Node] | None = None
    for position, child in enumerate(old_children):
        changed = rewrite(child, replacement)
        if changed is not child:
            if new_children is None:
                new_children = list(old_children)
            new_children[position] = changed
    return node if new_children is None else with_children(node, tuple(new_children))


def rewrite_statements(node: N, replacement: Callable[[Node], Node | None]) -> N:
    """As `rewrite` where only statements are replaced: no expression is looked at, and none holds a
    statement."""
    new = replacement(node)
    if new is node:
        return node
    if new is not None:
        return cast(N, in_place_of(node, new))
    if type(node) not in _HOLD_STATEMENTS:
        return node
    old_children = children(node)
    new_children = tuple(
        rewrite_statements(child, replacement) if isinstance(child, Stmt) else child
        for child in old_children
    )
    same = all(one is other for one, other in zip(new_children, old_children, strict=True))
    return node if same else with_children(node, new_children)


def relocate(node: N, moved: Callable[[SourceSpan], SourceSpan]) -> N:
    """Move every span; forms stay."""

    def place(inner: Node, _: Node | None) -> SourceSpan | None:
        return None if inner.span is None else moved(inner.span)

    return placed(node, place)


def placed(
    node: N, place: Callable[[Node, Node | None], SourceSpan | None], parent: Node | None = None
) -> N:
    """Give every node the span that `place` says, which is told what the node is part of, that with
    its new span. Forms stay."""
    span = place(node, parent)
    result: Node = node if span is node.span else replace(node, span=span)
    old_children = children(node)
    new_children = tuple(placed(child, place, result) for child in old_children)
    if any(new is not old for new, old in zip(new_children, old_children, strict=True)):
        result = _with_children(result, new_children, result.form)
    return cast(N, result)


def rename_symbols(node: N, symbols: Mapping[Symbol, Symbol]) -> N:
    """Replace symbols everywhere they are named or declared.

    Where the name stays, so does the author's text.
    """

    def replacement(inner: Node) -> Node | None:
        match inner:
            case VarRef(symbol=symbol) if symbol in symbols:
                new = symbols[symbol]
                form = inner.form if new.name == symbol.name else Form.BUILT
                return replace(inner, symbol=new, form=form)
            case Declare(variables=variables) if any(v.symbol in symbols for v in variables):
                same = all(symbols.get(v.symbol, v.symbol).name == v.symbol.name for v in variables)
                renamed = tuple(
                    replace(
                        variable,
                        symbol=symbols.get(variable.symbol, variable.symbol),
                        extents=tuple(rename_symbols(e, symbols) for e in variable.extents),
                        initial=None
                        if variable.initial is None
                        else rename_symbols(variable.initial, symbols),
                    )
                    for variable in variables
                )
                form = Form.PATCHED if same and inner.form is not Form.BUILT else Form.BUILT
                return replace(inner, variables=renamed, form=form)
            case Remote(symbol=symbol, thread=thread) if symbol in symbols:
                renamed_thread = None if thread is None else rename_symbols(thread, symbols)
                return replace(inner, symbol=symbols[symbol], thread=renamed_thread)
            case CountedLoop(index=index, directive=directive) if (
                index in symbols or directive.symbols & symbols.keys()
            ):
                parts = tuple(rename_symbols(part, symbols) for part in children(inner))
                index, directive = symbols.get(index, index), directive.renamed(symbols)
                new = with_children(inner, parts)
                return replace(new, index=index, directive=directive, form=Form.BUILT)
            case Block(directive=directive) | For(directive=directive) if (
                directive.symbols & symbols.keys()
            ):
                parts = tuple(rename_symbols(part, symbols) for part in children(inner))
                new = with_children(inner, parts)
                return replace(new, directive=directive.renamed(symbols), form=Form.BUILT)
            case For(shared=how) if how is not None and how.directive.symbols & symbols.keys():
                parts = tuple(rename_symbols(part, symbols) for part in children(inner))
                how = replace(how, directive=how.directive.renamed(symbols))
                return replace(with_children(inner, parts), shared=how, form=Form.BUILT)
            case LocalFunction(parameters=parameters, body=body) if symbols.keys() & {*parameters}:
                own = tuple(symbols.get(one, one) for one in parameters)
                renamed_body = rename_symbols(body, symbols)
                return replace(inner, parameters=own, body=renamed_body, form=Form.BUILT)
            case Text(declares=declared) if symbols.keys() & {*declared}:
                own = tuple(symbols.get(one, one) for one in declared)
                names = {old.name: new.name for old, new in zip(declared, own, strict=True)}
                parts = tuple(
                    _with_words(part, names)
                    if isinstance(part, str)
                    else rename_symbols(part, symbols)
                    for part in inner.parts
                )
                return replace(inner, parts=parts, declares=own)
            case Verbatim(parts=parts, copied=copied) if symbols.keys() & (copied or ()):
                parts = tuple(rename_symbols(part, symbols) for part in parts)
                own = frozenset(symbols.get(one, one) for one in copied or ())
                return replace(with_children(inner, parts), copied=own)
            case Exchange(result=result, operands=operands) if result in symbols:
                renamed_operands = tuple(rename_symbols(o, symbols) for o in operands)
                return replace(inner, result=symbols[result], operands=renamed_operands)
            case _:
                return None

    return rewrite(node, replacement)


def with_open_places(node: N) -> N:
    """`node` with elements and members that `in_place_of` has put somewhere, `v.data[i]` where
    `v(i)` was, as what they are: what asks about places need not know more."""

    def replacement(inner: Node) -> Node | None:
        match inner:
            case Code(parts=(Index() | Member() | Unary() as place,)):
                return replace(rewrite(place, replacement), span=None, form=Form.BUILT)
            case _:
                return None

    return rewrite(node, replacement)


def _with_words(text: str, words: Mapping[str, str]) -> str:
    """`text` with other words in the place of some, but for template arguments."""
    return _NAME.sub(lambda found: words.get(found[0], found[0]), text)


def in_place_of(old: Node, new: Node) -> Node:
    """`new`, placed at the span of `old`."""
    if new.span is old.span:
        return new
    if isinstance(new, VarRef) and isinstance(old, VarRef):
        same_name = new.symbol.name == old.symbol.name
        return replace(new, span=old.span, form=old.form if same_name else Form.BUILT)
    if new.span is None:
        return replace(new, span=old.span, form=Form.BUILT)
    if isinstance(new, (Literal, VarRef, LaunchRef)):
        return replace(new, span=old.span, form=Form.BUILT)
    match new:
        case (
            Unary()
            | Binary()
            | Assign()
            | Conditional()
            | Cast()
            | Call()
            | Index()
            | Member()
            | Paren()
            | InitList()
            | Verbatim()
            | Code()
            | Remote()
        ):
            return Code((new,), atomic=False, type=new.type, span=old.span)
        case _:
            return Block((new,), span=old.span)
