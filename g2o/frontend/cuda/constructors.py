"""What is known of constructors without translating them.

struct Random {
    unsigned state;
    Random(unsigned seed) : state(seed * 69069u) { next(); }     // only gives members values
    unsigned next() { return state = state * 1664525u + 1u; }
};
"""

from __future__ import annotations

from g2o.frontend.cuda.clang_api import Cursor

_DEPTH_LIMIT = 6
_OPAQUE = frozenset({"UNEXPOSED_STMT", "GCC_ASM_STMT", "ASM_STMT", "LAMBDA_EXPR"})
_CLASSES = frozenset(
    {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE",
     "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)  # fmt: skip
_WRAPPING = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})
_ENDING = frozenset({"__assert_fail", "__assertfail", "__assert", "_wassert"})  # the program
_DOING = ("__", "tex", "surf")
_NUMBERS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})
_COMPARING = frozenset({"==", "!=", "<=", ">="})
_HARMLESS = frozenset({"PARM_DECL", "ENUM_CONSTANT_DECL", "FUNCTION_DECL", "CXX_METHOD"})


def sets_only_members(function: Cursor, depth: int = 0) -> bool:
    """Does it, with what it calls, do nothing but change the object, from its arguments alone?"""
    if not has_body(function):
        if function.spelling == "operator=" and function.semantic_parent is not None:
            return _copies_members(function.semantic_parent)
        return function.kind == "CONSTRUCTOR"
    definition = (function.template or function).definition
    if definition is None or depth > _DEPTH_LIMIT:
        return False
    if not _leaves(definition, [one for one in definition.children if _is_changeable(one)]):
        return False
    for node in definition.walk():
        if node.kind in _OPAQUE or _follows_pointer(node):
            return False
        target = node.referenced if node.kind in ("DECL_REF_EXPR", "CALL_EXPR") else None
        if node.kind == "CALL_EXPR":
            if target is not None and target.spelling == "memcpy" and _copies_argument(node):
                continue
            if target is not None and target.spelling in _ENDING:
                continue
            if target is not None and _is_of_numbers(target):
                continue
            if target is None or not sets_only_members(target, depth + 1):
                return False
        elif target is not None and target.kind not in _HARMLESS:
            inside = target.file == definition.file
            inside = inside and definition.begin <= target.begin < definition.end
            if target.kind != "VAR_DECL" or not (inside or target.type.is_const):
                return False
    return True


def _is_of_numbers(function: Cursor) -> bool:
    """Is it one of the C library's that makes a number of numbers, as `cos`? CUDA's own that do
    something have other names."""
    given = [one for one in function.children if one.kind == "PARM_DECL"]
    types = [function.result_type, *(one.type for one in given)]
    return (
        function.kind == "FUNCTION_DECL"
        and function.is_of_system
        and not function.spelling.startswith(_DOING)
        and bool(given)
        and all(one.canonical.kind in _NUMBERS for one in types)
    )


def _leaves(definition: Cursor, parameters: list[Cursor]) -> bool:
    """Does it leave what these references lead to as it is? It may keep the address of that."""
    places = {(one.file, one.begin) for one in parameters}

    def names(node: Cursor) -> bool:
        refs = (one.referenced for one in node.walk() if one.kind == "DECL_REF_EXPR")
        return any(one is not None and (one.file, one.begin) in places for one in refs)

    for node in definition.walk() if parameters else ():
        match node.kind:
            case "BINARY_OPERATOR" | "COMPOUND_ASSIGNMENT_OPERATOR":
                if node.binary_operator.endswith("=") and node.binary_operator not in _COMPARING:
                    if names(node.children[0]):
                        return False
            case "UNARY_OPERATOR":
                if node.unary_operator[0] in ("++", "--") and names(node.children[0]):
                    return False
            case "CALL_EXPR":
                target = node.referenced
                if (target is None or target.kind == "CXX_METHOD") and names(node):
                    return False
            case "VAR_DECL":
                if node.type.canonical.kind == "LVALUEREFERENCE" and names(node):
                    return False
            case _:
                pass
    return True


def _copies_members(record: Cursor, depth: int = 0) -> bool:
    """Is nothing but numbers copied, by what the compiler makes of `operator=`?"""
    if depth > _DEPTH_LIMIT or not record.children:
        return False
    for child in record.children:
        if child.spelling == "operator=" and has_body(child):
            return False
        if child.kind not in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            continue
        inner = child.type.canonical
        while inner.kind == "CONSTANTARRAY":
            inner = inner.element.canonical
        if inner.kind == "RECORD" and not _copies_members(inner.declaration, depth + 1):
            return False
    return True


def _copies_argument(call: Cursor) -> bool:
    """`memcpy(&member, &argument, size)`"""
    named: list[Cursor] = []
    for given in call.children[1:3]:
        while given.kind in _WRAPPING and len(given.children) == 1:
            given = given.children[0]
        if given.kind == "UNARY_OPERATOR" and given.unary_operator[0] == "&":
            given = given.children[0]
        named.append(given)
    if [one.kind for one in named] != ["MEMBER_REF_EXPR", "DECL_REF_EXPR"]:
        return False
    member, argument = named
    own = all(one.kind == "CXX_THIS_EXPR" for one in member.children)
    return own and argument.referenced is not None and argument.referenced.kind == "PARM_DECL"


def _is_changeable(parameter: Cursor) -> bool:
    """Is it a parameter through which a variable of the caller may be written?"""
    ctype = parameter.type.canonical
    return (
        parameter.kind == "PARM_DECL"
        and ctype.kind == "LVALUEREFERENCE"
        and not ctype.pointee.is_const
    )


def _follows_pointer(node: Cursor) -> bool:
    if node.kind == "UNARY_OPERATOR":
        return node.unary_operator[0] == "*"
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        base = node.children[0]
        while base.kind in _WRAPPING and len(base.children) == 1:
            base = base.children[0]
        return base.type.canonical.kind != "CONSTANTARRAY"
    if node.kind != "MEMBER_REF_EXPR":
        return False
    objects = [c for c in node.children if c.is_expression and c.kind != "CXX_THIS_EXPR"]
    return any(child.type.canonical.kind == "POINTER" for child in objects)


def has_body(function: Cursor) -> bool:
    """Does the source define it, rather than leave it to the compiler?"""
    if function.is_defaulted_method or _is_implicit(function):
        return False
    definition = (function.template or function).definition
    return definition is not None and any(
        child.kind in ("COMPOUND_STMT", "CXX_TRY_STMT") for child in definition.children
    )


def _is_implicit(function: Cursor) -> bool:
    """Members that the compiler adds stand where their class does."""
    parent = function.semantic_parent
    return (
        parent is not None
        and parent.kind in _CLASSES
        and (parent.file, parent.name_offset) == (function.file, function.name_offset)
    )
