"""Which pointers of host code lead to memory of their own.

    float *now, *next;                       now and next: each holds what it was allocated, or
    cudaMalloc(&now, bytes);                 what the other one was
    cudaMalloc(&next, bytes);
    ...
    std::swap(now, next);

A variable owns its memory where all that happens to it is in sight: it is allocated, set to null,
read, or exchanged with variables that own theirs. What is copied from it owns nothing. Memory of
two owners does not overlap, whatever is exchanged: an exchange only permutes who has what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from g2o.frontend.cuda.clang_api import Cursor, DeclaredAt
from g2o.frontend.cuda.host_code import (
    CALLABLE,
    WRAPPERS,
    CodeNode,
    HostCode,
    callee,
    is_same,
    outermost_place,
    stripped,
)
from g2o.frontend.cuda.lexer import word_set

_ALLOCATE: Final = word_set(
    "cudaMalloc cudaMallocManaged cudaMallocHost cudaHostAlloc cudaMallocPitch cudaMallocAsync"
    " cudaMallocFromPoolAsync posix_memalign"
)  # through their first argument
_ALLOCATED: Final = word_set("malloc calloc aligned_alloc _mm_malloc")
_OWNING_CLASSES: Final = word_set("vector device_vector host_vector")
_DATA: Final = word_set("data raw_pointer_cast get")
_SILENT: Final = ("UNEXPOSED_EXPR", "PAREN_EXPR")
_MOST_CALLERS: Final = 4  # functions around each other whose parameters are followed
_LONGEST_EXCHANGE: Final = 6


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A variable that holds a pointer, or an element of an array of pointers."""

    variable: Cursor = field(compare=False)
    at: DeclaredAt
    element: Cursor | None = field(default=None, compare=False)


NULL: Final = "null"


@final
class HostMemory:
    """Answers for the host code of one unit."""

    def __init__(self, code: HostCode) -> None:
        self._code = code
        self._unit = code.unit
        self._partners: dict[DeclaredAt, frozenset[DeclaredAt] | None] = {}
        self._variables: dict[DeclaredAt, Cursor] = {}

    # -- questions -------------------------------------------------------------------------------

    def are_apart(self, one: Cursor, other: Cursor, function: Cursor, depth: int = 0) -> bool:
        """Do two arguments of a call in `function` lead to memory that does not overlap?"""
        first, second = self._places(one), self._places(other)
        if not first or not second or None in first or None in second:
            return False
        return all(
            self._apart(left, right, function, depth)
            for left in first
            for right in second
            if left is not None and right is not None
        )

    # -- where a pointer comes from --------------------------------------------------------------

    def _places(self, expr: Cursor) -> tuple[Place | str | None, ...]:
        """What an expression may be made from: `NULL`, or None for what is not understood."""
        cursor = stripped(expr)
        kind = cursor.kind
        if _is_null(cursor):
            return (NULL,)
        if kind == "CONDITIONAL_OPERATOR" and len(cursor.children) == 3:
            return (*self._places(cursor.children[1]), *self._places(cursor.children[2]))
        if kind == "DECL_REF_EXPR":
            variable = cursor.referenced
            if variable is None or variable.kind not in ("VAR_DECL", "PARM_DECL"):
                return (None,)
            return (Place(variable, variable.declared_at),)
        if kind == "BINARY_OPERATOR" and cursor.binary_operator in ("+", "-"):
            pointers = [one for one in cursor.children if _leads_on(one)]
            return self._places(pointers[0]) if len(pointers) == 1 else (None,)
        if kind == "UNARY_OPERATOR" and cursor.unary_operator[0] == "&":
            inner = stripped(cursor.children[0])
            if inner.kind == "ARRAY_SUBSCRIPT_EXPR":
                return self._places(inner.children[0])
            return (None,)
        if kind == "ARRAY_SUBSCRIPT_EXPR":
            base = stripped(cursor.children[0])
            variable = base.referenced if base.kind == "DECL_REF_EXPR" else None
            if variable is None or variable.type.canonical.kind != "CONSTANTARRAY":
                return (None,)
            return (Place(variable, variable.declared_at, cursor.children[1]),)
        if kind == "CALL_EXPR" and cursor.spelling in _DATA:
            return self._held(cursor)
        return (None,)

    def _held(self, call: Cursor) -> tuple[Place | str | None, ...]:
        """The container in `v.data()`, `thrust::raw_pointer_cast(v.data())` or `(&v[0])`: what it
        holds is what the pointer leads to, and no pointer itself."""
        named = [one for one in call.walk() if one.kind == "DECL_REF_EXPR"]
        variables = [one.referenced for one in named]
        held = [one for one in variables if one is not None and one.kind == "VAR_DECL"]
        if len(held) != 1 or not self._is_container(held[0]):
            return (None,)
        element = held[0].type.canonical.template_argument(0).canonical.spelling
        pointee = call.type.canonical.pointee.canonical.spelling
        if pointee.removeprefix("const ") != element:
            return (None,)
        return (Place(held[0], held[0].declared_at),)

    # -- who owns what ---------------------------------------------------------------------------

    def _apart(self, one: Place | str, other: Place | str, function: Cursor, depth: int) -> bool:
        if isinstance(one, str) or isinstance(other, str):
            return True  # null
        if one.at == other.at and not self._other_element(one, other, function):
            return False
        first = self._exchanged(one.variable, function)
        second = self._exchanged(other.variable, function)
        if first is None or second is None:
            return False
        return all(
            self._own_apart(self._variables[left], self._variables[right], function, depth)
            for left in first
            for right in second
            if left != right
        )

    def _own_apart(self, one: Cursor, other: Cursor, function: Cursor, depth: int) -> bool:
        """Are two variables apart that nothing but exchanges connects?"""
        given = [each.kind == "PARM_DECL" for each in (one, other)]
        if all(given):
            return self._arguments_apart(function, one, other, depth)
        if not any(given):
            return True
        # What was allocated meanwhile is not what the caller gave; a container may be moved to.
        return not self._is_container(other if given[0] else one)

    def _arguments_apart(self, function: Cursor, one: Cursor, other: Cursor, depth: int) -> bool:
        """Do all calls give two parameters memory that is apart?"""
        calls = self._code.calls(function)
        if depth >= _MOST_CALLERS or calls is None:
            return False
        parameters = [child for child in function.children if child.kind == "PARM_DECL"]
        names = [each.declared_at for each in parameters]
        if one.declared_at not in names or other.declared_at not in names:
            return False
        left, right = names.index(one.declared_at), names.index(other.declared_at)
        for around, node in calls:
            arguments = node.cursor.arguments
            if len(arguments) <= max(left, right) or around.kind != "FUNCTION_DECL":
                return False
            if not self.are_apart(arguments[left], arguments[right], around, depth + 1):
                return False
        return True

    def _exchanged(self, variable: Cursor, function: Cursor) -> frozenset[DeclaredAt] | None:
        """A variable and all that it exchanges memory with, each of them an owner; else None."""
        found: set[DeclaredAt] = set()
        waiting = [variable]
        while waiting:
            current = waiting.pop()
            at = current.declared_at
            if at in found:
                continue
            found.add(at)
            self._variables[at] = current
            partners = self._partners_of(current, function)
            if partners is None:
                return None
            waiting += [self._variables[one] for one in partners]
        return frozenset(found)

    def _partners_of(self, variable: Cursor, function: Cursor) -> frozenset[DeclaredAt] | None:
        at = variable.declared_at
        if at not in self._partners:
            self._partners[at] = None  # for those that come back to it
            self._partners[at] = self._read(variable, function)
        return self._partners[at]

    def _read(self, variable: Cursor, function: Cursor) -> frozenset[DeclaredAt] | None:
        """What a variable of a function exchanges its memory with; None where it is no owner."""
        if self._is_container(variable):
            return frozenset()
        parent = variable.semantic_parent
        if parent is None or parent.declared_at != function.declared_at:
            return None  # of the file, or of a class
        if variable.storage == "STATIC" or not self._starts_owning(variable):
            return None
        if self._code.names_unseen(function, variable.spelling):
            return None
        partners: set[DeclaredAt] = set()
        for node in self._code.uses(function, variable):
            found = self._use(node, function)
            if found is None:
                return None
            partners |= found
        return frozenset(partners - {variable.declared_at})

    def _starts_owning(self, variable: Cursor) -> bool:
        kind = variable.type.canonical.kind
        given = [one for one in variable.children if one.is_expression]
        if kind == "CONSTANTARRAY" and variable.type.canonical.element.canonical.kind == "POINTER":
            return not any(one.kind == "INIT_LIST_EXPR" for one in given)
        if kind == "INT":
            return _start_of(variable) is not None
        if kind != "POINTER":
            return False
        if variable.kind == "PARM_DECL" or not given:
            return True
        return self._is_owned(given[-1])

    def _is_owned(self, value: Cursor) -> bool:
        """Is a value null, or memory that nobody else has?"""
        cursor = stripped(value)
        if _is_null(cursor):
            return True
        if cursor.kind == "CXX_NEW_EXPR":
            text = self._unit.file_of(cursor).text[cursor.begin : cursor.end]
            return text.startswith("new") and not text[3:].lstrip().startswith("(")
        if cursor.kind != "CALL_EXPR":
            return False
        target = cursor.referenced
        if callee(cursor) in _ALLOCATED and self._is_of_library(target):
            return True
        definition = None if target is None else target.pattern.definition
        return definition is not None and self._gives_owned(definition)

    def _is_of_library(self, target: Cursor | None) -> bool:
        """Is it no function of the program? In a template its name has to say what it is."""
        return target is None or all(map(self._unit.is_system, target.overloads or (target,)))

    def _is_container(self, variable: Cursor) -> bool:
        """Is it an object, not a reference to one, of a library's class that owns what it holds?"""
        canonical = variable.type.canonical
        if canonical.kind != "RECORD" or canonical.declaration.spelling not in _OWNING_CLASSES:
            return False
        return self._unit.is_system(canonical.declaration)

    def _gives_owned(self, function: Cursor) -> bool:
        """Does a function of the program return what it has allocated?"""
        if self._unit.is_system(function) or function.kind not in CALLABLE:
            return False
        result = function.result_type
        if result.canonical.kind != "POINTER" and "*" not in result.spelling:
            return False
        if self._code.names_unseen(function, "return"):
            return False
        returned = [one for one in function.walk() if one.kind == "RETURN_STMT" and one.children]
        for each in returned:
            value = stripped(each.children[0])
            variable = value.referenced if value.kind == "DECL_REF_EXPR" else None
            if variable is None:
                if not self._is_owned(value):
                    return False
            elif variable.kind != "VAR_DECL" or not self._is_alone(variable, function):
                return False
        return bool(returned)

    def _is_alone(self, variable: Cursor, function: Cursor) -> bool:
        """Is it an owner that exchanges its memory with nobody?"""
        found = self._exchanged(variable, function)
        return found is not None and len(found) == 1

    # -- what is done to a variable --------------------------------------------------------------

    def _use(self, node: CodeNode, function: Cursor) -> frozenset[DeclaredAt] | None:
        """What one use exchanges the variable with; None where it may change in another way."""
        nothing = frozenset[DeclaredAt]()
        node, parent = outermost_place(node)
        if parent is None:
            return None
        cursor = parent.cursor
        match cursor.kind:
            case "UNEXPOSED_EXPR" | "CXX_UNARY_EXPR" | "COMPOUND_STMT" | "CXX_DELETE_EXPR":
                return nothing
            case "RETURN_STMT":
                return nothing if "&" not in function.result_type.spelling else None
            case "CSTYLE_CAST_EXPR" if cursor.type.canonical.kind == "VOID":
                return nothing
            case "BINARY_OPERATOR" if cursor.binary_operator == "=":
                return self._assigned(node, parent)
            case "UNARY_OPERATOR" if cursor.unary_operator[0] == "&":
                return nothing if self._is_allocated(parent) else None
            case "CALL_EXPR":
                return self._given(node, parent)
            case "LAMBDA_EXPR" if node.cursor.kind == "VARIABLE_REF":
                return nothing  # what a lambda captures: its body is looked at like all the rest
            case _:
                return None

    def _assigned(self, node: CodeNode, parent: CodeNode) -> frozenset[DeclaredAt] | None:
        left, right = parent.cursor.children
        if not is_same(left, node.cursor):
            return frozenset()  # the value, in a template
        if _leads_on(left) and self._is_owned(right):
            return frozenset()
        return self._exchange_at(parent)

    def _given(self, node: CodeNode, parent: CodeNode) -> frozenset[DeclaredAt] | None:
        """A variable as the argument of a call that takes a reference."""
        call = parent.cursor
        arguments = call.arguments
        is_swap = call.spelling == "swap" and call.referenced is not None
        if is_swap and self._is_of_library(call.referenced) and len(arguments) == 2:
            places = [place for each in arguments for place in self._places(each)]
            known = [one for one in places if isinstance(one, Place)]
            if len(known) != 2 or len(places) != 2:
                return None
            self._variables.update((one.at, one.variable) for one in known)
            return frozenset(one.at for one in known)
        return frozenset() if self._fills(call, node.cursor) else None

    def _is_allocated(self, address: CodeNode) -> bool:
        """Is `&pointer` handed to what allocates, and to nothing else?"""
        node = address
        while node.parent is not None and node.parent.cursor.kind in WRAPPERS:
            node = node.parent
        call = node.parent
        if call is None or call.cursor.kind != "CALL_EXPR":
            return False
        arguments = call.cursor.arguments
        if callee(call.cursor) in _ALLOCATE and self._is_of_library(call.cursor.referenced):
            return not arguments or is_same(arguments[0], node.cursor)
        return self._fills(call.cursor, node.cursor)

    def _fills(self, call: Cursor, argument: Cursor) -> bool:
        """Does a function of the program do nothing with the pointer it is given the address of,
        but allocate it?"""
        target = call.referenced
        definition = None if target is None else target.pattern.definition
        positions = [
            at for at, each in enumerate(call.arguments) if is_same(stripped(each), argument)
        ]
        if definition is None or self._unit.is_system(definition) or len(positions) != 1:
            return False
        parameters = [one for one in definition.children if one.kind == "PARM_DECL"]
        if len(parameters) <= positions[0] or definition.kind not in CALLABLE:
            return False
        parameter = parameters[positions[0]]
        if self._code.names_unseen(definition, parameter.spelling):
            return False
        if parameter.type.canonical.kind == "LVALUEREFERENCE":
            uses = (self._use(each, definition) for each in self._code.uses(definition, parameter))
            return all(found is not None and not found for found in uses)
        return all(
            self._is_allocated(each) or self._behind_pointer(each, definition)
            for each in self._code.uses(definition, parameter)
        )

    def _behind_pointer(self, node: CodeNode, function: Cursor) -> bool:
        """`*pointer` in a function that is given the address of a pointer."""
        while node.parent is not None and node.parent.cursor.kind in _SILENT:
            node = node.parent
        if node.parent is None or node.parent.cursor.kind != "UNARY_OPERATOR":
            return False
        return node.parent.cursor.unary_operator[0] == "*" and (
            self._use(node.parent, function) == frozenset()
        )

    # -- exchanges -------------------------------------------------------------------------------

    def _exchange_at(self, assignment: CodeNode) -> frozenset[DeclaredAt] | None:
        """The variables of `t = a; a = b; b = t;` that an assignment is part of."""
        block = assignment.parent
        if block is None or block.cursor.kind != "COMPOUND_STMT":
            return None
        statements = block.cursor.children
        at = next(
            (at for at, one in enumerate(statements) if is_same(one, assignment.cursor)), None
        )
        if at is None:
            return None
        for first in range(max(0, at - _LONGEST_EXCHANGE), at + 1):
            found = self._exchange_from(statements, first)
            if found is not None and first <= at < first + len(found) + 1:
                self._variables.update((one.declared_at, one) for one in found)
                return frozenset(one.declared_at for one in found)
        return None

    def _exchange_from(self, statements: Sequence[Cursor], first: int) -> list[Cursor] | None:
        """The variables that pass their values on, from the statement that keeps one of them."""
        kept = _copied(statements[first])
        if kept is None:
            return None
        temporary, start = kept
        found = [start]
        for statement in statements[first + 1 : first + _LONGEST_EXCHANGE + 1]:
            copy = _copied(statement)
            if copy is None or not _is_same_variable(copy[0], found[-1]):
                return None
            if _is_same_variable(copy[1], temporary):
                return found
            if any(_is_same_variable(copy[1], one) for one in found):
                return None
            found.append(copy[1])
        return None

    def _other_element(self, one: Place, other: Place, function: Cursor) -> bool:
        """Are two places different elements of one array for sure: `[0]` and `[1]`, `[i]` and
        `[1 - i]`, `[from]` and `[to]` that only exchange their values?"""
        if one.element is None or other.element is None:
            return False
        values = one.element.evaluate_integer(), other.element.evaluate_integer()
        if values[0] is not None and values[1] is not None:
            return values[0] != values[1]
        left, right = (self._text(each) for each in (one.element, other.element))
        if right in _others(left) or left in _others(right):
            return True
        named = [stripped(each) for each in (one.element, other.element)]
        counters = [each.referenced for each in named if each.kind == "DECL_REF_EXPR"]
        return self._are_exchanged([each for each in counters if each is not None], function)

    def _are_exchanged(self, counters: Sequence[Cursor], function: Cursor) -> bool:
        """Are they two integers that start apart, and that nothing but exchanges changes?"""
        if len(counters) != 2 or any(one.kind != "VAR_DECL" for one in counters):
            return False
        groups = [self._exchanged(one, function) for one in counters]
        if groups[0] is None or groups[0] != groups[1] or _is_same_variable(*counters):
            return False
        values = [_start_of(self._variables[at]) for at in groups[0]]
        return None not in values and len(set(values)) == len(values)

    def _text(self, cursor: Cursor) -> str:
        text = self._unit.file_of(cursor).text[cursor.begin : cursor.end]
        return "".join(text.split())


def _copied(statement: Cursor) -> tuple[Cursor, Cursor] | None:
    """The variables of `T *to = from;` or `to = from;`."""
    if statement.kind == "DECL_STMT" and len(statement.children) == 1:
        variable = statement.children[0]
        given = [one for one in variable.children if one.is_expression]
        value = stripped(given[-1]) if given and variable.kind == "VAR_DECL" else None
        source = value.referenced if value is not None and value.kind == "DECL_REF_EXPR" else None
        return None if source is None else (variable, source)
    if statement.kind != "BINARY_OPERATOR" or statement.binary_operator != "=":
        return None
    sides = [stripped(one) for one in statement.children]
    named = [one.referenced for one in sides if one.kind == "DECL_REF_EXPR"]
    if len(named) != 2 or named[0] is None or named[1] is None:
        return None
    return named[0], named[1]


def _start_of(variable: Cursor) -> int | None:
    """The number that a variable starts with."""
    given = [one for one in variable.children if one.is_expression]
    return given[-1].evaluate_integer() if given and variable.kind == "VAR_DECL" else None


def _is_null(cursor: Cursor) -> bool:
    if cursor.kind in ("CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR"):
        return True
    return cursor.kind == "INTEGER_LITERAL" and cursor.evaluate_integer() == 0


def _leads_on(expr: Cursor) -> bool:
    return expr.type.canonical.kind in ("POINTER", "CONSTANTARRAY")


def _is_same_variable(one: Cursor, other: Cursor) -> bool:
    return one.declared_at == other.declared_at


def _others(index: str) -> tuple[str, ...]:
    """How a file may spell an index that is never the one of this name."""
    if not index.isidentifier():
        return ()
    return (f"1-{index}", f"!{index}", f"{index}^1", f"1^{index}", f"({index}+1)%2")
