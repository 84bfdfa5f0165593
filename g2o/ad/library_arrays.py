"""Arrays of numbers from the library, as the arrays that they hold.

    std::array<double, 3> v = {a, b, c};          double v[3] = {a, b, c};
    std::array<double, 3> w = v;           ->     double w[3];
                                                  for (int k = 0; k < 3; ++k)
                                                      w[k] = v[k];

Legal where a kernel asks them for nothing but elements, sizes and copies. Derivatives through
others are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from g2o.ad.increments import zero
from g2o.ad.reals import carries, is_real
from g2o.ad.references import without_references
from g2o.analysis.effects import declared_in, symbols_in
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Unary,
    VarRef,
    strip_parens,
)
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import children, rewrite
from g2o.ir.types import BOOL, INT, CType, TypeKind, unqualified

_Arrays = Mapping[Symbol, Symbol]


def with_plain_arrays(kernel: Kernel) -> Kernel:
    """`kernel` with arrays of the language in place of its own arrays of the library."""
    if not _arrays_in(kernel.body):
        return kernel
    body = without_references(kernel.body)
    arrays = _arrays_in(body)
    while other := _used_otherwise(body, arrays):
        arrays = {one: plain for one, plain in arrays.items() if one not in other}
    symbols = SymbolTable(continued=kernel.function.symbols)
    body = _Replacement(arrays, symbols).inside(body)
    return replace(kernel, function=replace(kernel.function, body=body, symbols=symbols))


def _arrays_in(body: Block) -> dict[Symbol, Symbol]:
    """The arrays of the library that the kernel declares, and what becomes of them."""
    found: dict[Symbol, Symbol] = {}
    for symbol in (one for one in declared_in(body) if one.type.kind is TypeKind.RECORD):
        element, extent = symbol.type.element, symbol.type.extent
        if element is None or not carries(element):
            continue
        plain = replace(element, spelling=unqualified(element), is_const=False)
        spelled = f"{plain.spelling}[{extent}]"
        ctype = CType(spelled, TypeKind.ARRAY, element=plain, extent=extent)
        found[symbol] = replace(symbol, type=ctype)
    return found


def _used_otherwise(node: Node, arrays: _Arrays) -> set[Symbol]:
    """Those that are asked for something else than elements, sizes and copies."""
    match node:
        case VarRef(symbol=symbol):
            return {symbol} & arrays.keys()
        case Index(base=base, index=index) if _named(base, arrays) is not None:
            return _used_otherwise(index, arrays)
        case Call() if _sized(node, arrays) is not None:
            return set()
        case ExprStatement(expr=Assign(op="=", target=to, value=value)) if _alike(
            _named(to, arrays), _named(value, arrays)
        ):
            return set()
        case ExprStatement(expr=Assign(op="=", target=VarRef(symbol=symbol), value=value)) if (
            symbol in arrays
            and (listed := _listed(value)) is not None
            and symbol not in symbols_in(value)
        ):
            return _used_otherwise(listed, arrays)
        case Declare(variables=variables):
            found: set[Symbol] = set()
            for one in variables:
                if one.initial is None or (
                    one.symbol in arrays and _alike(arrays[one.symbol], _named(one.initial, arrays))
                ):
                    continue
                found |= _used_otherwise(one.initial, arrays)
                if _listed(one.initial) is None:
                    found |= {one.symbol} & arrays.keys()
            return found
        case _:
            parts = (_used_otherwise(child, arrays) for child in children(node))
            return set[Symbol]().union(*parts)


def _named(expr: Expr, arrays: _Arrays) -> Symbol | None:
    inner = strip_parens(expr)
    return arrays.get(inner.symbol) if isinstance(inner, VarRef) else None


def _alike(one: Symbol | None, other: Symbol | None) -> bool:
    return one is not None and other is not None and one.type == other.type


def _listed(value: Expr) -> InitList | None:
    """The values of all elements: `{a, b, c}`, `{{a, b, c}}`."""
    match strip_parens(value):
        case InitList(elements=(InitList() as inner,)):
            return inner
        case InitList() as listed:
            return listed
        case Cast(operand=operand):
            return _listed(operand)
        case _:
            return None


def _sized(call: Call, arrays: _Arrays) -> Symbol | None:
    match call:
        case Call(callee=Member(base=base, name="size"), arguments=()):
            return _named(base, arrays)
        case _:
            return None


@final
@dataclass(frozen=True, slots=True)
class _Replacement:
    arrays: _Arrays
    symbols: SymbolTable

    def inside(self, node: Block) -> Block:
        statements = tuple(made for one in node.statements for made in self._statement(one))
        return replace(node, statements=statements, form=Form.BUILT)

    def _statement(self, statement: Stmt) -> list[Stmt]:
        match statement:
            case Declare(variables=variables) if any(
                one.symbol in self.arrays for one in variables
            ):
                made = [new for one in variables for new in self._declared(one)]
                return [replace(made[0], trivia=statement.trivia), *made[1:]]
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol), value=value)) if (
                symbol in self.arrays
            ):
                made = self._set(self.arrays[symbol], value)
                return [replace(made[0], trivia=statement.trivia), *made[1:]]
            case _:
                return [rewrite(statement, self._replaced)]

    def _replaced(self, node: Node) -> Node | None:
        match node:
            case Block():
                return self.inside(node)
            case ExprStatement(expr=Assign(target=VarRef(symbol=symbol))) if symbol in self.arrays:
                return Block(tuple(self._statement(node)))
            case Call() if (array := _sized(node, self.arrays)) is not None:
                return Literal(str(array.type.extent), array.type.extent, INT)
            case Index(base=base, index=index) if (
                array := _named(base, self.arrays)
            ) is not None and array.type.element is not None:
                return Index(VarRef(array), rewrite(index, self._replaced), array.type.element)
            case _:
                return None

    def _declared(self, variable: Variable) -> list[Stmt]:
        array, initial = self.arrays.get(variable.symbol), variable.initial
        if initial is not None:
            initial = rewrite(initial, self._replaced)
        if array is None or array.type.element is None:
            return [Declare((replace(variable, initial=initial),))]
        extent = Literal(str(array.type.extent), array.type.extent, INT)
        bare = Variable(array, array.type.element.spelling, f"[{extent.text}]", extents=(extent,))
        listed = None if initial is None else _listed(initial)
        if listed is not None:
            whole = InitList(listed.elements, array.type)
            return [Declare((replace(bare, initial=whole, initial_style="="),))]
        return [Declare((bare,)), *([] if initial is None else self._set(array, initial))]

    def _set(self, array: Symbol, value: Expr) -> list[Stmt]:
        """Statements that give the elements of the array their values."""
        listed, element, extent = _listed(value), array.type.element, array.type.extent
        assert element is not None
        assert extent is not None
        if listed is None:
            return [self._copied(array, value)]
        values = [rewrite(one, self._replaced) for one in listed.elements]
        rest = zero(element) if is_real(element) else InitList((), element)
        values += [rest] * (extent - len(values))
        places = [Index(VarRef(array), Literal(str(n), n, INT), element) for n in range(extent)]
        return [
            ExprStatement(Assign("=", place, one, element))
            for place, one in zip(places, values, strict=True)
        ]

    def _copied(self, to: Symbol, value: Expr) -> For:
        from_ = _named(value, self.arrays)
        element = to.type.element
        assert from_ is not None
        assert element is not None
        index = VarRef(self.symbols.fresh("k", INT, Storage.LOCAL))
        extent = Literal(str(to.type.extent), to.type.extent, INT)
        one, other = (Index(VarRef(array), index, element) for array in (to, from_))
        start = Declare((Variable(index.symbol, "int", "", Literal("0", 0, INT), "="),))
        more, step = Binary("<", index, extent, BOOL), Unary("++", index, type=INT)
        return For(start, more, step, ExprStatement(Assign("=", one, other, element)))
