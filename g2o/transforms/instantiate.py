"""A device function as it is for one call: template arguments put in, names of its own.

    template <typename T, int N>        call f<float, 4>(x):
    T f(T v) {                              {
        T a[N];                     ->          float a[4];

What nodes print is the text of a view of the source file in which other words stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, final

from g2o.analysis.value_types import is_known, value_type
from g2o.diagnostics.diagnostic import Note, refuse
from g2o.diagnostics.source import SourceFile, SourceSpan
from g2o.ir.expressions import Call, Cast, Expr, Form, Literal, VarRef, Verbatim
from g2o.ir.kernel import Function, MemberKind
from g2o.ir.statements import Block, Declare, DeclareTypes, Node, Stmt, Variable
from g2o.ir.symbols import Storage, Symbol, SymbolTable
from g2o.ir.traverse import (
    children,
    relocate,
    rename_symbols,
    rewrite,
    walk,
    with_children,
)
from g2o.ir.types import CType, TypeKind, unqualified
from g2o.transforms.deduction import deduce, explicit_arguments
from g2o.transforms.qualified_names import namespaces_of
from g2o.transforms.recursion import folded
from g2o.transforms.static_memory import is_one_object, take_declarations

N = TypeVar("N", bound=Node)

_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|\s+|->|::|.""",
    re.DOTALL,
)
_PLAIN_TYPE = re.compile(r"[A-Za-z_][\w:]*(?:<.*>)?")
_GIVEN = re.compile(r"\s*<")
_CLOSES = re.compile(r"\s*\)")
_CONVERTS = re.compile(r"\s*(?:\((?!\s*[*&])|\{)")
_LAMBDA = "(lambda at"
_NAMED = (TypeKind.RECORD, TypeKind.FLOATING, TypeKind.INTEGER, TypeKind.POINTER)
_AUTO = "auto"
_OPEN_RESULT = re.compile(r"\b(?:auto|decltype|typename)\b")
_PLAIN_VALUE = re.compile(r"[\w:.]+")
_SHORTER = {"unsigned int": "unsigned", "signed int": "int", "long int": "long"}
_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict)\b")
_KNOWN = {
    "bool": CType("bool", TypeKind.BOOL, 8, False),
    "char": CType("char", TypeKind.INTEGER, 8),
    "short": CType("short", TypeKind.INTEGER, 16),
    "int": CType("int", TypeKind.INTEGER, 32),
    "unsigned": CType("unsigned", TypeKind.INTEGER, 32, False),
    "long": CType("long", TypeKind.INTEGER, 64),
    "long long": CType("long long", TypeKind.INTEGER, 64),
    "unsigned char": CType("unsigned char", TypeKind.INTEGER, 8, False),
    "unsigned short": CType("unsigned short", TypeKind.INTEGER, 16, False),
    "unsigned long": CType("unsigned long", TypeKind.INTEGER, 64, False),
    "unsigned long long": CType("unsigned long long", TypeKind.INTEGER, 64, False),
    "float": CType("float", TypeKind.FLOATING, 32),
    "double": CType("double", TypeKind.FLOATING, 64),
}


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """`body`, `parameters` and `defaults` use symbols of the caller that nothing else uses, but for
    the shared memory that all calls have in common, which `hoisted` declares the first time.

    `result` spells the type of the value, `reference` that of what the function declares, which is
    `declared`; where that is a reference, `referred` is what it refers to. `source_names` are what
    the function calls the symbols with these numbers.
    """

    function: Function
    parameters: tuple[Symbol, ...]
    defaults: tuple[Expr | None, ...]
    body: Block
    receiver: Symbol | None
    result: str
    reference: str
    declared: CType
    hoisted: tuple[Stmt, ...] = ()
    referred: CType | None = None
    source_names: Mapping[int, str] = field(default_factory=dict[int, str])


StaticMemory = dict[tuple[str, tuple[str, ...]], dict[Symbol, Symbol]]
"""What the `__shared__` variables of functions, by key and template arguments, are in a kernel."""


def instantiate(
    function: Function,
    call: Call,
    symbols: SymbolTable,
    outer: dict[str, Symbol],
    statics: StaticMemory,
    meant: dict[str, CType],
    into: str,
) -> Instance:
    """The instance of `function` for `call`. `outer` are the variables of the file by name, its
    shared memory among them; those that only the function knows are added, to `statics` shared
    memory that all calls have in common, and to `meant` what new names of types mean. `into` is the
    key of the kernel that it moves to. Raises Refusal where a template argument is not known.
    """
    words, aliases = _template_words(function, call, symbols, meant)
    around = namespaces_of(into)
    for name, spaces, others in function.names_around:
        inner = (one for one in others if len(one) > len(spaces))
        hidden = any(around[: len(one)] == one for one in inner)
        if around[: len(spaces)] != spaces or hidden:
            words.setdefault(name, "::".join((*(spaces or ("",)), name)))
    values = tuple(_template_values(function, call))
    for node in walk(function.body):
        if isinstance(node, DeclareTypes):
            words |= {name: _fresh_name(name, symbols) for name in node.names}
    words = {old: new for old, new in words.items() if old != new}
    for declared, known in _classes_of_values(function, call):
        named = _QUALIFIERS.sub("", _replace_words(declared.spelling, words)).strip()
        if declared is function.result or _are_alike(named, unqualified(known)):
            meant.setdefault(named, replace(known, spelling=named, is_const=False))
    of_file = {one: outer[one.name] for one in function.file_shared if one.name in outer}
    known = statics.get((function.key, values), {})
    renamed = _renamed(function, symbols, outer, words, known | of_file, meant)
    outer |= {one.name: renamed[one] for one in function.file_shared}
    common = known
    if not known and is_one_object(function):
        own = (one for one in renamed if one.storage is Storage.SHARED)
        common = {one: renamed[one] for one in own if one not in function.file_shared}
        statics[function.key, values] = common
    names = {old.name: new.name for old, new in renamed.items()}
    view = _View(function, words, names, meant)
    body = view.moved(rename_symbols(function.body, renamed))
    new = [renamed[one] for one in function.file_shared if one not in of_file]
    body, hoisted = take_declarations(body, new)
    body, _ = take_declarations(body, of_file.values())
    if common:
        body, taken = take_declarations(body, common.values())
        hoisted += [] if known else [*aliases, *taken]
        aliases = aliases if known else []
    result = reference = _replace_words(function.result.spelling, words)
    referred = function.result.element
    if not _is_open(call.type) and not _names_itself(result, call.type):
        result = call.type.spelling
    return Instance(
        function,
        tuple(renamed[parameter] for parameter in function.parameters),
        tuple(None if d is None else view.moved(d) for d in function.defaults),
        Block((*aliases, *_without_assertions(body, function)), span=body.span, form=body.form),
        None if function.receiver is None else renamed[function.receiver],
        result,
        reference,
        _instantiated(function.result, words, meant),
        tuple(hoisted),
        None if referred is None else _instantiated(referred, words, meant),
        {new.id: old.name for old, new in renamed.items()},
    )


def _classes_of_values(function: Function, call: Call) -> Iterator[tuple[CType, CType]]:
    """Open types of the result and of parameters, and the classes of what is handed over. What a
    parameter of the template stands for alone stays open: what its objects may be called with."""
    given = zip(function.parameters, call.arguments, strict=False)
    pairs = [(one.type, value_type(argument)) for one, argument in given]
    pairs = [
        one for one in pairs if unqualified(_referred(one[0])) not in function.template_parameters
    ]
    for declared, known in [(function.result, call.type), *pairs]:
        declared = _referred(declared)
        if declared.kind is TypeKind.DEPENDENT and known.kind is TypeKind.RECORD:
            yield declared, known


def _referred(ctype: CType) -> CType:
    is_reference = ctype.kind is TypeKind.REFERENCE and ctype.element is not None
    return ctype.element if is_reference and ctype.element is not None else ctype


def _are_alike(one: str, other: str) -> bool:
    """Do two spellings name one class? A namespace may be left out."""
    one, other = (re.sub(r"\s+", "", text) for text in (one, other))
    if "::" in one and "::" in other:
        return one == other
    return re.sub(r"\w+::", "", one) == re.sub(r"\w+::", "", other)


def _names_itself(result: str, ctype: CType) -> bool:
    """Is the declared type, with its names as they are where it moves to, better than what clang
    says of a call, which leaves out namespaces?"""
    if _OPEN_RESULT.search(result) is not None:
        return False
    return _QUALIFIERS.sub("", ctype.spelling).rstrip("*& ").strip() not in _KNOWN


def _is_open(ctype: CType) -> bool:
    """Does the type, or what it leads to, depend on the arguments of a template?"""
    leads = ctype.kind is TypeKind.POINTER and ctype.element is not None
    open_kinds = (TypeKind.DEPENDENT, TypeKind.OTHER)
    return ctype.kind in open_kinds or (
        leads and ctype.element is not None and _is_open(ctype.element)
    )


def _without_assertions(body: Block, function: Function) -> Iterator[Stmt]:
    """The statements of a method without what it asserts of its class, whose names are not known
    where it moves to."""
    for one in body.statements:
        if not (function.owner and isinstance(one, DeclareTypes) and not one.names):
            yield one


def _renamed(
    function: Function,
    symbols: SymbolTable,
    outer: dict[str, Symbol],
    words: dict[str, str],
    known: dict[Symbol, Symbol],
    meant: dict[str, CType],
) -> dict[Symbol, Symbol]:
    """Symbols of the function -> symbols of the caller, some of which are `known`."""
    declared: set[Symbol] = set()
    named: set[Symbol] = set()
    for node in walk(function.body):
        if isinstance(node, Declare):
            declared.update(variable.symbol for variable in node.variables)
        elif isinstance(node, VarRef):
            named.add(node.symbol)
    named.update(function.parameters)
    if function.receiver is not None:
        named.add(function.receiver)
    renamed: dict[Symbol, Symbol] = {}
    for symbol in sorted(declared | named, key=lambda s: s.id):
        ctype = _instantiated(symbol.type, words, meant)
        if symbol in known:
            renamed[symbol] = known[symbol]
        elif symbol in declared:
            renamed[symbol] = symbols.fresh(symbol.name, ctype, symbol.storage)
        elif symbol.storage in (Storage.GLOBAL, Storage.DYNAMIC_SHARED):
            name = words.get(symbol.name, symbol.name)
            same = outer.get(name)
            if same is None:
                same = symbols.declare(name, ctype, symbol.storage)
                outer[name] = same
            renamed[symbol] = same
        else:
            renamed[symbol] = symbols.unnamed(symbol.name, ctype, symbol.storage)
    return renamed


# -- template arguments ---------------------------------------------------------------------------


def _template_words(
    function: Function, call: Call, symbols: SymbolTable, meant: dict[str, CType]
) -> tuple[dict[str, str], list[Stmt]]:
    """What stands for each template parameter, and aliases for types of several words, of which
    `meant` gets the types, as far as known; what a method names without its class gets it, and the
    class its arguments."""
    words: dict[str, str] = {}
    aliases: list[Stmt] = []
    values = tuple(_template_values(function, call))
    for name, value in zip(function.template_parameters, values, strict=True):
        if not _is_type_parameter(name, function):
            words[name] = value if _PLAIN_VALUE.fullmatch(value) else f"({value})"
        elif value.startswith(_LAMBDA):
            words[name] = _AUTO
            _check_only_declares(name, function, call)
        elif _PLAIN_TYPE.fullmatch(value) or _can_be_const(name, value, function):
            words[name] = value
        else:
            alias = _fresh_name(name, symbols)
            words[name] = alias
            aliases.append(DeclareTypes((alias,), f"using {alias} = {value};"))
            ctype = _type_named(value)
            if ctype is not None:
                meant[alias] = ctype
    owner = function.owner
    if function.owner_pattern:
        arguments = (_replace_words(one, words) for one in function.owner_pattern)
        owner = f"{owner}<{', '.join(arguments)}>"
        words.setdefault(function.owner.rpartition("::")[2], owner)
    for name, kind in function.owner_members:
        if not function.owner_pattern or kind is MemberKind.VALUE:
            words.setdefault(name, f"{owner}::{name}")
        else:
            template = "template " if kind is MemberKind.TEMPLATE else ""
            words.setdefault(name, f"typename {owner}::{template}{name}")
    return words, aliases


def _can_be_const(name: str, value: str, function: Function) -> bool:
    """Can `const float` stand wherever the function names the parameter?"""
    word, _, plain = value.partition(" ")
    if word != "const" or not _PLAIN_TYPE.fullmatch(plain):
        return False
    return re.search(rf"\b{name}\s*(?:::|const\b)", function.span.text) is None


def _check_only_declares(name: str, function: Function, call: Call) -> None:
    """Raises Refusal where a type without a name is more than that of parameters."""
    text = function.span.text
    if re.search(rf"\b{re.escape(name)}\b", text[text.find("{") :]):
        message = f"'{call.name}' names the type of the lambda that it is given"
        raise refuse("G2O0210", message, call.span, Note("give it an object of a class instead"))


def _template_values(function: Function, call: Call) -> Iterator[str]:
    """The template arguments as they are spelled."""
    for position, name in enumerate(function.template_parameters):
        value = _argument(position, name, function, call)
        yield _SHORTER.get(value, value) if _is_type_parameter(name, function) else folded(value)


def _argument(position: int, name: str, function: Function, call: Call) -> str:
    given, found = explicit_arguments(function, call.template_arguments)
    if name in given:
        return given[name]
    for parameter, argument in zip(function.parameters, call.arguments, strict=False):
        guess = dict(found)
        ctype = value_type(argument)
        if is_known(ctype) and deduce(parameter.type, ctype, function.template_parameters, guess):
            found = guess
    if name in found:
        return found[name]
    default = function.template_defaults[position] if function.template_defaults else ""
    if default:
        before = function.template_parameters[:position]
        values = [_argument(place, one, function, call) for place, one in enumerate(before)]
        return _replace_words(default, dict(zip(before, values, strict=True)))
    raise refuse("G2O0210", f"template argument '{name}' of '{call.name}'", call.span)


def _is_type_parameter(name: str, function: Function) -> bool:
    return function.template_types[function.template_parameters.index(name)]


def _fresh_name(wish: str, symbols: SymbolTable) -> str:
    """A name for a type: taken from the table of variables, which share their scope."""
    return symbols.fresh(wish, CType("auto", TypeKind.OTHER), Storage.GLOBAL).name


def _type_named(text: str) -> CType | None:
    """The type that a template argument spells, where it is made of those of the language."""
    text = text.strip()
    if text.endswith("*"):
        element = _type_named(text[:-1])
        if element is None:
            return None
        return CType(text, TypeKind.POINTER, 64, is_signed=False, element=element)
    known = _KNOWN.get(_QUALIFIERS.sub("", text).strip())
    return None if known is None else replace(known, spelling=text, is_const="const" in text)


def _instantiated(ctype: CType, words: dict[str, str], meant: dict[str, CType]) -> CType:
    if not words and not meant:
        return ctype
    spelling = _replace_words(ctype.spelling, words)
    element = None if ctype.element is None else _instantiated(ctype.element, words, meant)
    if ctype.kind is TypeKind.DEPENDENT:
        plain = _QUALIFIERS.sub("", spelling).strip()
        known = _KNOWN.get(plain) or meant.get(plain)
        if known is not None:
            is_const = ctype.is_const or known.is_const or "const" in spelling.split()
            return replace(known, spelling=spelling, is_const=is_const)
    if spelling == ctype.spelling and element == ctype.element:
        return ctype
    return replace(ctype, spelling=spelling, element=element)


# -- text -----------------------------------------------------------------------------------------


def _replace_words(text: str, words: dict[str, str]) -> str:
    if not words:
        return text
    pieces: list[str] = []
    position = 0
    for begin, end, new in _places(text, words):
        pieces.extend((text[position:begin], new))
        position = end
    return "".join((*pieces, text[position:]))


def _places(text: str, words: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    """Where words that have to be replaced stand; members and qualified names are others', and a
    class that is given arguments there needs those of its own no more."""
    before = ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in words and before not in (".", "->", "::"):
            new = words[token]
            in_parentheses = before == "(" and _CLOSES.match(text, match.end())  # `(T)x`
            if before == "const" or in_parentheses or _CONVERTS.match(text, match.end()):
                new = new.removeprefix("const ")
            if new.endswith(">") and _GIVEN.match(text, match.end()):
                new = new.partition("<")[0]
            if new != token:
                yield match.start(), match.end(), new
        if not token.isspace():
            before = token


@final
class _View:
    """The function's text with other words in it, and nodes that are placed there."""

    def __init__(
        self,
        function: Function,
        words: dict[str, str],
        variables: dict[str, str],
        meant: dict[str, CType],
    ) -> None:
        self.old = function.span
        self.words = words
        self.meant = meant
        self.variables = {old: new for old, new in variables.items() if old != new} | words
        self.places: list[tuple[int, int, str]] = []
        if words:
            self._replace_in(self.old, words)
        for node in walk(function.body):
            if isinstance(node, DeclareTypes) and node.span is not None:
                self._replace_in(node.span, self.variables)
        self.file: SourceFile | None = None
        if self.places:
            unique = tuple(dict.fromkeys(self.places))
            self.file = self.old.file.with_replaced((*self.old.file.replaced, *unique))

    def _replace_in(self, span: SourceSpan, words: dict[str, str]) -> None:
        for begin, end, new in _places(span.text, words):
            self.places.append((span.begin + begin, span.begin + end, new))

    def moved(self, node: N) -> N:
        """`node` with the template arguments in its types and literals, and placed in the view."""
        if self.variables or self.meant:
            node = rewrite(node, self._retyped)
        file = self.file
        if file is None:
            return node

        def moved(span: SourceSpan) -> SourceSpan:
            inside = span.file is self.old.file and self.old.begin <= span.begin <= self.old.end
            return replace(span, file=file) if inside else span

        return relocate(node, moved)

    def _retyped(self, node: Node) -> Node | None:
        match node:
            case Literal(text=text) if text in self.words:
                value = self.words[text]
                number = int(value) if value.isdigit() else None
                form = Form.PATCHED if node.form is not Form.BUILT else Form.BUILT
                return replace(node, text=value, value=number, form=form)
            case Literal(text=text) if (
                "::" in text and (named := _replace_words(text, self.words)) != text
            ):
                form = Form.PATCHED if node.form is not Form.BUILT else Form.BUILT
                return replace(node, text=named, form=form)
            case Cast(type=ctype):
                operand = rewrite(node.operand, self._retyped)
                new = _instantiated(ctype, self.words, self.meant)
                if new.is_const and not ctype.is_const:
                    new = replace(new, spelling=new.spelling.removeprefix("const "), is_const=False)
                if operand is node.operand and new == ctype:
                    return None
                form = Form.PATCHED if node.form is not Form.BUILT else Form.BUILT
                return replace(node, operand=operand, type=new, form=form)
            case Verbatim(type=ctype) if (
                new := _instantiated(ctype, self.words, self.meant)
            ) != ctype:
                old = children(node)
                parts = tuple(rewrite(part, self._retyped) for part in old)
                same = all(part is before for part, before in zip(parts, old, strict=True))
                return replace(node if same else with_children(node, parts), type=new)
            case Call(type=ctype, template_arguments=arguments) if (
                any(arguments) or ctype.kind in _NAMED
            ):
                return self._called(node)
            case DeclareTypes(names=names):
                return replace(node, names=tuple(self.words.get(name, name) for name in names))
            case Declare(variables=variables):
                return self._redeclared(node, variables)
            case _:
                return None

    def _called(self, node: Call) -> Node | None:
        """A call of a template, which may be handed template arguments of this function, or of what
        gives a value whose type has another name where the function moves to."""
        new = tuple(_replace_words(text, self.variables) for text in node.template_arguments)
        ctype = node.type
        if ctype.kind in _NAMED:
            ctype = _instantiated(ctype, self.words, self.meant)
        old = children(node)
        inner = tuple(rewrite(child, self._retyped) for child in old)
        same = new == node.template_arguments and ctype == node.type
        if same and all(a is b for a, b in zip(inner, old, strict=True)):
            return None
        return replace(with_children(node, inner), template_arguments=new, type=ctype)

    def _redeclared(self, node: Declare, variables: tuple[Variable, ...]) -> Node | None:
        new = tuple(
            replace(
                variable,
                declared=_replace_words(variable.declared, self.words),
                suffix=_replace_words(variable.suffix, self.variables),
                extents=tuple(rewrite(e, self._retyped) for e in variable.extents),
                initial=None
                if variable.initial is None
                else rewrite(variable.initial, self._retyped),
            )
            for variable in variables
        )
        same = all(
            (a.declared, a.suffix, a.initial) == (b.declared, b.suffix, b.initial)
            and a.initial is b.initial
            for a, b in zip(new, variables, strict=True)
        )
        if same:
            return None
        form = Form.PATCHED if node.form is not Form.BUILT else Form.BUILT
        return replace(node, variables=new, form=form)
