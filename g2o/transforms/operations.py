"""Operations between the threads of a warp, a tile or a block, under their many CUDA names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.value_types import is_known, value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import (
    Builtin,
    Call,
    Cast,
    Expr,
    LaunchRef,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.statements import Scope
from g2o.ir.types import BOOL, INT, UNKNOWN, UNSIGNED, CType, TypeKind
from g2o.transforms.cub_reductions import REDUCTIONS
from g2o.transforms.cub_warps import WARP_SCANS
from g2o.transforms.groups import Groups

_SHUFFLES = {"": "shfl", "_up": "shfl_up", "_down": "shfl_down", "_xor": "shfl_xor"}
_VOTES = frozenset({"ballot", "any", "all"})
_PREDICATES: Final = _VOTES | {"count"}
_WISHES = {"ballot": "votes", "any": "any", "all": "all", "activemask": "active_lanes"}
AMONG: Final = "__among_"  # operations between the lanes of a mask, their second operand
_SCANS = frozenset({"inclusive_scan", "exclusive_scan"})
_BLOCK = {
    "__syncthreads_or": "any",
    "__syncthreads_and": "all",
    "__syncthreads_count": "count",
}
_MEETINGS = frozenset({"sync", "sync_threads", "wait", "wait_prior"})
_FUNCTORS = {
    "plus": "add", "less": "min", "greater": "max", "bit_and": "and", "bit_or": "or",
    "bit_xor": "xor",
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `operands[0]` is the value that other threads see; `width` the lanes of a
    group where that is not the warp; `predicate` where match_all stores its verdict; `mask` the
    lanes of the warp whose values count."""

    name: str
    operands: tuple[Expr, ...]
    scope: Scope
    width: Expr | None
    span: SourceSpan | None
    predicate: Expr | None = None
    mask: Expr | None = None

    @property
    def wish(self) -> str:
        """A name for the result."""
        return _WISHES.get(self.name, "other" if self.name.startswith("shfl") else "result")

    def result_type(self, call: Call) -> CType:
        match self.name:
            case "ballot" | "activemask" | "match_any" | "match_all":
                return UNSIGNED
            case "any" | "all" | "count":
                return INT
            case _ if not self.operands:  # `__syncwarp()` has no value
                raise refuse("G2O0205", f"'{call.name}' inside of an expression", call.span)
            case _:
                return self.operand_type(self.operands[0])

    def operand_type(self, operand: Expr) -> CType:
        if self.name in _VOTES or self.name == "count":
            return BOOL
        ctype = value_type(operand)
        if not is_known(ctype):
            return UNKNOWN  # what the template is given decides
        spelled = ctype.spelling.replace("const ", "").rstrip("& ")
        return CType(spelled, ctype.kind, ctype.bits, ctype.is_signed)


def operation_of(call: Call, groups: Groups) -> Operation | None:
    """What operation between threads a call is, if any. Raises Refusal for those that are not
    supported."""
    found = _operation_of(call, groups)
    if found is None or found.name not in _PREDICATES:
        return found
    value, *rest = found.operands
    return replace(found, operands=(_as_predicate(value), *rest))


def _as_predicate(value: Expr) -> Expr:
    """What a vote is given is an `int`: 0.25 and 2^32 are nought as such, yet true."""
    ctype = value_type(value)
    is_narrow = ctype.kind is TypeKind.INTEGER and ctype.bits <= INT.bits
    if is_narrow or ctype.kind not in (TypeKind.INTEGER, TypeKind.FLOATING):
        return value
    return Cast(value, INT)


def _operation_of(call: Call, groups: Groups) -> Operation | None:
    if isinstance(call.callee, Member):
        return _of_group(call, call.callee, groups)
    if not call.is_cuda:
        return None
    name, arguments = call.name, call.arguments
    if name == "__syncthreads":
        return Operation("sync", (), Scope.BLOCK, None, call.span)
    if name == "__syncwarp":
        return Operation("sync", (), Scope.WARP, None, call.span)
    if name in _MEETINGS and arguments and groups.scope_of(arguments[0]) is not None:
        return Operation("sync", (), _scope(groups, arguments[0]), None, call.span)
    if name in _BLOCK:
        return Operation(_BLOCK[name], arguments, Scope.BLOCK, None, call.span)
    if name == "__activemask":
        return Operation("activemask", (), Scope.WARP, None, call.span)
    if name.startswith("__shfl"):
        return _shuffle(call, name, arguments)
    for vote in _VOTES:
        if name == f"__{vote}":
            return Operation(vote, arguments, Scope.WARP, None, call.span)
        if name == f"__{vote}_sync":
            mask, *rest = arguments
            return Operation(vote, tuple(rest), Scope.WARP, None, call.span, mask=mask)
    if name.startswith("__reduce_") and name.endswith("_sync"):
        kind = name.removeprefix("__reduce_").removesuffix("_sync")
        mask, *rest = arguments
        return Operation(f"reduce_{kind}", tuple(rest), Scope.WARP, None, call.span, mask=mask)
    if name == "__match_any_sync":
        mask, *rest = arguments
        return Operation("match_any", tuple(rest), Scope.WARP, None, call.span, mask=mask)
    if name == "__match_all_sync":
        target = _pointee(arguments[2])
        mask, value, _ = arguments
        return Operation("match_all", (value,), Scope.WARP, None, call.span, target, mask)
    if name.startswith(tuple(REDUCTIONS.values())):
        scope = Scope.BLOCK if name.startswith(REDUCTIONS["BlockReduce"]) else Scope.WARP
        kind = f"reduce_{name.rpartition('_')[2]}"
        operands = arguments[: 2 if kind == "reduce_with" else 1]
        width = arguments[len(operands) :]
        return Operation(kind, operands, scope, width[0] if width else None, call.span)
    if name.startswith(WARP_SCANS) and "_scan_" in name:
        kind, width = name.removeprefix(WARP_SCANS), arguments[1:]
        return Operation(kind, arguments[:1], Scope.WARP, width[0] if width else None, call.span)
    if name.startswith(AMONG):
        return Operation(name.removeprefix("__"), arguments, Scope.WARP, None, call.span)
    if name in _SCANS and arguments and groups.scope_of(arguments[0]) is Scope.WARP:
        return _scan(call, groups)
    if name == "reduce" and len(arguments) == 3 and groups.scope_of(arguments[0]) is not None:
        return _reduce(call, groups)
    return None


def _scope(groups: Groups, group: Expr) -> Scope:
    scope = groups.scope_of(group)
    assert scope is not None
    return scope


def _pointee(expr: Expr) -> Expr:
    bare = strip_parens(expr)
    return bare.operand if isinstance(bare, Unary) and bare.op == "&" else Unary("*", bare)


def _shuffle(call: Call, name: str, arguments: tuple[Expr, ...]) -> Operation:
    kind = name.removeprefix("__shfl")
    if kind.endswith("_sync"):
        kind = kind.removesuffix("_sync")
        arguments = arguments[1:]
    if kind not in _SHUFFLES or not 2 <= len(arguments) <= 3:
        raise refuse("G2O0205", f"warp operation '{name}'", call.span)
    width = arguments[2] if len(arguments) == 3 else None
    return Operation(_SHUFFLES[kind], arguments[:2], Scope.WARP, _narrow(width), call.span)


def _narrow(width: Expr | None) -> Expr | None:
    """A width of 32, or `warpSize`, is the warp itself."""
    bare = None if width is None else strip_parens(width)
    is_size = isinstance(bare, LaunchRef) and bare.builtin is Builtin.WARP_SIZE
    is_whole = is_size or (isinstance(bare, Literal) and bare.value == 32)
    return None if is_whole else width


def _of_group(call: Call, callee: Member, groups: Groups) -> Operation | None:
    group = callee.base
    scope = groups.scope_of(group)
    if scope is None:
        return None
    name, arguments = callee.name, call.arguments
    width = _narrow(groups.width_of(group))
    if name in ("sync", "barrier_wait", "barrier_arrive"):
        if name == "sync":
            return Operation("sync", (), scope, width, call.span)
        raise refuse("G2O0212", f"cooperative groups: '{name}'", call.span)
    if name in ("shfl", "shfl_up", "shfl_down", "shfl_xor") and scope is Scope.WARP:
        return Operation(name, arguments, scope, width, call.span)
    if name in _VOTES and scope is Scope.WARP:
        return Operation(name, arguments, scope, width, call.span)
    if name == "match_any" and scope is Scope.WARP:
        return Operation("match_any", arguments, scope, width, call.span)
    if name in ("thread_rank", "size", "num_threads", "group_index", "thread_index", "dim_threads",
                "group_dim", "meta_group_rank", "meta_group_size", "block_rank", "num_blocks",
                "is_valid", "block_index", "dim_blocks"):  # fmt: skip
        return None
    raise refuse("G2O0212", f"cooperative groups: '{name}'", call.span)


def _reduce(call: Call, groups: Groups) -> Operation:
    group, value, functor = call.arguments
    kind = known_kind(functor)
    width = _narrow(groups.width_of(group))
    if kind is None:  # any function of two values
        _check_functor(functor, call)
        return Operation("reduce_with", (value, functor), _scope(groups, group), width, call.span)
    return Operation(f"reduce_{kind}", (value,), _scope(groups, group), width, call.span)


def _scan(call: Call, groups: Groups) -> Operation:
    group, value, *functor = call.arguments
    kind = known_kind(functor[0]) if functor else "add"
    width = _narrow(groups.width_of(group))
    if kind is not None:
        return Operation(f"{call.name}_{kind}", (value,), Scope.WARP, width, call.span)
    _check_functor(functor[0], call)
    return Operation(f"{call.name}_with", (value, functor[0]), Scope.WARP, width, call.span)


def _check_functor(functor: Expr, call: Call) -> None:
    """Raises Refusal for a function of two values that is a variable."""
    bare = strip_parens(functor)
    if isinstance(bare, VarRef) and "(lambda at" in bare.type.spelling:
        note = Note("write the lambda in the call, or make it a function")
        message = f"cooperative groups: '{call.name}' with a variable that holds a lambda"
        raise refuse("G2O0212", message, call.span, note)


def known_kind(functor: Expr) -> str | None:
    """The short name of an operator of cooperative groups; None for others, also for a program's
    own of the same name."""
    space, _, name = functor.type.spelling.removeprefix("const ").partition("::")
    name = name.partition("<")[0]
    return _FUNCTORS.get(name) if space == "cooperative_groups" else None
