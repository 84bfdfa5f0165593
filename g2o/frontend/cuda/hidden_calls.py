"""Members that need the launch and that are called in ways that cannot be inlined.

    struct Scale { __device__ void operator()(float *p) const { p[threadIdx.x] *= a; } float a; };
    template <class F> __global__ void apply(float *p, F f) { f(p); }

Nothing in the text of `apply` says that it calls the member of `Scale`, and what constructs an
object is no call that statements could take the place of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from g2o.diagnostics.diagnostic import Diagnostic, error
from g2o.diagnostics.source import SourceSpan
from g2o.frontend.cuda.callees import function_key
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.class_templates import find_methods
from g2o.frontend.cuda.constructor_calls import constructing_call, takes_nothing
from g2o.frontend.cuda.project import is_header
from g2o.frontend.cuda.shared_accessors import shared_variable
from g2o.frontend.cuda.unit import SourceUnit

_LAST_NAME = re.compile(r"(\w+)\s*(?:<[^<>]*>)?\s*$")
_ARRAYS = frozenset({"CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"})
_CALL_OPERATOR = "operator()"
_OBJECTS = frozenset({"PARM_DECL", "VAR_DECL", "FIELD_DECL"})
_LAUNCH = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_CLASSES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE",
     "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)  # fmt: skip


class HiddenCalls:
    """The calls in the files of a program that its members are looked for in."""

    def __init__(self, unit: SourceUnit, needs_launch: Callable[[str], bool]) -> None:
        """`needs_launch`: whether the function with a key does. What includes a header may hand
        any class to its templates."""
        self._unit = unit
        self._is_header = is_header(Path(unit.main_path))
        self._needs_launch = needs_launch
        self._calls: set[str] = set()
        self._unresolved: set[str] = set()
        self._types: set[str] = set()
        self._parts: set[str] = set()  # classes of members and bases
        self._variables: set[tuple[str, int, int]] = set()  # where constructors make them
        self._calls_objects = False  # somewhere, `f(x)` of an `F f`
        self._read = False

    def fault(self, member: Cursor) -> Diagnostic | None:
        """The refusal of a device function that needs the launch, if it is called unseen."""
        owner = member.semantic_parent
        if owner is None or owner.kind not in _CLASSES or shared_variable(member) is not None:
            return None
        self._read_all()
        what = self._what(member, owner)
        if what is None:
            return None
        file = self._unit.file_of(member)
        name = member.name_offset
        end = name + max(1, len(member.spelling.split("<")[0]))
        return error("G2O0210", f"{what}, which needs the launch", SourceSpan(file, name, end))

    def sets_from_launch(self, member: Cursor) -> bool:
        """Does a constructor initialise members from the place of the thread?"""
        if member.kind != "CONSTRUCTOR":
            return False
        initialisers = (child for child in member.children if child.kind != "COMPOUND_STMT")
        return any(self._names_launch(node) for child in initialisers for node in child.walk())

    def _names_launch(self, node: Cursor) -> bool:
        if node.kind == "DECL_REF_EXPR" and node.spelling in _LAUNCH:
            return True
        target = node.referenced if node.kind == "CALL_EXPR" else None
        candidates = node.overloads if node.kind == "OVERLOADED_DECL_REF" else (target,)
        return any(self._needs_launch(function_key(one)) for one in candidates if one is not None)

    def _what(self, member: Cursor, owner: Cursor) -> str | None:
        if member.kind == "DESTRUCTOR":
            return f"destructor of '{owner.spelling}'" if owner.spelling in self._types else None
        is_called = function_key(member) in self._calls
        if member.is_virtual_method and owner.spelling in self._types:
            return f"virtual function '{member.spelling}'"
        if member.kind == "CONSTRUCTOR" or member.spelling.split("<")[0] == owner.spelling:
            used = is_called or owner.spelling in self._unresolved
            used = used or (owner.spelling in self._parts and takes_nothing(member))
            return f"constructor of '{owner.spelling}'" if used else None
        if is_called:
            return None
        if member.spelling == _CALL_OPERATOR:
            used = owner.spelling in self._types or (self._is_header and self._calls_objects)
            return f"call of '{owner.spelling}' that a template makes" if used else None
        if member.spelling in self._unresolved:
            return f"call of '{member.spelling}' that depends on a template parameter"
        return None

    def _read_all(self) -> None:
        if self._read:
            return
        self._read = True
        for node in self._nodes():
            made = constructing_call(node)
            if made is not None and node.type.kind not in _ARRAYS:
                self._variables.add((made.file, made.begin, made.end))
            if node.kind in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
                self._parts.add(node.type.declaration.spelling)
            if node.kind == "CALL_EXPR":
                if (node.file, node.begin, node.end) in self._variables:
                    continue
                target = node.referenced
                if target is not None:
                    self._calls_objects = self._calls_objects or target.kind in _OBJECTS
                    self._calls.add(function_key(target))
                elif node.children:
                    callee = node.children[0]
                    text = self._unit.file_of(callee).text[callee.begin : callee.end]
                    found = find_methods(callee, text)
                    named = [one for inner in callee.walk() for one in inner.overloads]
                    if found is None and named:
                        self._calls.update(map(function_key, named))
                    elif found is None:
                        self._unresolved.update(_LAST_NAME.findall(text))
                    else:
                        self._calls.update(map(function_key, found.methods))
            elif node.kind in ("TYPE_REF", "TEMPLATE_REF") and node.referenced is not None:
                self._types.add(node.referenced.spelling)

    def _nodes(self) -> Iterator[Cursor]:
        for top in self._unit.translation_unit.top_level:
            if not self._unit.is_system(top):
                yield from top.walk()
