"""Objects that are called, as the functions that they stand for once their types are known.

    template <class F> float sum_of(const float *x, int n, F f)    // f(x[i])
    sum_of(x, n, square)                                     ->    square.operator()(x[i])

In a template clang leaves open what `f(x[i])` means. Inlined into a kernel, `f` has become a
variable of a type that the file declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from g2o.analysis.effects import EffectsOf, declared_in, goes_through_pointer, root_symbol
from g2o.analysis.functions import FunctionTable
from g2o.analysis.value_types import is_known, value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.class_templates import split_template_arguments
from g2o.ir.comments import change_statements
from g2o.ir.expressions import (
    Assign,
    Call,
    Expr,
    Index,
    Literal,
    Member,
    Paren,
    Unary,
    VarRef,
    Verbatim,
    strip_parens,
)
from g2o.ir.spelled import split_lambda
from g2o.ir.statements import Block, Declare, Exchange, Node, Stmt
from g2o.ir.symbols import Storage, Symbol
from g2o.ir.traverse import rename_symbols, rewrite, walk
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.transforms.instantiate import Instance

_FUNCTION = re.compile(r"\(?&?\s*(?:::)?\s*((?:\w+\s*::\s*)*[A-Za-z_]\w*)\)?")
_LAMBDA = "(lambda at"
_MUTABLE = re.compile(r"\)\s*mutable\b")
_COPIED = (Storage.LOCAL, Storage.PARAMETER)
_CHANGE = r"\b{name}\s*(?:<<|>>|[-+*/%&|^])?=(?!=)|(?:\+\+|--|&)\s*{name}\b|\b{name}\s*(?:\+\+|--)"


def choose_functors(body: Block, functions: FunctionTable, wanted: Callable[[str], bool]) -> Block:
    """Give calls of objects the key of their `operator()`, and those of methods that a template
    leaves open the keys of these, for functions that are `wanted`."""

    pointed_to = _known_functions(body)

    def chosen(node: Node) -> Node | None:
        if isinstance(node, Index):
            return _subscript(node, functions, wanted, chosen)
        if not isinstance(node, Call) or node.key or node.is_cuda:
            return None
        named = pointed_to.get(_function_pointer(node), node.callee)
        if not isinstance(named, Literal):
            named = _function_in(named)
        if named is not None:
            return _handed_over(replace(node, callee=named), functions, wanted, chosen)
        if isinstance(node.callee, Member):
            return _method(node, node.callee, functions, wanted, chosen)
        if not isinstance(node.callee, VarRef):
            return None
        keys = functions.methods(node.callee.symbol.type.spelling, "operator()")
        if not keys or not all(wanted(key) or _calls_in_context(key, functions) for key in keys):
            return None
        arguments = tuple(rewrite(one, chosen) for one in node.arguments)
        return replace(
            node,
            name="operator()",
            callee=Literal("()"),
            arguments=(node.callee, *arguments),
            key="|".join(keys),
            template_arguments=_arguments_of_class(node.callee.symbol.type),
        )

    open_calls = (node for node in walk(body) if isinstance(node, Call) and not node.key)
    subscripts = any(isinstance(node, Index) and _is_object(node.base) for node in walk(body))
    if not subscripts and not any(
        isinstance(node.callee, (VarRef, Literal, Paren, Member)) for node in open_calls
    ):
        return body
    return rewrite(body, chosen)


def _is_object(base: Expr) -> bool:
    """Is it an object that its class may give a subscript?"""
    ctype = value_type(base)
    return ctype.kind is TypeKind.RECORD and not ctype.is_view and ctype.extent is None


def _subscript(
    node: Index,
    functions: FunctionTable,
    wanted: Callable[[str], bool],
    inner: Callable[[Node], Node | None],
) -> Call | None:
    """`s[i]` of an object whose class a template leaves open: the call of its `operator[]`."""
    record = unqualified(value_type(node.base)) if _is_object(node.base) else ""
    keys = functions.methods(record, "operator[]") if record else ()
    if not keys or not all(wanted(key) or _needs_context(key, functions) for key in keys):
        return None
    arguments = (rewrite(node.base, inner), rewrite(node.index, inner))
    given = _arguments_of_class(value_type(node.base))
    callee = Literal("[]")
    return Call(
        "operator[]", callee, arguments, "|".join(keys), False, given, node.type, span=node.span
    )


def _method(
    node: Call,
    callee: Member,
    functions: FunctionTable,
    wanted: Callable[[str], bool],
    inner: Callable[[Node], Node | None],
) -> Call | None:
    """`it.at(i)` of an object whose class is known now."""
    owner = value_type(callee.base)
    if callee.arrow:
        owner = owner.element if owner.element is not None else owner
    if owner.kind is not TypeKind.RECORD or not callee.name:
        return None
    keys = functions.methods(unqualified(owner), callee.name)
    if not keys or not all(wanted(key) or _needs_context(key, functions) for key in keys):
        return None
    return replace(
        node,
        name=callee.name,
        callee=rewrite(callee, inner),
        arguments=tuple(rewrite(one, inner) for one in node.arguments),
        key="|".join(keys),
        template_arguments=(*_arguments_of_class(owner), *node.template_arguments),
    )


def _arguments_of_class(ctype: CType) -> tuple[str, ...]:
    """The template arguments of the class of an object; none of a lambda."""
    record = unqualified(ctype).rstrip("& ")
    return () if _LAMBDA in record else split_template_arguments(record)


def _function_pointer(call: Call) -> Symbol | None:
    """The variable that leads to what is called: `f(x)`, `(*f)(x)`."""
    inner = strip_parens(call.callee)
    if isinstance(inner, Unary) and inner.op == "*":
        inner = strip_parens(inner.operand)
    return inner.symbol if isinstance(inner, VarRef) else None


def _known_functions(body: Block) -> Mapping[Symbol | None, Literal]:
    """The functions that pointers lead to which stay what they are from their declaration on."""
    found: dict[Symbol | None, Literal] = {}
    changed: set[Symbol] = set()
    for node in walk(body):
        match node:
            case Declare(variables=variables):
                for one in variables:
                    named = None if one.initial is None else _function_in(one.initial)
                    if named is not None:
                        found[one.symbol] = named
            case (
                Assign(target=VarRef(symbol=symbol))
                | Unary(op="&" | "++" | "--", operand=VarRef(symbol=symbol))
            ):
                changed.add(symbol)
            case _:
                pass
    return {one: value for one, value in found.items() if one not in changed}


def _function_in(value: Expr) -> Literal | None:
    """The function that `square` and `&square` lead to."""
    inner = strip_parens(value)
    if isinstance(inner, Unary) and inner.op == "&":
        inner = strip_parens(inner.operand)
    if not isinstance(inner, Literal) or inner.type.kind is not TypeKind.OTHER:
        return None
    return inner if _FUNCTION.fullmatch(inner.text) else None


def _handed_over(
    node: Call,
    functions: FunctionTable,
    wanted: Callable[[str], bool],
    inner: Callable[[Node], Node | None],
) -> Call | None:
    """The call of a function that a template was given as its argument: `sum<warp_sum>(x)`."""
    assert isinstance(node.callee, Literal)
    keys = functions_named(node.callee.text, functions, wanted, node.span)
    if not keys:
        return None
    name = node.callee.text.strip("()& ").rpartition("::")[2].strip()
    arguments = tuple(rewrite(one, inner) for one in node.arguments)
    return replace(node, name=name, arguments=arguments, key="|".join(keys))


def functions_named(
    text: str, functions: FunctionTable, wanted: Callable[[str], bool], span: SourceSpan | None
) -> tuple[str, ...]:
    """The keys of the functions that an argument of a template may name, where one of them is
    `wanted` or only makes sense inside a kernel; none for other texts.

    Raises Refusal where functions of several namespaces have the name, and the text leaves open
    which is meant.
    """
    found = _FUNCTION.fullmatch(text)
    *spaces, name = "".join(found[1].split()).split("::") if found is not None else [""]
    keys = functions.methods("", name) if name else ()

    if not any(wanted(key) or _needs_context(key, functions) for key in keys):
        return ()
    if len({_namespace(key) for key in keys}) == 1:
        return keys
    ending = "".join(f"@N@{space}" for space in spaces)
    fitting = tuple(key for key in keys if spaces and _namespace(key).endswith(ending))
    if len({_namespace(key) for key in fitting}) != 1:
        message = f"'{text.strip()}' as an argument of a template: several namespaces have one"
        note = Note("give the functions different names, or name the namespace itself")
        raise refuse("G2O0210", message, span, note)
    return fitting


def _needs_context(key: str, functions: FunctionTable) -> bool:
    effects = functions.effects(key)
    return effects is not None and effects.needs_context


def _calls_in_context(key: str, functions: FunctionTable) -> bool:
    """Does it call a function that needs the launch? A lambda that names positions itself stays."""
    function = functions.body(key)
    return function is not None and any(
        isinstance(node, Call) and node.key and _needs_context(node.key, functions)
        for node in walk(function.body)
    )


def _namespace(key: str) -> str:
    """`c:@N@outer@N@inner` of the key of a function."""
    return key.partition("@F@")[0].partition("@FT@")[0]


# -- lambdas ------------------------------------------------------------------------------------


def with_lambdas(instance: Instance, call: Call, body: Block, functions: FunctionTable) -> Instance:
    """The instance, of which `call` in `body` is the call, with the types of the lambdas that it is
    given for its parameters. These may be the lambdas themselves: nothing changes one, unless it
    is `mutable`."""
    if instance.receiver is not None and not isinstance(call.callee, Member):
        return instance  # an operator, whose object is among the arguments
    given: dict[Symbol, Symbol] = {}
    for parameter, argument in zip(instance.parameters, call.arguments, strict=False):
        ctype = argument.type
        while ctype.kind is TypeKind.REFERENCE and ctype.element is not None:
            ctype = ctype.element
        made = argument if isinstance(argument, Verbatim) else None
        if _LAMBDA in ctype.spelling and isinstance(argument, VarRef):
            made = lambda_of(argument.symbol, body)
        if made is None or made.span is None or _MUTABLE.search(made.span.text):
            continue
        if _LAMBDA in ctype.spelling and functions.methods(ctype.spelling, "operator()"):
            given[parameter] = replace(parameter, type=ctype)
    if not given:
        return instance
    parameters = tuple(given.get(one, one) for one in instance.parameters)
    return replace(instance, parameters=parameters, body=rename_symbols(instance.body, given))


def captured(
    call: Call,
    body: Block,
    parameters: Collection[Symbol],
    effects: EffectsOf,
    source_names: Mapping[int, str],
) -> Mapping[str, Symbol] | None:
    """The variables around a lambda that its body may name, where `call` calls one, by the names
    that they have there; None for other calls. `parameters` are those of the kernel.

    Raises Refusal where the lambda has copied a variable that changes later on.
    """
    called = call.arguments[0] if call.name == "operator()" and call.arguments else None
    if called is None or _LAMBDA not in called.type.spelling:
        return None
    made = lambda_of(called.symbol, body) if isinstance(called, VarRef) else called
    if not isinstance(made, Verbatim):
        raise refuse("G2O0210", "call of a lambda that is made elsewhere", call.span)
    around = declared_in(body) | set(parameters)
    named = {n.symbol for part in made.parts for n in walk(part) if isinstance(n, VarRef)}
    found: dict[str, Symbol] = {}
    for one in sorted(named, key=lambda symbol: symbol.id):
        if one.storage not in _COPIED or one in around:
            name = source_names.get(one.id, one.name)
            if found.setdefault(name, one) != one:
                message = f"lambda among several variables with the name '{name}'"
                raise refuse("G2O0210", message, call.span)
    head = split_lambda(made.span.text)[0] if made.span is not None else "[="
    changed = changes_behind(made, body, effects)
    for name, symbol in sorted(found.items()):
        refers = all(_by_reference(head, one) for one in (name, symbol.name))
        if symbol.storage in _COPIED and not refers and symbol in changed:
            message = f"lambda that has copied '{name}', which changes afterwards"
            raise refuse("G2O0210", message, call.span)
    return found


def result_type(call: Call, ctype: CType, spelled: str) -> tuple[CType, str]:
    """The type of what a call gives, and how that is written there, where the function leaves it
    open: `auto` needs a value in the declaration, which comes later."""
    if "auto" in spelled.split() and is_known(call.type):
        spelled = unqualified(call.type)
    is_open = ctype.kind is TypeKind.DEPENDENT or "auto" in ctype.spelling.split()
    is_told = is_open and is_known(call.type)
    if is_told:
        return replace(call.type, spelling=spelled), spelled
    is_const = ctype.is_const and spelled == ctype.spelling
    return replace(ctype, spelling=spelled, is_const=is_const), spelled


def check_shared(inner: Block, call: Call, known: Collection[Symbol]) -> None:
    """Raises Refusal where a function that is inlined for `call`, a lambda, names shared memory
    that is none of those `known` there."""
    for node in walk(inner) if call.name == "operator()" else ():
        if isinstance(node, VarRef) and node.symbol.storage is Storage.SHARED:
            if node.symbol not in known:
                message = f"lambda that names the shared memory '{node.symbol.name}' around it"
                note = Note("hand it the array as an argument")
                raise refuse("G2O0210", message, call.span, note)


def lambda_of(symbol: Symbol, body: Block) -> Verbatim | None:
    """The lambda that a variable is declared with, or those that it is a copy of."""
    for node in walk(body):
        if isinstance(node, Declare):
            for variable in node.variables:
                if variable.symbol != symbol:
                    continue
                match variable.initial:
                    case Verbatim() as made:
                        return made
                    case VarRef(symbol=other) if other != symbol:
                        return lambda_of(other, body)  # a copy
                    case _:
                        return None
    return None


def _by_reference(head: str, name: str) -> bool:
    """Does a lambda that starts like this refer to the variable?"""
    words = [word.strip() for word in head.strip("[ ").split(",")]
    return f"&{name}" in words or ("&" in words and name not in words)


def changes_behind(made: Verbatim, body: Block, effects: EffectsOf) -> set[Symbol]:
    """Variables that may change behind a lambda that captures them."""
    return _changed_behind(made, body, effects) | _named_otherwise(body)


def _changed_behind(made: Verbatim, body: Block, effects: EffectsOf) -> set[Symbol]:
    """Variables that get values further down in the text, or inside of the lambda itself where
    that may change its copies."""
    found: set[Symbol] = set()
    is_mutable = made.span is None or _MUTABLE.search(made.span.text) is not None
    inside = frozenset(() if is_mutable else map(id, walk(made)))
    is_behind = False
    for node in walk(body):
        is_behind = is_behind or node is made
        if not is_behind or id(node) in inside:
            continue
        match node:
            case Assign(target=place) | Unary(op="++" | "--" | "&", operand=place):
                root = None if goes_through_pointer(place) else root_symbol(place)
                found |= set() if root is None else {root}
            case Exchange(result=symbol):
                found.add(symbol)
            case Call():
                found |= effects.of(node).writes
            case VarRef(symbol=symbol) if _LAMBDA in symbol.type.spelling:
                found |= _changed_by(symbol, body)
            case _:
                pass
    return found


def _named_otherwise(body: Block) -> set[Symbol]:
    """Variables that references or pointers lead to through which they may change."""
    found: set[Symbol] = set()
    for node in walk(body):
        for one in node.variables if isinstance(node, Declare) else ():
            ctype, initial = one.symbol.type, one.initial
            is_view = ctype.kind in (TypeKind.POINTER, TypeKind.REFERENCE)
            if is_view and initial is not None and not (ctype.element and ctype.element.is_const):
                root = None if goes_through_pointer(initial) else root_symbol(initial)
                found |= set() if root is None or root.type.kind is TypeKind.POINTER else {root}
    return found


def _changed_by(called: Symbol, body: Block) -> set[Symbol]:
    """The variables around a lambda that it refers to and gives values."""
    made = lambda_of(called, body)
    if made is None or made.span is None:
        return set()
    head, inside = split_lambda(made.span.text)
    around = {n.symbol for part in made.parts for n in walk(part) if isinstance(n, VarRef)}
    return {
        symbol
        for symbol in around
        if _by_reference(head, symbol.name)
        and re.search(_CHANGE.format(name=re.escape(symbol.name)), inside)
    }


def without_unused_functors(body: Block, functions: FunctionTable) -> Block:
    """`body` without lambdas and objects with an `operator()` that nobody calls any more."""
    left = _without_unused(body, functions)
    while left is not body:  # what only they have called is unused as well
        body, left = left, _without_unused(left, functions)
    return body


def _without_unused(body: Block, functions: FunctionTable) -> Block:
    used = {node.symbol for node in walk(body) if isinstance(node, VarRef)}
    effects = functions.for_node(body)
    pointers = _known_functions(body)

    def kept(statement: Stmt) -> Stmt | None:
        if not isinstance(statement, Declare) or len(statement.variables) != 1:
            return statement
        (variable,) = statement.variables
        spelled, initial = variable.symbol.type.spelling, variable.initial
        if variable.symbol in used:
            return statement
        if _LAMBDA in spelled or variable.symbol in pointers:
            return None  # to make one runs nothing of it
        plain = spelled.removeprefix("const ").rpartition("::")[2]
        is_called = bool(functions.methods(spelled, "operator()"))
        if not is_called or functions.methods(spelled, f"~{plain}"):
            return statement
        return None if initial is None or effects.is_pure(initial) else statement

    return change_statements(body, kept)


def with_captured(node: Block, names: Mapping[str, Symbol] | None, call: Call) -> Block:
    """The body of a lambda, for `call`, with the variables that it has from around it, which it
    takes for variables of the file. Raises Refusal where one is not among `names`."""
    if names is None:
        return node

    def outer(inner: Node) -> Node | None:
        if not isinstance(inner, VarRef) or inner.symbol.storage in _COPIED:
            return None
        if inner.symbol.name not in names:
            message = f"lambda that has '{inner.symbol.name}' from around it"
            raise refuse("G2O0210", message, call.span)
        found = names[inner.symbol.name]
        return None if found == inner.symbol else VarRef(found)

    return rewrite(node, outer)
