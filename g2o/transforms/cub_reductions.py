"""CUB's reductions of a block or a warp become operations between threads; `cub_scans.py` has its
prefix sums.

    using BlockReduce = cub::BlockReduce<float, 256>;
    __shared__ typename BlockReduce::TempStorage storage;      ->
    sum = BlockReduce(storage).Sum(x);                              sum = reduce_add(x);

CUB gives the result to the first thread and leaves open what the others get: here all get it. Its
memory goes. What else is done with that memory is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.diagnostics.source import SourceSpan
from g2o.ir.expressions import Call, Cast, Expr, Form, Literal, Member, VarRef, Verbatim
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, DeclareTypes, Empty, ExprStatement, Node
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rewrite, walk
from g2o.ir.types import INT, UNSIGNED, CType, TypeKind
from g2o.transforms.cub_scans import SCAN_NAMES, BlockScan, scan_parts, scanned_block

_STORAGE: Final = re.compile(r"\bTempStorage$")
_CLASS: Final = re.compile(r"\b(BlockReduce|WarpReduce|BlockScan)\s*<([^<>]*(?:<[^<>]*>[^<>]*)*)>")
_CUB: Final = "@N@cub@"  # in the key of what is declared in the namespace
_OPERATORS: Final = {"Sum": "add", "Max": "max", "Min": "min"}
_OPERATOR: Final = re.compile(r"cub::(Sum|Max|Min)\s*(?:\(\s*\)|\{\s*\})")
_WARP: Final = 32
_NUMBERS: Final = {
    "int": INT,
    "unsigned": UNSIGNED,
    "unsigned int": UNSIGNED,
    "float": CType("float", TypeKind.FLOATING, 32),
    "double": CType("double", TypeKind.FLOATING, 64),
}

REDUCTIONS: Final = {"BlockReduce": "cub_block_reduce_", "WarpReduce": "cub_warp_reduce_"}
"""What the calls that this pass makes begin with; behind it stands the operator. Arguments are the
value, the function object for the operator `with`, the lanes of a group if that is no whole one."""


@final
@dataclass(frozen=True, slots=True)
class _Storage:
    """What memory of CUB is for: the class, the type of the values, the lanes of a group, and the
    threads along each axis of a block."""

    kind: str
    element: str
    lanes: str
    extents: tuple[str, ...]


def replace_cub_reductions(kernel: Kernel) -> Kernel:
    """Unchanged kernels are returned as they are. Raises Refusal for other uses of the memory."""
    found = _memory(kernel.body)
    if not found:
        _refuse_collectives(kernel.body)
        return kernel

    symbols = SymbolTable(continued=kernel.function.symbols)

    def replacement(node: Node) -> Node | None:
        match node:
            case ExprStatement(expr=Call(callee=Member(base=made, name=name)) as call) if (
                name in SCAN_NAMES
            ):
                storage = _storage_in(made, found)
                if storage is None or storage.kind != "BlockScan":
                    return None
                return replace(_scan(call, storage, name, symbols), trivia=node.trivia)
            case Call(callee=Member(base=made, name=name)):
                storage = _storage_in(made, found)
                return None if storage is None else _reduction(node, storage, name, replacement)
            case Declare(variables=variables) if any(v.symbol in found for v in variables):
                rest = tuple(v for v in variables if v.symbol not in found)
                if rest:
                    return replace(node, variables=rest, form=Form.BUILT)
                return Empty(trivia=node.trivia)
            case _:
                return None

    body = rewrite(kernel.body, replacement)
    assert isinstance(body, Block)
    for node in walk(body):
        if isinstance(node, VarRef) and node.symbol in found:
            message = "use of CUB's memory that is no plain reduction"
            raise refuse("G2O0205", message, node.span or kernel.body.span)
    _refuse_collectives(body)
    body = _without_names(body)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _refuse_collectives(body: Block) -> None:
    """Calls that are left wait for other threads, which a translation would not do."""
    for node in walk(body):
        if isinstance(node, Call) and isinstance(node.callee, Member) and _CUB in node.key:
            message = f"cub operation '{node.name}' whose memory is declared elsewhere"
            raise refuse("G2O0205", message, node.span)


def _memory(body: Block) -> dict[Symbol, _Storage]:
    """The variables of CUB's types. Raises Refusal where the class behind one cannot be seen."""
    aliases = _aliases(body)
    found: dict[Symbol, _Storage] = {}
    for node in walk(body):
        if not isinstance(node, Declare):
            continue
        for variable in node.variables:
            if variable.symbol.storage is not Storage.SHARED:
                continue
            declared = _spelled_out(variable.declared, aliases)
            if declared is None:
                continue
            known = _CLASS.search(declared)
            if known is None:
                message = f"'{variable.declared}', whose class is declared elsewhere"
                raise refuse("G2O0205", message, node.span)
            arguments = _split(known[2])
            lanes = arguments[1] if len(arguments) > 1 else str(_WARP)
            extents = (lanes, *arguments[3:5])  # behind the third there are Y and Z
            found[variable.symbol] = _Storage(known[1], arguments[0], lanes, extents)
    return found


def _aliases(body: Block) -> dict[str, str]:
    """The text of the local types by their names."""
    found: dict[str, str] = {}
    for node in walk(body):
        if isinstance(node, DeclareTypes):
            text = node.text or ("" if node.span is None else _text(node.span))
            found |= dict.fromkeys(node.names, text)
    return found


def _text(span: SourceSpan) -> str:
    """What stands there, with the template arguments of an inlined function put in."""
    text = span.text
    for begin, end, words in sorted(span.file.replaced, reverse=True):
        if span.begin <= begin and end <= span.end:
            text = text[: begin - span.begin] + words + text[end - span.begin :]
    return text


def _spelled_out(declared: str, aliases: Mapping[str, str]) -> str | None:
    """The type of temporary storage with its local names replaced; None for other types."""
    text, is_storage = declared.strip(), False
    for _ in range(4):
        is_storage = is_storage or _STORAGE.search(text) is not None
        if _CLASS.search(text):
            break
        name = next((word for word in re.findall(r"\w+", text) if word in aliases), None)
        if name is None:
            break
        text = _right_side(aliases[name], name)
    return text if is_storage else None


def _right_side(text: str, name: str) -> str:
    """What `using A = B;` and `typedef B A;` say of A."""
    text = text.strip().removesuffix(";").strip()
    if text.startswith("using"):
        return text.partition("=")[2].strip()
    return text.removeprefix("typedef").strip().removesuffix(name).strip()


def _split(arguments: str) -> list[str]:
    """Template arguments at their commas, but for those of nested lists."""
    parts, depth = [""], 0
    for character in arguments:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in parts]


def _storage_in(made: Expr, found: Mapping[Symbol, _Storage]) -> _Storage | None:
    """The memory that `BlockReduce(storage)` or `WarpReduce(storage[warp])` is made with."""
    symbols = [n.symbol for n in walk(made) if isinstance(n, VarRef) and n.symbol in found]
    return found[symbols[0]] if symbols else None


def _reduction(
    call: Call, storage: _Storage, name: str, inner: Callable[[Node], Node | None]
) -> Call:
    arguments = tuple(rewrite(one, inner) for one in call.arguments)
    functor: tuple[Expr, ...] = ()
    if name == "Sum" and len(arguments) == 1:
        operator = "add"
    elif name == "Reduce" and len(arguments) == 2:
        operator = _operator(arguments[1], call)
        functor = arguments[1:] if operator == "with" else ()
    else:
        message = f"cub::{storage.kind}::{name} with {len(arguments)} arguments"
        raise refuse("G2O0205", message, call.span)
    value = _as_element(arguments[0], storage, call)
    width = _width(storage, call)
    made = f"{REDUCTIONS[storage.kind]}{operator}"
    return Call(
        made,
        Literal(made),
        (value, *functor, *width),
        is_cuda=True,
        type=value_type(value),
        span=call.span,
    )


def _scan(call: Call, storage: _Storage, name: str, symbols: SymbolTable) -> Block:
    functor, initial, has_total = scan_parts(name, call.arguments)
    operator = "add" if functor is None else _operator(functor, call)
    if operator == "with":
        message = "cub scan with an operator that is none of Sum, Max and Min"
        raise refuse("G2O0205", message, call.span)
    value = _as_element(call.arguments[0], storage, call)
    total = call.arguments[-1] if has_total else None
    scan = BlockScan(
        storage.element,
        storage.extents,
        operator,
        value,
        call.arguments[1],
        total,
        initial,
        name.startswith("Exclusive"),
    )
    return scanned_block(scan, symbols)


def _operator(functor: Expr, call: Call) -> str:
    text = functor.span.text if functor.span is not None else ""
    known = _OPERATOR.fullmatch(text.strip())
    if known is not None:
        return _OPERATORS[known[1]]
    if not isinstance(functor, Verbatim) or functor.parts or not functor.pure:
        message = "cub reduction with an operator that is not made in place"
        raise refuse("G2O0205", message, call.span)
    return "with"


def _as_element(value: Expr, storage: _Storage, call: Call) -> Expr:
    """The value in the type that CUB combines."""
    spelled = value_type(value).spelling.replace("const ", "").rstrip("& ")
    if spelled == storage.element:
        return value
    number = _NUMBERS.get(storage.element)
    if number is not None and value_type(value).is_arithmetic:
        return value if value_type(value) == number else Cast(value, number)
    message = f"value of type '{spelled}' in cub::{storage.kind}<{storage.element}, ...>"
    raise refuse("G2O0205", message, call.span)


def _width(storage: _Storage, call: Call) -> tuple[Expr, ...]:
    """The lanes of a group, where that is not the block or the whole warp."""
    if storage.kind == "BlockReduce" or storage.lanes == str(_WARP):
        return ()
    if not storage.lanes.isdigit() or _WARP % int(storage.lanes):
        message = f"cub::WarpReduce of {storage.lanes} lanes"
        raise refuse("G2O0205", message, call.span)
    return (Literal(storage.lanes, int(storage.lanes), INT),)


def _without_names(body: Block) -> Block:
    """The body without names of CUB's classes, which nothing uses any longer."""
    declared = " ".join(
        variable.declared
        for node in walk(body)
        if isinstance(node, Declare)
        for variable in node.variables
    )
    used = set(re.findall(r"\w+", declared))
    aliases = _aliases(body)

    def replacement(node: Node) -> Node | None:
        if not isinstance(node, DeclareTypes) or not used.isdisjoint(node.names):
            return None
        texts = [_right_side(aliases[name], name) for name in node.names if name in aliases]
        is_cubs = any(_CLASS.search(text) or _STORAGE.search(text) for text in texts)
        return Empty(trivia=node.trivia) if is_cubs else None

    changed = rewrite(body, replacement)
    assert isinstance(changed, Block)
    return changed
