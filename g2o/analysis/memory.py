"""What pointers, references and objects that hold such may lead to: points-to sets of one body.

    float *q = c ? a : &b;      q    -> a, b
    Cell &me = local[k];        me   -> local
    View v{a, n};               v    -> a
    float **rows = &q;          rows -> q -> a, b
    *out = &x;                  `out` is a parameter: what is outside -> x

Objects are whole variables: a pointer to a member, or to an element, leads to the variable that it
is a part of, and what is stored in a part is what the variable holds. Flow-insensitive and
inclusion-based (Andersen, "Program Analysis and Specialization for the C Programming Language",
1994). None stands for all memory from outside of the body: what parameters lead to, and what is
stored there.

A function may give back, and store in all that it may write, whatever its arguments lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard, final

from g2o.analysis.addresses import is_vector
from g2o.analysis.effect_sets import FunctionEffects
from g2o.analysis.lvalues import refers, root_symbol
from g2o.analysis.own_elements import may_have_element
from g2o.analysis.pure_functions import (
    IMAGE_ACCESSES,
    OUTPUT_FUNCTIONS,
    READING_FUNCTIONS,
    RESULTS_BEHIND_POINTERS,
    is_pure,
)
from g2o.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Code,
    Conditional,
    Expr,
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
from g2o.ir.spelled import split_lambda
from g2o.ir.statements import Declare, Exchange, Node, Text
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import walk
from g2o.ir.types import CType, TypeKind

Objects = set[Symbol | None]
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_STORING_NUMBERS = frozenset(
    {*IMAGE_ACCESSES, *OUTPUT_FUNCTIONS, *READING_FUNCTIONS, *RESULTS_BEHIND_POINTERS}
)
_ADDRESS = 64  # bits
_VARIABLES = (Storage.LOCAL, Storage.PARAMETER, Storage.BLOCK, Storage.INDEX)
_GIVEN_BY_VALUE = (TypeKind.POINTER, TypeKind.INTEGER, TypeKind.FLOATING, TypeKind.BOOL)
_HOLDERS = (TypeKind.POINTER, TypeKind.REFERENCE, TypeKind.DEPENDENT, TypeKind.OTHER)


@final
@dataclass(slots=True)
class Memory:
    """`held` are the objects that the pointers and references in a variable may lead to. `plain`
    are the lambdas that store pointers only as one sees in their bodies, as they have none of
    their own. `nodes` are the code that this follows from, with the variables it has `declared`.
    """

    functions: Mapping[str, FunctionEffects]
    plain: frozenset[Symbol] = frozenset()
    held: dict[Symbol | None, Objects] = field(default_factory=dict[Symbol | None, Objects])
    closed: dict[Symbol | None, Objects] = field(default_factory=dict[Symbol | None, Objects])
    """What is reached from a variable, as far as it has been asked for since `held` has grown."""
    nodes: list[Node] = field(default_factory=list[Node])
    declared: set[Symbol] = field(default_factory=set[Symbol])
    is_c: bool = False

    # -- questions ------------------------------------------------------------------------------

    def led_to(self) -> Objects:
        """All that any pointer or reference may lead to."""
        return {one for found in self.held.values() for one in found}

    def reached(self, names: Iterable[Symbol | None]) -> Objects:
        """All that the variables, and what they lead to, may lead to."""
        found: Objects = set()
        for one in names:
            if one not in found:  # else all that it leads to is there as well
                found |= self._reached_from(one)
        return found

    def _reached_from(self, name: Symbol | None) -> Objects:
        found = self.closed.get(name)
        if found is not None:
            return found
        found, pending = set[Symbol | None](), [name]
        while pending:
            current = pending.pop()
            if current in self.closed:
                found |= self.closed[current]
                continue
            new = self._held_by(current) - found
            found |= new
            pending.extend(new)
        self.closed[name] = found
        return found

    def variables(self, place: Expr) -> set[Symbol]:
        """The variables of the function that `place` may be, or be a part of."""
        return {one for one in self.objects(place) if _is_variable(one)}

    def variables_behind(self, value: Expr) -> set[Symbol]:
        """The variables of the function that `value` leads to, over other pointers as well."""
        return {one for one in self.behind(value) if _is_variable(one)}

    def behind(self, value: Expr) -> Objects:
        """All that `value` leads to, over other pointers as well."""
        direct = self.targets(value)
        return direct | self.reached(direct)

    def objects(self, place: Expr) -> Objects:
        """The objects that `place` may be, or be a part of."""
        match place:
            case VarRef(symbol=symbol) if symbol.type.kind is TypeKind.REFERENCE:
                return self._held_by(symbol)
            case VarRef(symbol=symbol):
                return {symbol}
            case Index(base=base) | Unary(op="*", operand=base):
                return self._behind(base)
            case Member():
                inside = self._around(place)
                if refers(place) is False:
                    return inside
                return self._contents(inside) | _with_elements(inside, place.type)
            case Paren(inner=inner) | Cast(operand=inner) | Unary(op="++" | "--", operand=inner):
                return self.objects(inner)
            case Conditional(if_true=one, if_false=other):
                return self.objects(one) | self.objects(other)
            case Assign(target=target):
                return self.objects(target)
            case Binary(op=",", right=right):
                return self.objects(right)
            case Call() if self._gives_a_value(place):
                return set()
            case Call():
                given = self.handed_on(place)
                return {
                    one for one in given if one is None or may_have_element(one.type, place.type)
                }
            case Verbatim() | Code():
                return self.handed_on(place)
            case Remote(symbol=symbol):
                return {symbol}
            case _:
                return set()

    def leads_elsewhere(self, member: Member) -> bool:
        """Is the member a reference, or may it be one? What a structure of unknown members holds
        that was given to the kernel are pointers."""
        known = refers(member)
        if known is not None:
            return known
        given = {None} if _is_of_parameter(member) else set[Symbol | None]()
        return bool(self._contents(self._around(member)) - given)

    def targets(self, value: Expr) -> Objects:
        """The objects that the pointers and references in `value` may lead to."""
        if _referred(value.type).kind is TypeKind.ARRAY and _is_place(value):
            return self.objects(value)
        if value.type.is_arithmetic and value.type.bits < _ADDRESS:
            return set()
        match value:
            case VarRef() | Index() | Member() | Unary(op="*") | Remote():
                return self._contents(self.objects(value))
            case Unary(op="&", operand=operand):
                return self.objects(operand)
            case Binary(op=op, left=left, right=right):
                if op in _COMPARISONS or (op == "-" and value.type.is_arithmetic):
                    return set()
                return self._all_targets((right,) if op == "," else (left, right))
            case Conditional(if_true=one, if_false=other):
                return self.targets(one) | self.targets(other)
            case Paren(inner=inner) | Cast(operand=inner) | Unary(operand=inner):
                return self.targets(inner)
            case Assign(op=op, target=target, value=inner):
                return self.targets(inner if op == "=" else target)
            case InitList(elements=elements, type=ctype):
                return self._listed(elements, ctype)
            case Call() | Verbatim() | Code():
                return self.handed_on(value) if may_hold(value.type) else set()
            case _:
                return set()

    def handed_on(self, used: Call | Verbatim | Code | Text) -> Objects:
        """All that a function, or text, that is given these arguments may lead to."""
        direct: Objects = set()
        match used:
            case Call():
                for position, argument in enumerate(self._given(used)):
                    direct |= self.targets(argument)
                    if self._takes_reference(used, position, argument):
                        if position or not self._keeps_object(used):
                            direct |= self.objects(argument)
            case Verbatim(parts=parts) if is_lambda(used.type) or _spelled(used).startswith("["):
                for node in (node for part in parts for node in walk(part)):
                    if isinstance(node, VarRef):  # it keeps what its code names, for later
                        direct |= self.targets(node)
                        direct |= set() if _captures_values(used) else self.objects(node)
            case Verbatim(parts=parts) | Code(parts=parts) | Text(parts=parts):
                for part in parts:
                    if not isinstance(part, str):
                        direct |= self.objects(part) | self.targets(part)
        found = direct | self.reached(direct)
        return {one for one in found if one is None or not is_lambda(one.type)}

    def is_value(self, expr: Expr) -> bool:
        """Is it certainly no place, but a value that is made there?"""
        match expr:
            case Paren(inner=inner):
                return self.is_value(inner)
            case Call():
                if any(self._known(expr)):
                    return self._gives_a_value(expr)
                return is_pure(expr) and expr.name not in ("min", "max")
            case Binary(op=op):
                return op != "," and expr.type.is_arithmetic
            case Unary(op=op):
                return op in ("-", "!", "~", "&") and expr.type.is_arithmetic
            case Literal() | InitList() | LaunchRef():
                return True
            case _:
                return False

    # -- parts of the answers ---------------------------------------------------------------------

    def _all_targets(self, values: Iterable[Expr]) -> Objects:
        found: Objects = set()
        for value in values:
            found |= self.targets(value)
        return found

    def _held_by(self, symbol: Symbol | None) -> Objects:
        return self.held.get(symbol, set())

    def _around(self, member: Member) -> Objects:
        """The objects that the member is a part of."""
        return self._behind(member.base) if member.arrow else self.objects(member.base)

    def _contents(self, objects: Objects) -> Objects:
        found: Objects = set()
        for one in objects:
            held = self.held.get(one)
            if held is not None and not held <= found:
                found |= held
        return found

    def _behind(self, base: Expr) -> Objects:
        """Where `base[i]`, `*base` and `base->m` may lie."""
        kind = _referred(base.type).kind
        if kind is TypeKind.ARRAY:
            return self.objects(base)
        if kind is TypeKind.POINTER:
            return self.targets(base)
        return self.objects(base) | self.targets(base)  # an operator of a class, or not known

    def _listed(self, elements: tuple[Expr, ...], ctype: CType) -> Objects:
        """What the values in braces lead to; members that are references lead to the values."""
        found: Objects = set()
        fields = _referred(ctype).innermost.fields
        known = bool(fields) and len(elements) <= len(fields)
        plain = ctype.kind is TypeKind.ARRAY and not may_hold(ctype)
        for position, element in enumerate(elements):
            found |= self.targets(element)
            refers = not plain and (
                fields[position][1].kind is TypeKind.REFERENCE
                if known and ctype.kind is not TypeKind.ARRAY
                else ctype.kind not in (TypeKind.ARRAY, TypeKind.POINTER)
            )
            if refers:
                found |= self.objects(element)
        return found

    def _known(self, call: Call) -> list[FunctionEffects | None]:
        return [self.functions.get(key) for key in call.key.split("|")]

    def _gives_a_value(self, call: Call) -> bool:
        return all(one is not None and not one.gives_reference for one in self._known(call))

    def _takes_reference(self, call: Call, position: int, argument: Expr) -> bool:
        if self.is_c:
            return False
        receiver = isinstance(call.callee, (Member, VarRef))
        for one in self._known(call):
            if one is None:
                by_value = call.is_cuda or _calls_lambda(call)
                if not by_value or argument.type.kind not in _GIVEN_BY_VALUE:
                    return True
                continue
            own = receiver or (one.is_method and len(call.arguments) > 0)
            if own and position == 0:
                return True
            if position - own in one.references:
                return True
        return False

    def _keeps_object(self, call: Call) -> bool:
        """Is it a method that hands out nothing that leads to its object?"""
        known = self._known(call)
        return all(one is not None and one.is_method and not one.hands_out_object for one in known)

    def _given(self, call: Call) -> Iterator[Expr]:
        """The object that is called or whose method is, and the arguments."""
        callee = call.callee
        if isinstance(callee, Member):
            yield (
                Unary("*", callee.base, type=_referred(callee.base.type))
                if callee.arrow
                else (callee.base)
            )
        elif isinstance(callee, VarRef):
            yield callee
        yield from call.arguments

    # -- solving --------------------------------------------------------------------------------

    def _hold(self, objects: Iterable[Symbol | None], new: Objects) -> bool:
        changed = False
        for one in objects:
            before = self.held.setdefault(one, set())
            if not new <= before:
                before |= new
                changed = True
        if changed:
            self.closed.clear()
        return changed

    def solve(self, nodes: Sequence[Node]) -> None:
        """Follow what the nodes do until nothing is found any more."""
        changed = True
        while changed:
            changed = False
            for node in nodes:
                changed = self._step(node) or changed

    def _step(self, node: Node) -> bool:
        match node:
            case Declare(variables=variables):
                changed = False
                for variable in variables:
                    if variable.initial is not None:
                        new = self._bound(variable.symbol, variable.initial)
                        changed |= self._hold((variable.symbol,), new)
                return changed
            case Assign(op="=", target=target, value=value):
                new = self.targets(value)
                return bool(new) and self._hold(self._holders(target, value), new)
            case Exchange(result=result, operands=operands):
                return self._hold((result,), self._all_targets(operands))
            case Call() | Verbatim(pure=False) | Code(pure=False) | Text():
                return self._stored_by(node)
            case _:
                return False

    def _holders(self, target: Expr, value: Expr) -> Objects:
        """Where pointers may be stored. What the functions of a template's parameters give, and
        what is stored outside, are numbers."""
        number = isinstance(value, Call) and value.type.kind is TypeKind.DEPENDENT
        places = self.objects(target)
        return {one for one in places if (not number if one is None else _may_carry(one.type))}

    def _bound(self, symbol: Symbol, initial: Expr) -> Objects:
        if symbol.type.kind is not TypeKind.REFERENCE:
            if not _may_carry(symbol.type):
                return set()
            if isinstance(initial, Verbatim) and may_hold(symbol.type):
                return self.handed_on(initial)
            return self.targets(initial)
        place = self.objects(initial)
        if place and not isinstance(initial, (Call, Verbatim, Code)):
            return place
        return {symbol} | place | self.targets(initial)  # to a value: it is the object itself

    def _stored_by(self, node: Call | Verbatim | Code | Text) -> bool:
        """What a function is given it may store wherever it may write."""
        if isinstance(node, Call) and self._leaves_pointers(node):
            return False
        if _makes_lambda(node):
            return False  # what it does it does where it is called
        found = self.handed_on(node)
        if not found - {None}:
            return False
        changed = False
        numbers: Objects | None = None  # those that a pointer to numbers may lead to
        for place in self._writable(node) if isinstance(node, Call) else found:
            if place is None or not may_hold(place.type) or is_lambda(place.type):
                continue
            fitting = found
            if _leads_to_numbers(place.type):
                if numbers is None:
                    numbers = {one for one in found if _may_be_number(one)}
                fitting = numbers
            if not fitting <= self.held.get(place, set()) | {place}:
                changed = self._hold((place,), fitting - {place}) or changed
        if not self._stores_outside(node):
            return changed
        # What is handed over by its name alone is used there, not kept.
        kept = self._all_targets(self._given(node)) if isinstance(node, Call) else found
        return self._hold((None,), kept | self.reached(kept)) or changed

    def _writable(self, call: Call) -> Objects:
        """Where a function may store pointers: what it is given that can hold some, and what lies
        behind."""
        direct: Objects = set()
        for position, argument in enumerate(self._given(call)):
            direct |= self.targets(argument)
            if _may_carry(argument.type) and self._takes_reference(call, position, argument):
                direct |= self.objects(argument)
        return direct | self.reached(direct)

    def _leaves_pointers(self, call: Call) -> bool:
        """Does the function store no pointers anywhere?"""
        if self._is_plain(call):
            return True
        known = self._known(call)
        if not any(known) and (is_pure(call) or call.name in _STORING_NUMBERS):
            return True
        return all(one is not None and _stores_nothing(one) for one in known)

    def _is_plain(self, call: Call) -> bool:
        """Is this a call of a plain lambda, which is given no pointers?"""
        match list(self._given(call)):
            case [VarRef(symbol=symbol), *given] if symbol in self.plain:
                return not any(_may_carry(one.type) for one in given)
            case _:
                return False

    def _stores_outside(self, node: Call | Verbatim | Code | Text) -> bool:
        if not isinstance(node, Call):
            return True
        if _calls_lambda(node):
            return False
        unknown = not node.is_cuda
        return any(unknown if one is None else one.writes_elsewhere for one in self._known(node))


def memory_of(
    body: Node | Iterable[Node],
    functions: Mapping[str, FunctionEffects],
    known: Memory | None = None,
    *,
    is_c: bool = False,
) -> Memory:
    """Points-to sets of all that the code names, together with the code that is `known`. `is_c`:
    nothing is handed by reference."""
    nodes: list[Node] = []
    lambdas: dict[Symbol, Verbatim] = {}
    declared: set[Symbol] = set() if known is None else set(known.declared)
    named: set[Symbol] = set()
    for statement in body if isinstance(body, Iterable) else (body,):
        for node in walk(statement):
            match node:
                case Declare(variables=variables):
                    declared.update(one.symbol for one in variables)
                    nodes.append(node)
                    for one in variables:
                        if isinstance(one.initial, Verbatim) and is_lambda(one.symbol.type):
                            lambdas[one.symbol] = one.initial
                case VarRef(symbol=symbol):
                    named.add(symbol)
                case Assign() | Call() | Verbatim() | Code() | Text() | Exchange():
                    nodes.append(node)
                case _:
                    pass
    given = {one for one in named - declared if may_hold(one.type)}
    own = {one for one in given if one.storage is Storage.LOCAL}
    seen = {one for one, made in lambdas.items() if not _names_any(made, own)}
    held: dict[Symbol | None, Objects] = {None: {None}}
    if known is not None:
        seen |= known.plain
        held = {one: set(objects) for one, objects in known.held.items()}
    for symbol in given:
        held.setdefault(symbol, {None})
    memory = Memory(functions, frozenset(seen), held, declared=declared, is_c=is_c)
    memory.solve(nodes)
    memory.nodes = nodes
    if known is not None:
        memory.nodes = [*known.nodes, *nodes]
        if any(len(held[one]) > len(objects) for one, objects in known.held.items()):
            memory.solve(memory.nodes)
    return memory


def _is_variable(symbol: Symbol | None) -> TypeGuard[Symbol]:
    """Is it a variable of the function, rather than memory that others see?"""
    return symbol is not None and symbol.storage in _VARIABLES


def may_hold(ctype: CType) -> bool:
    """May an object of the type hold pointers or references?"""
    inner = ctype.innermost
    if inner.spelling.startswith("g2o::Tape<"):
        return False  # of numbers
    if inner.kind is not TypeKind.RECORD:
        return inner.kind in _HOLDERS
    if inner.fields:
        return any(may_hold(member) for _, member in inner.fields)
    return not (0 < inner.bits < _ADDRESS or is_vector(inner) or inner.hides_reals)


def may_refer(ctype: CType) -> bool:
    """May an object of the type be a name of what it is declared with: a reference, or a structure
    that has one? A parameter of a template is a number."""
    inner = ctype.innermost
    if inner.kind in (TypeKind.POINTER, TypeKind.DEPENDENT) and "<" not in inner.spelling:
        return False
    return may_hold(inner)


def _may_carry(ctype: CType) -> bool:
    """May pointers be stored in the object, under whatever type?"""
    inner = ctype.innermost
    return may_hold(ctype) or (inner.kind is TypeKind.INTEGER and inner.bits in (8, _ADDRESS))


def _stores_nothing(function: FunctionEffects) -> bool:
    return not (
        function.written_parameters
        or function.writes_through
        or function.writes_elsewhere
        or (function.is_method and function.writes_receiver)
    )


def _with_elements(objects: Objects, ctype: CType) -> Objects:
    """Those that a member that is a reference may lead back to: a reference by itself is no memory
    that may be written."""
    return {one for one in objects if one is None or may_have_element(one.type, ctype)}


def _is_of_parameter(place: Expr) -> bool:
    root = root_symbol(place)
    return root is not None and root.storage is Storage.PARAMETER


def _referred(ctype: CType) -> CType:
    return ctype.element if ctype.kind is TypeKind.REFERENCE and ctype.element else ctype


def _is_place(expr: Expr) -> bool:
    return isinstance(expr, (VarRef, Index, Member, Paren, Unary, Conditional, Cast))


def _leads_to_numbers(ctype: CType) -> bool:
    """Is it a pointer to numbers, which leads to no pointer?"""
    element = ctype.element if ctype.kind is TypeKind.POINTER else None
    return element is not None and element.innermost.is_arithmetic


def _may_be_number(target: Symbol | None) -> bool:
    return target is None or target.type.innermost.kind is not TypeKind.POINTER


def _names_any(node: Node, symbols: set[Symbol]) -> bool:
    return any(isinstance(one, VarRef) and one.symbol in symbols for one in walk(node))


def _makes_lambda(node: Node) -> bool:
    text = "" if not isinstance(node, Verbatim) or node.span is None else node.span.text
    return text.startswith("[")


def _spelled(node: Verbatim) -> str:
    return "" if node.span is None else node.span.text


def _captures_values(node: Verbatim) -> bool:
    """Is it a lambda that has copies of what it captures?"""
    text = _spelled(node)
    return text.startswith("[") and "&" not in split_lambda(text)[0] and "this" not in text


def _calls_lambda(call: Call) -> bool:
    """A lambda of the function, which uses what it captures and keeps no address of it outside."""
    callee = call.callee.base if isinstance(call.callee, Member) else call.callee
    candidates = (callee, *call.arguments[:1])
    return any(isinstance(one, (VarRef, Verbatim)) and is_lambda(one.type) for one in candidates)


def is_lambda(ctype: CType) -> bool:
    """Is it the type of a lambda?"""
    return "(lambda at" in ctype.spelling
