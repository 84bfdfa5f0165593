"""Random assignments, calls and flow of control of one thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tests.properties.cxx.declarations import array, closure, object_, reference, scalar, vector
from tests.properties.cxx.scope import Variable, named
from tests.properties.cxx.tree import Arm, Block, Does, Expr, Kind, Simple, Statement
from tests.properties.cxx.writer import COMMON, Writer, leaves

# -- changes ------------------------------------------------------------------------------------


def assign(w: Writer) -> list[Statement]:
    kind = w.random.choice(COMMON)
    uniform = w.context.together and w.chance(0.15)
    places = w.e.writable(kind, uniform=uniform)
    if not places:
        return [w.take(w.e.scalar("unsigned", 3))]
    place = w.random.choice(places)()
    if kind in ("unsigned", "unsigned long long") and w.chance(0.15):
        return [Simple(w.random.choice(["++@0;", "@0++;", "--@0;"]), (place,))]
    value = w.e.scalar(kind, 3, uniform=uniform)
    if kind in ("unsigned", "unsigned long long"):
        op = w.random.choice(["=", "+=", "-=", "*=", "^=", "|="])
    elif kind == "float" or kind == "double":
        op = w.random.choice(["=", "+=", "-="])
    elif kind == "int":
        op = w.random.choice(["=", "^=", "&="])
    else:
        op = "="
    return [Simple(f"@0 {op} @1;", (place, value))]


def absorb(w: Writer) -> list[Statement]:
    kind = w.random.choice(COMMON)
    return [w.take(w.e.scalar(kind, 3))]


def reseat(w: Writer) -> list[Statement]:
    """A pointer points to something else of at least its own lifetime."""
    pointers = [
        one
        for one in w.scopes.visible()
        if one.pointer and one.extent == 1 and not one.touches and not one.constant
    ]
    w.random.shuffle(pointers)
    for pointer in pointers:
        targets = [
            one
            for one in w.scopes.visible()
            if one.type == pointer.type
            and not one.extent
            and not one.pointer
            and not one.constant
            and not one.uniform
            and not one.touches
            and one.level <= pointer.level
            and one.level > 0
        ]
        if targets:
            target = w.random.choice(targets).name
            if w.chance(0.4):
                return [
                    Simple(
                        f"{pointer.name} = @0 ? {pointer.name} : &{target};", (w.e.condition(2),)
                    )
                ]
            return [Simple(f"{pointer.name} = &{target};")]
    return assign(w)


def routine(w: Writer) -> list[Statement]:
    """A call of a function or method with side effects, its result kept or not."""
    fitting = [one for one in w.routines if w.e.may(one.touches)]
    w.random.shuffle(fitting)
    for called in fitting[:4]:
        parts: list[Expr] = []
        for kind in called.arguments:
            if not kind.endswith("&"):
                parts.append(w.e.scalar(kind, 2))
                continue
            places = w.e.writable(kind[:-2])
            if not places:
                break
            parts.append(w.random.choice(places)())
        else:
            parts.append(Expr("", touches=called.touches))
            if called.result == "void" or w.chance(0.2):
                return [Simple(f"{called.form};", tuple(parts))]
            place = w.e.writable(called.result)
            if place and w.chance(0.4):
                target = w.random.choice(place)()
                if not target.parts:
                    form = re.sub(r"@(\d)", lambda hole: f"@{int(hole[1]) + 1}", called.form)
                    return [Simple(f"@0 = {form};", (target, *parts))]
            name = w.name()
            if any(re.search(rf"\b{name}\b", str(part)) for part in parts):
                return []
            w.scopes.add(Variable(name, called.result, level=w.scopes.level))
            return [Simple(f"{called.result} {name} = {called.form};", tuple(parts))]
    return change(w)


def change(w: Writer) -> list[Statement]:
    """A method changes its object."""
    objects = [
        one
        for one in w.scopes.visible()
        if one.type in w.e.classes and not one.constant and w.e.classes[one.type].changes
    ]
    if not objects:
        return object_(w)
    one = w.random.choice(objects)
    form, _, arguments = w.random.choice(w.e.classes[one.type].changes)
    return [Simple("@0;", (w.e.method(one, form, "", arguments),))]


# -- control ------------------------------------------------------------------------------------


def branch(w: Writer) -> list[Statement]:
    test = w.e.condition(2)
    with w.inside(together=False):
        arms = [Arm("if (@0) {", (test,), w.body())]
    if w.chance(0.2):
        other = w.e.condition(2)
        with w.inside(together=False):
            arms.append(Arm("} else if (@0) {", (other,), w.body(2)))
    if w.chance(0.4):
        with w.inside(together=False):
            arms.append(Arm("} else {", (), w.body(2)))
    return [Block(Kind.BRANCH, tuple(arms))]


def loop_head(w: Writer, name: str, *, uniform: bool) -> tuple[str, tuple[Expr, ...], Variable]:
    """A loop of few iterations over `name`."""
    bound, count = 3, Expr(str(w.random.choice([2, 3, 4])), type="int", uniform=True)
    kind = w.random.choice(("int", "int", "unsigned"))
    if w.chance(0.3):
        count = w.e.op("(@0 % 4u)", "unsigned", w.e.scalar("unsigned", 1, uniform=uniform))
        kind = "unsigned"
        if w.chance(0.5):
            kind, count = "int", Expr("int(@0)", (count,), "int", uniform=count.uniform)
    forms = [
        (f"for ({kind} {name} = 0; {name} < @0; ++{name}) {{", (count,), bound, kind),
        (f"for ({kind} {name} = 0; {name} < @0; {name}++) {{", (count,), bound, kind),
        (f"for (int {name} = 3; {name} >= 0; --{name}) {{", (), 3, "int"),
        (f"for (int {name} = 1; {name} <= 8; {name} *= 2) {{", (), 8, "int"),
        (f"for (unsigned {name} = 8u; {name} > 0u; {name} >>= 1) {{", (), 8, "unsigned"),
        (f"for (short {name} = 0; {name} < 3; {name} += 2) {{", (), 2, "short"),
    ]  # fmt: skip
    text, parts, bound, kind = w.random.choice(forms)
    return text, parts, Variable(name, kind, constant=True, bound=bound, uniform=uniform)


def loop(w: Writer, *, together: bool = False) -> list[Statement]:
    jumps = {"leaves": not together, "continues": not together, "all_leave": together}
    choice = w.random.random()
    if choice < 0.65:
        with w.inside(together=together, **jumps):
            name = w.name()
            head, parts, counter = loop_head(w, name, uniform=together)
            if any(re.search(rf"\b{name}\b", str(part)) for part in parts):
                return []
            w.scopes.add(counter)
            inner = w.body(3 if together else 2)
        return [Block(Kind.LOOP, (Arm(head, parts, inner),))]
    name = w.name()
    first = Simple(f"int {name} = {w.random.choice(['2', '3'])};")
    counter = Variable(name, "int", constant=True, bound=3, uniform=together)
    w.scopes.add(counter)
    with w.inside(together=together, leaves=not together, continues=False, all_leave=together):
        w.scopes.add(counter)  # not to be hidden: the body counts
        inner = w.body(3)
    down = Simple(f"{name} {w.random.choice(['-= 1', '--'])};".replace(" --", "--"))
    if choice < 0.85:
        return [first, Block(Kind.LOOP, (Arm(f"while ({name} > 0) {{", (), (*inner, down)),))]
    return [first, Block(Kind.LOOP, (Arm("do {", (), (*inner, down)),), f"}} while ({name} > 0);")]


def _not_constant(w: Writer, value: Expr, *, uniform: bool) -> Expr:
    """`value`, or a sum with a variable where it is made of numbers alone: compilers say which
    cases are never chosen."""
    known = [
        one
        for one in w.scopes.visible()
        if one.type == "unsigned" and not one.extent and not one.touches and not one.rows
        if one.uniform or not uniform
    ]
    words = set(re.findall(r"[A-Za-z_]\w*", str(value)))
    if not known or words & {one.name for one in w.scopes.visible()}:
        return value
    return w.e.op("(@0 + @1)", "unsigned", value, named(known[0]))


def switch(w: Writer, *, together: bool = False) -> list[Statement]:
    cases = w.random.randint(2, 3)
    chosen = _not_constant(w, w.e.scalar("unsigned", 2, uniform=together), uniform=together)
    value = w.e.op(f"(@0 % {cases + 1}u)", "unsigned", chosen)
    arms: list[Statement] = []
    for number in range(cases):
        with w.inside(together=together, leaves=False, continues=False, all_leave=False):
            inner = w.body(2)
        jumped = leaves(inner)
        ending: tuple[Statement, ...] = (Simple("break;", does=Does.BREAK),)
        if w.chance(0.25):
            ending = (Simple("[[fallthrough]];"),)
        if jumped:
            ending = ()
        head = (
            f"case {number}u: {{"
            if w.chance(0.9) or number
            else f"case {number}u:\ncase {cases + 3}u: {{"
        )
        arms.append(Block(Kind.SCOPE, (Arm(head, (), (*inner, *ending)),)))
    if w.chance(0.7):
        with w.inside(together=together, leaves=False, continues=False, all_leave=False):
            inner = w.body(2)
        arms.append(Block(Kind.SCOPE, (Arm("default: {", (), inner),)))
    elif isinstance(arms[-1], Block):
        last = arms[-1].arms[0]
        body = tuple(
            one for one in last.body if not (isinstance(one, Simple) and "fallthrough" in one.form)
        )
        arms[-1] = Block(Kind.SCOPE, (replace(last, body=body),))
    return [Block(Kind.SWITCH, (Arm("switch (@0) {", (value,), tuple(arms)),))]


def scope(w: Writer, *, together: bool = False) -> list[Statement]:
    with w.inside(together=together):
        inner = w.body(3)
    return [Block(Kind.SCOPE, (Arm("{", (), inner),))]


def jump(w: Writer) -> list[Statement]:
    """A thread leaves its loop, or its function, or goes on with the next iteration."""
    context = w.context
    kinds: list[tuple[str, Does]] = []
    if context.leaves:
        kinds.append(("break;", Does.BREAK))
    if context.continues:
        kinds.append(("continue;", Does.CONTINUE))
    if context.returns and context.result:
        kinds.append(("return @0;", Does.RETURN))
    if not kinds:
        return absorb(w)
    form, does = w.random.choice(kinds)
    parts = (w.e.scalar(context.result, 2),) if "@0" in form else ()
    jumping = Simple(form, parts, does)
    return [Block(Kind.BRANCH, (Arm("if (@0) {", (w.e.condition(2),), (jumping,)),))]


_ALONE: Final[list[Callable[[Writer], list[Statement]]]] = [
    *(scalar, scalar, array, vector, object_, reference, reference, reference, closure),
    *(assign, assign, assign, absorb, reseat, routine, routine, change, jump),
]
_NESTED: Final[list[Callable[[Writer], list[Statement]]]] = [
    branch,
    branch,
    loop,
    loop,
    switch,
    scope,
    scope,
]


def kinds(w: Writer) -> list[Callable[[Writer], list[Statement]]]:
    """What may come next, as often as it should."""
    return [*_ALONE, *(_NESTED if w.context.depth < w.deepest else ())]
