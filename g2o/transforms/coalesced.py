"""Groups of the lanes that are there together: masks, and operations on masks.

auto g = cg::coalesced_threads();                 unsigned g = __activemask();
if (g.thread_rank() == 0)                   ->    if (g2o::rank_in(g, threadIdx.x % 32) == 0)
    r = atomicAdd(n, g.size());                       r = atomicAdd(n, g2o::popc(g));
r = g.shfl(r, 0) + g.thread_rank();               r = __shfl(r, g2o::member_of(g, 0)) + ...
s = cg::reduce(g, v, cg::plus<int>());            s = __among_reduce_add(v, g);
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import Binary, Call, Cast, Code, Expr, Form, Literal, Member, Paren, VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, Node, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import BOOL, INT, UNSIGNED
from g2o.transforms.groups import linear_thread
from g2o.transforms.operations import AMONG, known_kind

_MASKS: Final = {
    "coalesced_threads": "__activemask",
    "labeled_partition": "__match_any_sync",
    "binary_partition": "__match_any_sync",
}
_TYPE: Final = "coalesced_group"
_LANES: Final = Literal("32", 32, INT)


def replace_coalesced_groups(kernel: Kernel) -> Kernel:
    """Give every coalesced group of the kernel a variable with its lanes, and put operations on
    that in place of its own. Raises Refusal for those that have no such form."""
    replacer = _Replacer(SymbolTable(continued=kernel.function.symbols))
    body = rewrite(kernel.body, replacer.declaration)
    if body is kernel.body:
        return kernel
    body = rewrite(body, replacer.operation)
    for node in walk(body):
        if isinstance(node, VarRef) and node.symbol in replacer.masks:
            message = "cooperative groups: a coalesced group that is handed on"
            raise refuse("G2O0212", message, node.span)
    assert isinstance(body, Block)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=replacer.symbols))


@final
class _Replacer:
    def __init__(self, symbols: SymbolTable) -> None:
        self.symbols = symbols
        self.masks: dict[Symbol, Symbol] = {}

    def declaration(self, node: Node) -> Node | None:
        if not isinstance(node, Declare) or len(node.variables) != 1:
            return None
        group = node.variables[0]
        initial = group.initial
        if isinstance(initial, VarRef) and initial.symbol in self.masks:
            self.masks[group.symbol] = self.masks[initial.symbol]  # a parameter that was inlined
            return Block(())
        if not isinstance(initial, Call) or not initial.is_cuda or initial.name not in _MASKS:
            return None
        mask = self.symbols.fresh(group.symbol.name, UNSIGNED, Storage.LOCAL)
        self.masks[group.symbol] = mask
        value = _intrinsic(_MASKS[initial.name], self._lanes_of(initial))
        variable = Variable(mask, "unsigned", "", replace(value, span=initial.span), "=")
        return replace(node, variables=(variable,), form=Form.BUILT)

    def _lanes_of(self, call: Call) -> tuple[Expr, ...]:
        """The arguments of the operation that finds the lanes of a group."""
        if call.name == "coalesced_threads":
            return ()
        parent, label = call.arguments
        if call.name == "binary_partition" and value_type(label) != BOOL:
            label = Cast(label, BOOL)
        if isinstance(parent, VarRef) and parent.symbol in self.masks:
            return VarRef(self.masks[parent.symbol]), label
        if "<32" not in value_type(parent).spelling:
            message = f"cooperative groups: '{call.name}' of what is no warp"
            raise refuse("G2O0212", message, call.span)
        return Literal("0xffffffffu", 0xFFFFFFFF, UNSIGNED), label

    def operation(self, node: Node) -> Node | None:
        if not isinstance(node, Call):
            return None
        if isinstance(node.callee, Member):
            group, arguments = node.callee.base, node.arguments
        elif node.is_cuda and node.arguments:
            group, *rest = node.arguments
            arguments = tuple(rest)
        else:
            return None
        if not isinstance(group, VarRef) or group.symbol not in self.masks:
            return None
        arguments = tuple(rewrite(argument, self.operation) for argument in arguments)
        return self._operation(node, VarRef(self.masks[group.symbol]), arguments)

    def _operation(self, call: Call, mask: Expr, arguments: tuple[Expr, ...]) -> Expr:
        name = call.callee.name if isinstance(call.callee, Member) else call.name
        match name, arguments:
            case "thread_rank", ():
                return _rank(mask)
            case "size" | "num_threads" | "group_size", ():
                return Code(("g2o::popc(", mask, ")"), type=INT)
            case "sync", ():
                return replace(_intrinsic("__syncwarp", (mask,)), span=call.span)
            case "any" | "all", (predicate,):
                vote = _intrinsic(f"__{name}_sync", (mask, predicate))
                return replace(vote, type=INT, span=call.span)
            case "ballot" | "match_any", (value,):
                bits = replace(_intrinsic(f"__{name}_sync", (mask, value)), span=call.span)
                return Code(("g2o::packed(", bits, ", ", mask, ")"), type=UNSIGNED)
            case "reduce" | "inclusive_scan" | "exclusive_scan", (value, *functor):
                return _combined(call, name, mask, value, tuple(functor))
            case "shfl", (value, rank):
                return self._shuffle(call, value, mask, rank)
            case "shfl_down" | "shfl_up", (value, delta):
                op = "+" if name == "shfl_down" else "-"
                rank = Binary(op, _rank(mask), Paren(delta, delta.type), INT)
                return self._shuffle(call, value, mask, rank)
            case _:
                message = f"cooperative groups: '{name}' of a coalesced group"
                raise refuse("G2O0212", message, call.span)

    def _shuffle(self, call: Call, value: Expr, mask: Expr, rank: Expr) -> Expr:
        source = Code(("g2o::member_of(", mask, ", ", rank, ", ", _lane(), ")"), type=INT)
        shuffle = _intrinsic("__shfl", (value, source))
        return replace(shuffle, type=call.type, span=call.span)


def _combined(call: Call, name: str, mask: Expr, value: Expr, functor: tuple[Expr, ...]) -> Expr:
    """What the values of the members, or of those up to this one, combine to."""
    kind = "add" if not functor and name != "reduce" else known_kind(functor[0])
    arguments = (value, mask) if kind is not None else (value, mask, *functor)
    combined = _intrinsic(f"{AMONG}{name}_{kind or 'with'}", arguments)
    return replace(combined, type=call.type, span=call.span)


def _intrinsic(name: str, arguments: tuple[Expr, ...]) -> Call:
    return Call(name, Literal(name), arguments, is_cuda=True, type=UNSIGNED)


def _lane() -> Expr:
    return Binary("%", linear_thread(), _LANES, UNSIGNED)


def _rank(mask: Expr) -> Expr:
    return Code(("g2o::rank_in(", mask, ", ", _lane(), ")"), type=INT)
