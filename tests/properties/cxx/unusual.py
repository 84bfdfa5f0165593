"""Random statements that few programs have: places that are chosen, jumps forwards, loops that
count down or march with pointers, members that are references, loads of several numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tests.properties.cxx.control import absorb, assign
from tests.properties.cxx.scope import Variable
from tests.properties.cxx.tree import Arm, Block, Does, Expr, Kind, Simple, Statement, touches_of
from tests.properties.cxx.writer import COMMON, Writer, leaves


def _number(w: Writer) -> int:
    """For a name that nothing else has."""
    w.lambdas += 1
    return w.lambdas


def _places(w: Writer, kind: str, count: int) -> list[Expr] | None:
    found = w.e.writable(kind)
    return [w.random.choice(found)() for _ in range(count)] if found else None


# -- places -------------------------------------------------------------------------------------


def chosen(w: Writer) -> list[Statement]:
    """`(c ? a : b) += v;`"""
    kind = w.random.choice(COMMON)
    places = _places(w, kind, 2)
    if places is None:
        return absorb(w)
    value = w.e.scalar(kind, 2)
    op = w.random.choice(["+=", "^=", "="]) if kind.startswith("unsigned") else "="
    if op in ("+=", "^=") and kind not in ("unsigned", "unsigned long long"):
        op = "="
    return [Simple(f"(@0 ? @1 : @2) {op} @3;", (w.e.condition(2), *places, value))]


def after_comma(w: Writer) -> list[Statement]:
    """`(a ^= u, b) += v;`, where v does not depend on a: g++ 12 looks at v behind the change."""
    places = _places(w, "unsigned", 2)
    if places is None:
        return absorb(w)
    first, second = (w.e.scalar("unsigned", 2) for _ in range(2))
    text = "{ const unsigned added = @3; (@0 ^= @1, @2) += added; }"
    return [Simple(text, (places[0], first, places[1], second))]


def inside_others(w: Writer) -> list[Statement]:
    """Changes inside of expressions: `h += x++ + 3u;`, `if ((x += u) > v)`."""
    variables = [
        one
        for one in w.scopes.visible()
        if one.type == "unsigned" and not (one.constant or one.extent or one.uniform)
        if not (one.rows or one.touches or one.pointer) and one.name != w.hash
        if "." not in one.name  # what may refer to the hash, which is read beside the change
    ]
    if not variables:
        return absorb(w)
    name = w.random.choice(variables).name
    forms = [
        f"{w.hash} += {name}++ * 3u;",
        f"{w.hash} ^= --{name} + 5u;",
        f"{w.hash} += ({name} ^= @0);",
        f"{w.hash} = {w.hash} * 31u + ({name} += @0, {name} >> 1);",
        f"if (({name} += @0) % 3u == 1u && ++{name} > 5u)\n    {w.hash} ^= {name};",
        f"if ({name} % 2u || {name}++ % 3u == 0u)\n    {w.hash} += {name};",
        f"{w.hash} += {name} % 2u ? {name}++ : (@0);",
    ]
    return [Simple(w.random.choice(forms), (w.e.scalar("unsigned", 1),))]


def holder(w: Writer) -> list[Statement]:
    """An object with members that are references and pointers to what is there."""
    places, others = _places(w, "unsigned", 1), _places(w, "float", 1)
    if places is None:
        return absorb(w)
    if others is None:
        form, parts, members = "{@0, &@0}", (places[0],), ("r", "p")
        what = "Links"
    else:
        form, parts, members, what = "{@0, &@1}", (places[0], others[0]), ("r", "p"), "Mixed"
    name = f"held{_number(w)}"
    level = w.scopes.level
    types = ("unsigned", "unsigned" if others is None else "float")
    for member, kind, place in zip(members, types, (parts[0], parts[-1]), strict=True):
        made = Variable(f"{name}.{member}", kind, touches=touches_of(place), level=level)
        pointer = member == "p"
        w.scopes.add(replace(made, pointer=True, extent=1) if pointer else made)
    constant = w.random.choice(["const ", ""])
    space = w.random.choice([" = ", ""])
    return [Simple(f"{constant}{what} {name}{space}{form};", parts)]


def copied(w: Writer) -> list[Statement]:
    """`S c = d;`, `d = c;`"""
    objects = [
        one
        for one in w.scopes.visible()
        if one.type in w.e.classes and not (one.extent or one.pointer or one.touches)
    ]
    if not objects:
        return chosen(w)
    one = w.random.choice(objects)
    same = [other for other in objects if other.type == one.type and not other.constant]
    if len(same) > 1 and w.chance(0.5):
        return [Simple(f"{w.random.choice(same).name} = {one.name};")]
    name = f"copy{_number(w)}"
    w.scopes.add(Variable(name, one.type, level=w.scopes.level))
    return [Simple(f"{w.random.choice([one.type, 'auto'])} {name} = {one.name};")]


def given_values(w: Writer) -> list[Statement]:
    """Lambdas that keep values of their own: `[v = @0](unsigned u) mutable { ... }`."""
    name, target = f"f{_number(w)}", f"made{w.lambdas}"
    first, second = w.e.scalar("unsigned", 2), w.e.scalar("unsigned", 1)
    w.scopes.add(Variable(target, "unsigned", level=w.scopes.level))
    form = (
        f"auto {name} = [v = @0](unsigned u) mutable {{ return v += u * 3u; }};\n"
        f"unsigned {target} = {name}(@1);\n{target} ^= {name}({target});"
    )
    return [Simple(form, (first, second))]


# -- loads --------------------------------------------------------------------------------------


def wide_load(w: Writer) -> list[Statement]:
    """Several numbers at once, or through indices of 64 bits."""
    if "t" not in {one.name for one in w.scopes.visible()} or not w.e.modes:
        return absorb(w)  # not in a kernel
    name = f"wide{_number(w)}"
    value = w.e.scalar("unsigned", 1)
    w.scopes.add(Variable(name, "unsigned", level=w.scopes.level))
    count = w.e.total
    return [
        Simple(
            w.random.choice(
                [
                    f"unsigned {name} = reinterpret_cast<const uint2 *>(in)"
                    f"[@0 % {max(count // 2, 1)}u].y;"
                    if count > 1
                    else f"unsigned {name} = in[@0 % {count}u];",
                    f"const float2 pair{w.lambdas} = reinterpret_cast<const float2 *>(given)"
                    f"[@0 % {max(count // 2, 1)}u];\n"
                    f"unsigned {name} = unsigned(pair{w.lambdas}.x * 4.0f + 8.0f) * 3u + "
                    f"unsigned(pair{w.lambdas}.y * 2.0f + 4.0f);",
                    f"unsigned {name} = in[size_t(@0) % {count}];",
                    f"const long long at{w.lambdas} = (long long)(@0) - 5000000000ll;\n"
                    f"unsigned {name} = in[(at{w.lambdas} + 6000000000ll) % {count}];",
                    f"unsigned {name} = __float_as_uint(given[@0 % {count}u]);",
                ]
            ),
            (value,),
        )
    ]


# -- control ------------------------------------------------------------------------------------


def forward(w: Writer) -> list[Statement]:
    """A jump over statements: `if (c) goto done; { ... } done:`"""
    label, test = f"done{_number(w)}", w.e.condition(2)
    with w.inside(together=False):
        inner = w.body(2)
    jump = Block(Kind.BRANCH, (Arm("if (@0) {", (test,), (Simple(f"goto {label};"),)),))
    scope = Block(Kind.SCOPE, (Arm("{", (), inner),))
    if leaves(inner):
        return [scope]
    return [jump, scope, Simple(f"{label}:;")]


def out_of_loops(w: Writer) -> list[Statement]:
    """A jump out of two loops at once."""
    label, number = f"out{_number(w)}", w.lambdas
    test = w.e.condition(2)
    counters = [f"r{number}", f"l{number}"]
    with w.inside(together=False, leaves=False, continues=False, all_leave=False):
        for one in counters:
            w.scopes.add(Variable(one, "int", constant=True, bound=2))
        inner = w.body(2)
    jump = Block(Kind.BRANCH, (Arm("if (@0) {", (test,), (Simple(f"goto {label};"),)),))
    scope = Block(Kind.SCOPE, (Arm("{", (), inner),))  # whose names may hide those of the test
    body: tuple[Statement, ...] = (scope, jump) if not leaves(inner) else (jump, *inner)
    for one in reversed(counters):
        body = (Block(Kind.LOOP, (Arm(f"for (int {one} = 0; {one} < 3; ++{one}) {{", (), body),)),)
    return [*body, Simple(f"{label}:;")]


def down(w: Writer) -> list[Statement]:
    """Loops that count down to nought, past it, or by changes of their conditions."""
    name = f"d{_number(w)}"
    heads: list[tuple[str, str, str, int, bool]] = [
        (f"for (unsigned {name} = @0 % 4u; {name}-- > 0;) {{", "}", "unsigned", 3, True),
        (f"for (size_t {name} = 3; {name}-- != 0;) {{", "}", "", 2, True),
        (f"for (unsigned {name} = 2; {name} < 3; --{name}) {{", "}", "unsigned", 2, True),
        (f"for (int {name} = int(@0 % 4u) - 1; {name} >= 0; --{name}) {{", "}", "int", 3, True),
        (f"unsigned {name} = @0 % 5u;\nwhile ({name}--) {{", "}", "unsigned", 4, True),
        (f"unsigned {name} = @0 % 64u;\ndo {{", f"}} while (({name} >>= 2) > 0u);", "unsigned", 63,
         False),
        (f"unsigned {name} = @0 % 7u;\ndo {{", f"}} while ({name}-- > 4u);", "unsigned", 6, False),
        (f"for (unsigned {name} = @0 % 3u, e{name} = {name} + 2u; {name} != e{name}; ++{name}) {{",
         "}", "unsigned", 4, True),
        (f"for (unsigned {name} = @0 % 8u; {name}; {name} &= {name} - 1u) {{", "}", "unsigned", 7,
         True),
    ]  # fmt: skip
    head, tail, kind, bound, continues = w.random.choice(heads)
    start = w.e.scalar("unsigned", 2)
    with w.inside(together=False, leaves=True, continues=continues, all_leave=False):
        if kind:
            w.scopes.add(Variable(name, kind, constant=True, bound=bound))
        inner = w.body(2)
    return [Block(Kind.LOOP, (Arm(head, (start,), inner),), tail)]


def marching(w: Writer) -> list[Statement]:
    """A pointer that is stepped through memory."""
    if "t" not in {one.name for one in w.scopes.visible()} or not w.e.modes:
        return down(w)
    count, name = w.e.total, f"at{_number(w)}"
    array, kind = w.random.choice([("in", "unsigned"), ("given", "float")])
    steps = (f"++{name}", f"{name} += 2", f"{name} += {max(count // 3, 1)}")
    step = w.random.choice(steps)
    first = w.random.choice([f"{array} + g % {count}u", f"&{array}[t % {count}u]", array])
    end = w.random.choice([f"{array} + {count}", f"{array} + {max(count - 3, 0)}"])
    with w.inside(together=False, leaves=True, continues=True, all_leave=False):
        w.scopes.add(Variable(name, kind, 1, constant=True, pointer=True))
        inner = w.body(2)
    test = f"{name} < {end}"
    if w.chance(0.6) or leaves(inner):
        head = f"for (const {kind} *{name} = {first}; {test}; {step}) {{"
        return [Block(Kind.LOOP, (Arm(head, (), inner),))]
    inner = tuple(one for one in inner if not _goes_on(one))
    head = f"const {kind} *{name} = {first};\nwhile ({test}) {{"
    return [Block(Kind.LOOP, (Arm(head, (), (*inner, Simple(f"{step};"))),))]


def _goes_on(statement: Statement) -> bool:
    """Is there a `continue` of the loop around in it?"""
    if isinstance(statement, Simple):
        return statement.does is Does.CONTINUE
    if statement.kind is Kind.LOOP:
        return False
    return any(_goes_on(one) for arm in statement.arms for one in arm.body)


def each_of(w: Writer) -> list[Statement]:
    """`for (unsigned v : a) { ... }`"""
    arrays = [
        one
        for one in w.scopes.visible()
        if one.type in ("unsigned", "int", "float") and one.extent and not one.pointer
        if not (one.rows or one.touches or one.constant)
    ]
    if not arrays:
        return down(w)
    array, name = w.random.choice(arrays), f"each{_number(w)}"
    changes = w.chance(0.4)
    with w.inside(together=False, leaves=True, continues=True, all_leave=False):
        w.scopes.add(Variable(name, array.type, constant=not changes))
        inner = w.body(2)
    head = f"for ({array.type} {'&' if changes else ''}{name} : {array.name}) {{"
    return [Block(Kind.LOOP, (Arm(head, (), inner),))]


def all_return(w: Writer) -> list[Statement]:
    """All threads of the block leave the kernel, in front of barriers."""
    if not w.context.together or w.more is None:
        return assign(w)
    test = w.e.condition(2, uniform=True)
    inner = (Simple("out[g] = h;"), Simple("return;", (), Does.RETURN))
    return [Block(Kind.BRANCH, (Arm("if (@0) {", (test,), inner),), together=True)]


_ALONE: Final[list[Callable[[Writer], list[Statement]]]] = [
    *(chosen, chosen, after_comma, inside_others, inside_others, holder, holder, copied),
    *(given_values, wide_load, wide_load, all_return),
]
_NESTED: Final[list[Callable[[Writer], list[Statement]]]] = [
    *(forward, out_of_loops, down, down, marching, each_of),
]


def kinds(w: Writer) -> list[Callable[[Writer], list[Statement]]]:
    return [*_ALONE, *(_NESTED if w.context.depth < w.deepest else ())]
