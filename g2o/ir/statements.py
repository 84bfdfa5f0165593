"""Statements of kernel IR, and the loops and arrays that lowering turns them into.

Stmt = Declare | DeclareTypes | ExprStatement | Block | If | For | While | DoWhile | Switch
     | Labelled | Jump | Return | Barrier | Exchange | Empty | CountedLoop | LocalFunction | Text
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, final

from g2o.diagnostics.source import SourceSpan
from g2o.ir.directives import NO_DIRECTIVE, Directive
from g2o.ir.expressions import Expr, Literal, Tree
from g2o.ir.symbols import Symbol


class Scope(Enum):
    """The group of threads that a barrier orders, from small to large."""

    ROW = "row"  # made by lowering: the threads of a block with one threadIdx.y and z
    WARP = "warp"
    BLOCK = "block"
    GRID = "grid"

    def contains(self, other: Scope) -> bool:
        """Is every group of the other kind part of one of these? A row may have several warps."""
        if self is Scope.GRID or self is other:
            return True
        return self is Scope.BLOCK and other is not Scope.GRID


@final
@dataclass(frozen=True, slots=True)
class Trivia:
    """What stands around a statement in the source: comments, and a blank line before it."""

    before: tuple[str, ...] = ()
    after: str = ""
    blank_line: bool = False


NO_TRIVIA = Trivia()


BY_CLASS: Final = "by class"


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """One declared variable.

    `declared` is the type in front of the name ("const float *"), `suffix` what follows the name
    ("[TILE][TILE + 1]"). `initial_style` is "=", "(" or "{", or "" without an initialiser; BY_CLASS
    where the class gives it a value: each time that the declaration is come to.
    """

    symbol: Symbol
    declared: str
    suffix: str = ""
    initial: Expr | None = None
    initial_style: str = ""
    extents: tuple[Expr, ...] = ()
    span: SourceSpan | None = field(default=None, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Declare(Tree):
    variables: tuple[Variable, ...]
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class DeclareTypes(Tree):
    """A local `using`, `typedef`, `enum`, class or `static_assert`; `names` are what it declares.

    `text` is the declaration where it does not stand in the source.
    """

    names: tuple[str, ...]
    text: str = ""
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class ExprStatement(Tree):
    expr: Expr
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Block(Tree):
    """`{ statements }`, behind a directive where lowering put one."""

    statements: tuple[Stmt, ...]
    directive: Directive = field(default=NO_DIRECTIVE, kw_only=True)
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class If(Tree):
    """`if (condition) then else otherwise`; the condition may be preceded by a declaration in
    C++17, which the frontend moves into a block of its own. Of `if constexpr`, what is not chosen
    need not even compile in an instance of the template."""

    condition: Expr
    then: Stmt
    otherwise: Stmt | None = None
    is_constexpr: bool = field(default=False, kw_only=True)
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Worksharing:
    """OpenMP shares out the iterations of a loop among threads: they do not depend on each other.
    Loops have one `number` in common that came of one, in the sweeps of a derivative, or of one
    construct with `collapse`, whose outermost has `level` 0 and the directive."""

    number: int
    level: int
    directive: Directive
    depth: int = 1


@final
@dataclass(frozen=True, slots=True)
class For(Tree):
    initial: Stmt | None
    condition: Expr | None
    increment: Expr | None
    body: Stmt
    shared: Worksharing | None = field(default=None, kw_only=True)
    directive: Directive = field(default=NO_DIRECTIVE, kw_only=True)
    unroll: int = field(default=0, kw_only=True)  # iterations at a time, where that is asked for
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class While(Tree):
    condition: Expr
    body: Stmt
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class DoWhile(Tree):
    body: Stmt
    condition: Expr
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Switch(Tree):
    condition: Expr
    body: Stmt
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Labelled(Tree):
    """`case value:`, `default:` or `name:` in front of a statement; `label` is that text without
    the colon, `value` the expression of a case."""

    label: str
    value: Expr | None
    body: Stmt
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


class JumpKind(Enum):
    BREAK = "break"
    CONTINUE = "continue"
    GOTO = "goto"


@final
@dataclass(frozen=True, slots=True)
class Jump(Tree):
    kind: JumpKind
    label: str = ""
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Return(Tree):
    value: Expr | None = None
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Barrier(Tree):
    """All threads of `scope` arrive before any goes on; `width` is the number of lanes of a tile
    that waits alone, None for a whole warp."""

    scope: Scope
    width: Expr | None = None
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Exchange(Tree):
    """`result = operation(operands)` where threads of `scope` see each other's operands:
    shuffles, votes, reductions. `operation` is the canonical name ("shfl_down", "ballot", ...).
    `width` is the number of lanes that make a group (32 or a tile's size).
    """

    operation: str
    result: Symbol
    operands: tuple[Expr, ...]
    scope: Scope
    width: Expr | None = None
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Empty(Tree):
    """`;`, or a place that only holds a comment."""

    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class CountedLoop(Tree):
    """`for (type index = lower; index < upper; ++index) body` behind a directive, if any.

    `threads`: those of a block share out the iterations in turns, one after the other, and there
    are so many, so that fewer iterations in a row are of different threads.
    """

    index: Symbol
    lower: Expr
    upper: Expr
    body: Stmt
    directive: Directive = NO_DIRECTIVE
    step: Expr | None = None
    threads: Literal | None = field(default=None, kw_only=True)
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Text(Tree):
    """A statement made by lowering that no pass looks into: `parts` are text and expressions.
    `declares` are variables whose declaration it is, by the names that they have in the text."""

    parts: tuple[str | Expr, ...]
    declares: tuple[Symbol, ...] = field(default=(), kw_only=True)
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class LocalFunction(Tree):
    """`const auto name = [&](parameters) body;`"""

    name: str
    parameters: tuple[Symbol, ...]
    body: Stmt
    trivia: Trivia = field(default=NO_TRIVIA, kw_only=True, compare=False, repr=False)


Stmt = (
    Declare
    | DeclareTypes
    | ExprStatement
    | Block
    | If
    | For
    | While
    | DoWhile
    | Switch
    | Labelled
    | Jump
    | Return
    | Barrier
    | Exchange
    | Empty
    | CountedLoop
    | LocalFunction
    | Text
)

Node = Expr | Stmt
