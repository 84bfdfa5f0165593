"""Arguments of an inlined call: put in place of the parameters, or copied first.

    clamp(x[i], n)    ->    float v = x[i];                   // a load: copied
                            y = v < 0 ? 0 : v < n ? v : n;    // n is put in

An argument may stand where the parameter does when evaluating it there gives the same: it is pure,
reads no memory, nothing that it reads changes while the function runs, and the call does not
convert it, but to a wider integer. The parameter must not be written either. What a pointer to a
variable leads to is that variable: `p->count` of `&task` is `task.count`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar, final

from g2o.analysis.effects import EffectsOf, root_symbol
from g2o.analysis.pure_functions import PURE_FUNCTIONS
from g2o.analysis.value_types import value_type
from g2o.diagnostics.diagnostic import refuse
from g2o.ir.expressions import (
    Binary,
    Call,
    Cast,
    Expr,
    Form,
    Index,
    InitList,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    integer_value,
    strip_parens,
)
from g2o.ir.kernel import Function
from g2o.ir.statements import Block, Declare, ExprStatement, For, Node, Return, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind, decayed, variable_extents
from g2o.transforms.instantiate import Instance
from g2o.transforms.known_addresses import leads_somewhere, with_known_addresses
from g2o.transforms.receivers import is_simple, receiver_of

N = TypeVar("N", bound=Node)
_QUALIFIERS = frozenset({"const", "volatile", "__restrict__", "__restrict"})
_SMALL = 4  # nodes of an expression that may be evaluated where its value is used


@final
@dataclass(slots=True)
class Bound:
    """`copies` come before the body; `values` and `locals` say what parameters become. `known` are
    pointers that lead to an object throughout, or nowhere."""

    copies: list[Stmt] = field(default_factory=list[Stmt])
    values: dict[Symbol, Expr] = field(default_factory=dict[Symbol, Expr])
    locals: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])
    known: dict[Symbol, bool] = field(default_factory=dict[Symbol, bool])
    receiver: Symbol | None = None
    object: Expr | None = None
    arrow: bool = False

    def put_into(self, node: N) -> N:
        node = rename_symbols(node, self.locals)
        if self.values or self.object is not None:
            node = rewrite(node, self._argument)
        return with_known_addresses(node, self.known) if self.known else node

    def _argument(self, node: Node) -> Node | None:
        match node:
            case Member(base=VarRef(symbol=symbol)) if place := _pointed(self.values.get(symbol)):
                return Member(place, node.name, False, node.type)
            case Unary(op="*", operand=VarRef(symbol=symbol)) if place := _pointed(
                self.values.get(symbol)
            ):
                return place
            case Member(base=VarRef(symbol=symbol)) if symbol == self.receiver and self.object:
                return Member(self.object, node.name, self.arrow, self._type_of(node))
            case Unary(op="*", operand=VarRef(symbol=symbol)) if (
                symbol == self.receiver and self.object and not self.arrow
            ):
                whole = strip_parens(self.object)
                return whole if is_simple(whole) else Paren(whole, node.type)
            case VarRef(symbol=symbol) if symbol == self.receiver and self.object:
                return self.object if self.arrow else Paren(Unary("&", self.object), node.type)
            case Index(base=base, index=VarRef(symbol=symbol)) if self._is_widened(symbol, base):
                index = self.values[symbol]
                index = index.operand if isinstance(index, Cast) else index
                return Index(rewrite(base, self._argument), index, node.type)
            case Call(callee=callee) if function := self._function(callee):
                given = tuple(rewrite(one, self._argument) for one in node.arguments)
                key = function.key
                return Call(function.text, function, given, key, type=node.type, span=node.span)
            case VarRef(symbol=symbol) if symbol in self.values:
                value = self.values[symbol]
                return value if is_simple(value) else Paren(value, value.type)
            case For(shared=how) if how is not None and how.directive.symbols & self.values.keys():
                pairs = self.values.items()
                new = {old: one.symbol for old, one in pairs if isinstance(one, VarRef)}
                how = replace(how, directive=how.directive.renamed(new))
                return rewrite(replace(node, shared=how, form=Form.BUILT), self._argument)
            case _:
                return None

    def _function(self, callee: Expr) -> Literal | None:
        """The function that `callee` is, the parameter of another."""
        match strip_parens(callee):
            case VarRef(symbol=symbol) | Unary(op="*", operand=VarRef(symbol=symbol)):
                value = self.values.get(symbol)
                return None if value is None else named_function(value)
            case _:
                return None

    def _is_widened(self, index: Symbol, base: Expr) -> bool:
        """Is it an index that is as wide as it has to be without a conversion?"""
        value = self.values.get(index)
        is_array = base.type.kind in (TypeKind.POINTER, TypeKind.ARRAY)
        return is_array and isinstance(value, Cast) and _is_wider(value.type, value.operand.type)

    def _type_of(self, member: Member) -> CType:
        """The type of a member of the object; the class that declares it may be a template."""
        made = member.type if self.object is None else value_type(self.object)
        owner = made.element if self.arrow and made.element is not None else made
        return dict(owner.fields).get(member.name, member.type)


def _pointed(argument: Expr | None) -> Expr | None:
    """`variable` of `&variable`."""
    match None if argument is None else strip_parens(argument):
        case Unary(op="&", operand=VarRef() as place):
            return place
        case _:
            return None


def named_function(argument: Expr) -> Literal | None:
    """The function of the program that is handed over."""
    match strip_parens(argument):
        case Literal(key=key) as function if key:
            return function
        case Unary(op="&", operand=Literal(key=key) as function) if key:
            return function
        case _:
            return None


def bind_arguments(
    instance: Instance, call: Call, effects: EffectsOf, symbols: SymbolTable, refers: bool = False
) -> Bound:
    """Decide for each parameter of `instance` how the body gets at the argument of `call`.
    `refers` says that the object of a method is what another call refers to.

    Raises Refusal where an argument is missing, or the object of a method is not a variable.
    """
    bound = Bound()
    taken = receiver_of(instance, call, effects, symbols, refers)
    bound.receiver, bound.object, bound.arrow = instance.receiver, taken.object, taken.arrow
    bound.copies.extend(taken.copies)
    arguments = taken.arguments
    arguments = _with_defaults(arguments, instance, call)
    pairs = list(zip(instance.parameters, arguments, strict=True))
    written = effects.of(instance.body).writes  # of a lambda also what it has from around it
    exposed = _exposed(pairs, written, bound) | written | effects.of_called(call).writes
    copied = _copied_by_lambdas(instance)
    for parameter, argument in pairs:
        has_rows = bool(variable_extents(parameter.type))
        if has_rows and parameter not in written and _is_steady(argument, exposed):
            bound.values[parameter] = argument
            continue
        is_fixed = parameter.type.kind is TypeKind.POINTER and parameter not in exposed
        leads = leads_somewhere(argument) if is_fixed else None
        if leads is not None:
            bound.known[parameter] = leads
        if parameter not in copied and _may_replace(
            parameter, argument, instance, effects, written, exposed
        ):
            if _is_wider(parameter.type, argument.type):
                argument = Cast(argument, replace(parameter.type, is_const=False))
            bound.values[parameter] = argument
            continue
        if not parameter.name:  # which chooses an overload, and is nothing in the function
            done = () if effects.of(argument).is_pure else (ExprStatement(argument),)
            bound.copies.extend(done)
            continue
        ctype = _type_of_value(parameter.type, argument)
        if has_rows and (ctype.element is None or ctype.element.kind is not TypeKind.ARRAY):
            message = f"'{parameter.name}' of '{call.name}', which is handed no such rows"
            raise refuse("G2O0414", message, call.span)
        local = symbols.fresh(parameter.name, ctype, Storage.LOCAL)
        bound.locals[parameter] = local
        if parameter in bound.known:
            bound.known[local] = bound.known[parameter]
        variable = Variable(local, _declared(ctype), "", argument, "=")
        bound.copies.append(Declare((variable,)))
    return bound


def _is_steady(argument: Expr, exposed: set[Symbol]) -> bool:
    """Is it an array with rows, or a pointer to such that nobody sets?"""
    match strip_parens(argument):
        case VarRef(symbol=symbol):
            is_array = symbol.type.kind is TypeKind.ARRAY
            element = decayed(symbol.type).element
            has_rows = element is not None and element.kind is TypeKind.ARRAY
            return has_rows and (is_array or symbol not in exposed)
        case _:
            return False


def _copied_by_lambdas(instance: Instance) -> set[Symbol]:
    """Parameters that lambdas of the body name: these are to find variables of their own."""
    return {
        node.symbol
        for made in walk(instance.body)
        if isinstance(made, Verbatim) and "(lambda at" in made.type.spelling
        for node in walk(made)
        if isinstance(node, VarRef)
    } & set(instance.parameters)


def _with_defaults(arguments: tuple[Expr, ...], instance: Instance, call: Call) -> tuple[Expr, ...]:
    missing = instance.defaults[len(arguments) : len(instance.parameters)]
    found = [default for default in missing if default is not None]
    if len(arguments) + len(found) != len(instance.parameters):
        raise refuse("G2O0210", f"arguments of '{call.name}'", call.span)
    return (*arguments, *found)


def _exposed(pairs: list[tuple[Symbol, Expr]], written: set[Symbol], bound: Bound) -> set[Symbol]:
    """Variables of the caller that the body may change, through references and addresses."""
    found: set[Symbol] = set()
    for parameter, argument in pairs:
        root = root_symbol(argument)
        if root is None:
            continue
        reference = parameter.type.kind is TypeKind.REFERENCE
        if reference and parameter in written:
            found.add(root)
        elif parameter.type.kind is TypeKind.POINTER and argument.type.kind is not TypeKind.POINTER:
            found.add(root)  # a local array
        elif any(isinstance(node, Unary) and node.op == "&" for node in walk(argument)):
            found.add(root)
    if bound.object is not None:
        root = root_symbol(bound.object)
        if root is not None:
            found.add(root)
    return found


def _may_replace(
    parameter: Symbol,
    argument: Expr,
    instance: Instance,
    effects: EffectsOf,
    written: set[Symbol],
    exposed: set[Symbol],
) -> bool:
    target = parameter.type
    if target.kind is TypeKind.REFERENCE:
        element = target.element
        same = element is not None and same_type(element, argument.type)
        if isinstance(argument, VarRef) and (same or _is_forwarding(target)):
            return True
        if same and _is_own_element(argument, exposed):
            return True
        constant = element is not None and element.is_const
        if not constant or not same:
            return False
    elif "(lambda at" in target.spelling and isinstance(argument, VarRef):
        return True  # `with_lambdas` has looked that nothing changes it
    elif parameter in written or (
        not isinstance(argument, VarRef) and _is_in_clause(parameter, instance.body)
    ):
        return False
    elif named_function(argument) is not None:
        return True
    elif not _is_kept(target, argument.type):
        return False
    elif _is_shared_array(argument) or _pointed(argument) is not None:
        return True
    found = effects.of(argument)
    only_value = _is_only_value(instance.body) and not effects.of(instance.body).memory_writes
    if not found.is_pure or found.reads & exposed or (found.memory_reads and not only_value):
        return False
    if any(isinstance(node, (Call, Verbatim)) for node in walk(argument)):
        return False
    size = sum(not isinstance(node, Paren) for node in walk(argument))
    uses = sum(
        isinstance(node, VarRef) and node.symbol == parameter for node in walk(instance.body)
    )
    return size == 1 or (uses <= 1 and (size <= _SMALL or only_value))


def _is_own_element(argument: Expr, exposed: set[Symbol]) -> bool:
    """Is it an element of a local array that stays the same one while the function runs?"""
    place = argument
    while isinstance(place, Index):
        index = strip_parens(place.index)
        steady = isinstance(index, VarRef) and index.symbol not in exposed
        if not steady and integer_value(index) is None:
            return False
        place = place.base
    root = place.symbol if isinstance(place, VarRef) and place is not argument else None
    is_array = root is not None and root.type.kind is TypeKind.ARRAY
    return is_array and root is not None and root.storage is Storage.LOCAL


def _is_in_clause(parameter: Symbol, body: Block) -> bool:
    """Does a loop that is shared out name it in a clause?"""
    shared = (node.shared for node in walk(body) if isinstance(node, For))
    return any(how is not None and parameter in how.directive.symbols for how in shared)


def _is_only_value(body: Block) -> bool:
    """Is `return e;` all there is?"""
    return len(body.statements) == 1 and isinstance(body.statements[0], Return)


def is_copied(parameter: Symbol, argument: Expr, function: Function) -> bool:
    """Is the argument read from memory, or computed, and its value used more than once?"""
    if parameter.type.is_indirect:
        return False
    parts = list(walk(argument))
    uses = sum(isinstance(n, VarRef) and n.symbol == parameter for n in walk(function.body))
    if any(isinstance(node, (Index, Call)) for node in parts):
        called = any(isinstance(node, Call) for node in parts)
        return called or uses > 1 or not _is_only_value(function.body)
    return uses > 1 and sum(not isinstance(node, Paren) for node in parts) > 1


def _is_shared_array(argument: Expr) -> bool:
    return (
        isinstance(argument, VarRef)
        and argument.symbol.storage in (Storage.SHARED, Storage.DYNAMIC_SHARED)
        and argument.symbol.type.kind is TypeKind.ARRAY
    )


def same_type(target: CType, actual: CType) -> bool:
    """Is a value of type `actual` handed over without a conversion that matters?"""
    if target.is_arithmetic and actual.is_arithmetic:
        return (target.kind, target.bits, target.is_signed) == (
            actual.kind, actual.bits, actual.is_signed,
        )  # fmt: skip
    if target.kind in (TypeKind.POINTER, TypeKind.ARRAY):
        if actual.kind not in (TypeKind.POINTER, TypeKind.ARRAY):
            return False
        if target.element is None or actual.element is None:
            return False
        return _unqualified(target.element) == _unqualified(actual.element)
    if target.kind is TypeKind.OTHER or actual.kind is TypeKind.OTHER:
        return False
    return _unqualified(target) == _unqualified(actual)


def _is_kept(target: CType, actual: CType) -> bool:
    """Is a value handed over as it is, or as a wider integer?"""
    return same_type(target, actual) or _is_wider(target, actual)


def _is_wider(target: CType, actual: CType) -> bool:
    """Has an integer type all numbers of another one, and more?"""
    both = target.kind is TypeKind.INTEGER and actual.kind is TypeKind.INTEGER
    signs = target.is_signed or not actual.is_signed
    return both and signs and 0 < actual.bits < target.bits


def _unqualified(ctype: CType) -> str:
    words = ctype.spelling.replace("*", " * ").replace("&", " & ").split()
    return " ".join(word for word in words if word not in _QUALIFIERS)


def _is_forwarding(target: CType) -> bool:
    """Is it `F &&` of a template, which takes whatever it is given as it is?"""
    element = target.element
    return target.spelling.endswith("&&") and (
        element is not None and element.kind is TypeKind.DEPENDENT
    )


def _type_of_value(target: CType, argument: Expr) -> CType:
    """The type of the copy of an argument: a `const double &` to a number that has only just been
    computed, or converted, is that number, and one to a new object that object."""
    element, given = target.element, decayed(argument.type)
    if variable_extents(target) and given.element is not None:
        return given  # `double (*)[n]`, of which the caller calls n otherwise
    if target.kind is not TypeKind.REFERENCE or element is None:
        return target
    if not element.is_const and not _is_forwarding(target):
        return target
    if element.is_arithmetic and argument.type.is_arithmetic:
        if not same_type(element, argument.type):
            return element
    match strip_parens(argument):
        case Binary() | Literal() | Cast() if element.is_arithmetic:
            return element
        case Call(name=name, type=made) if name in PURE_FUNCTIONS and (
            element.is_arithmetic or made.kind is element.kind is TypeKind.RECORD
        ):
            return element
        case InitList() | Cast(operand=InitList()):
            return element
        case Cast(type=ctype) if ctype.kind is element.kind is TypeKind.RECORD:
            return element
        case Verbatim(key=str() as constructor) if constructor and element.kind is TypeKind.RECORD:
            return element
        case _:
            return target


def _declared(ctype: CType) -> str:
    """How a local with the type of a parameter is declared."""
    if "(lambda at" in ctype.spelling:
        return "auto"
    if ctype.kind is TypeKind.ARRAY and ctype.element is not None:
        return ctype.element.spelling + " *"
    return ctype.spelling


def as_place(value: Expr, ctype: CType | None, known: CType) -> Expr | None:
    """The place that a reference to `ctype` refers to, which the caller knows to be of the type
    `known`; None for values that are converted first."""
    match value:
        case Index() | Member() | Unary(op="*") if ctype is not None:
            if not same_type(ctype, value.type):
                return None
            return value if known.kind is TypeKind.DEPENDENT else replace(value, type=known)
        case _:
            return None
