"""Random declarations: variables, arrays, objects, references, pointers, lambdas."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tests.properties.cxx.expressions import Function, base_of, kind_cast
from tests.properties.cxx.scope import VECTORS, Class, Variable
from tests.properties.cxx.tree import Arm, Block, Does, Expr, Kind, Simple, Statement, touches_of
from tests.properties.cxx.writer import COMMON, Routine, Writer, leaves, text_of

_SHAPES: Final = ((2, 0), (3, 0), (4, 0), (4, 0), (3, 2), (2, 2))


def scalar(w: Writer) -> list[Statement]:
    kind = w.random.choice(COMMON)
    name = w.name()
    uniform = w.context.together and w.chance(0.25)
    value = w.e.scalar(kind, 3, uniform=uniform)
    constant = w.chance(0.2)
    spelled = "auto" if w.chance(0.15) else kind
    if spelled == "auto" and kind in ("short", "unsigned short", "unsigned char", "signed char"):
        spelled = kind
    head = f"{'const ' if constant else ''}{spelled} {name}"
    w.scopes.add(Variable(name, kind, constant=constant, uniform=uniform, level=w.scopes.level))
    if not constant and spelled == kind and w.chance(0.12):
        other = w.e.scalar(kind, 2, uniform=uniform)
        if w.chance(0.5) and name not in str(other) and name not in str(value):
            test = w.e.condition(2, uniform=uniform)
            arms = (
                Arm("if (@0) {", (test,), (Simple(f"{name} = @0;", (value,)),)),
                Arm("} else {", (), (Simple(f"{name} = @0;", (other,)),)),
            )
            if name not in str(test):
                return [Simple(f"{kind} {name};"), Block(Kind.BRANCH, arms)]
    forms = [f"{head} = @0;", f"{head} = @0;", f"{head}{{@0}};"]
    if value.form.startswith("("):  # no declaration of a function
        forms.append(f"{head}(@0);")
    form = w.random.choice(forms)
    return [Simple(form, (value,))]


def array(w: Writer) -> list[Statement]:
    kind = w.random.choice(
        ("unsigned", "unsigned", "int", "float", "unsigned char", "long long", "double")
    )
    extent, rows = w.random.choice(_SHAPES)
    name = w.name()
    made = Variable(name, kind, extent, rows, level=w.scopes.level)
    if w.chance(0.3):
        counter = "r" if not rows else "rl"
        heads = [
            Arm(f"for (int {one} = 0; {one} < {size}; ++{one}) {{", (), ())
            for one, size in zip(counter, (rows, extent) if rows else (extent,), strict=True)
        ]
        w.scopes.open()
        for one, size in zip(counter, (rows, extent) if rows else (extent,), strict=True):
            w.scopes.add(Variable(one, "int", constant=True, bound=size - 1))
        value = w.e.scalar(kind, 2)
        w.scopes.close()
        place = "".join(f"[{one}]" for one in counter)
        inner: tuple[Statement, ...] = (Simple(f"{name}{place} = @0;", (value,)),)
        for head in reversed(heads):
            inner = (Block(Kind.LOOP, (replace(head, body=inner),)),)
        size = f"[{rows}][{extent}]" if rows else f"[{extent}]"
        w.scopes.add(made)
        return [Simple(f"{kind} {name}{size};"), *inner]
    count = extent * max(rows, 1)
    values = tuple(w.e.scalar(kind, 1) for _ in range(count))
    holes = [f"@{number}" for number in range(count)]
    w.scopes.add(made)
    if rows:
        groups = [
            "{" + ", ".join(holes[row * extent : (row + 1) * extent]) + "}" for row in range(rows)
        ]
        return [Simple(f"{kind} {name}[{rows}][{extent}] = {{{', '.join(groups)}}};", values)]
    if w.chance(0.2):
        return [Simple(f"{kind} {name}[{extent}] = {{@0}};", values[:1])]
    size = "" if w.chance(0.2) else str(extent)
    return [Simple(f"{kind} {name}[{size}] = {{{', '.join(holes)}}};", values)]


def vector(w: Writer) -> list[Statement]:
    kind = w.random.choice(list(VECTORS))
    inner, members = VECTORS[kind]
    name = w.name()
    values = tuple(w.e.scalar(inner, 1) for _ in members)
    holes = ", ".join(f"@{number}" for number in range(len(members)))
    w.scopes.add(Variable(name, kind, level=w.scopes.level))
    form = w.random.choice(
        [
            f"{kind} {name} = make_{kind}({holes});",
            f"auto {name} = make_{kind}({holes});",
            f"{kind} {name} = {{{holes}}};",
        ]
    )
    return [Simple(form, values)]


def initial(w: Writer, of: Class, start: int) -> tuple[str, list[Expr]]:
    """The initialiser of an object, with holes from `start`."""
    values: list[Expr] = []
    texts: list[str] = []

    def hole(kind: str) -> str:
        values.append(w.e.scalar(kind, 1))
        return f"@{start + len(values) - 1}"

    if of.made is not None:
        return f"{of.name}({', '.join(map(hole, of.made))})", values
    for _, kind in of.members:
        if kind.endswith("]"):
            scalar_, _, extent = kind[:-1].partition("[")
            texts.append("{" + ", ".join(hole(scalar_) for _ in range(int(extent))) + "}")
        elif kind in VECTORS:
            one, members = VECTORS[kind]
            texts.append("{" + ", ".join(hole(one) for _ in members) + "}")
        else:
            texts.append(hole(kind))
    return "{" + ", ".join(texts) + "}", values


def object_(w: Writer) -> list[Statement]:
    if not w.e.classes:
        return scalar(w)
    of = w.random.choice(list(w.e.classes.values()))
    name = w.name()
    count = 2 if w.chance(0.35) else 0
    made = Variable(name, of.name, count, level=w.scopes.level)
    if count:
        first, values = initial(w, of, 0)
        second, others = initial(w, of, len(values))
        if len(values) + len(others) <= 10:
            w.scopes.add(made)
            return [Simple(f"{of.name} {name}[2] = {{{first}, {second}}};", (*values, *others))]
    text, values = initial(w, of, 0)
    w.scopes.add(replace(made, extent=0))
    if text.startswith("{"):
        return [Simple(f"{of.name} {name} = {text};", tuple(values))]
    return [Simple(f"{w.random.choice([of.name, 'auto'])} {name} = {text};", tuple(values))]


def reference(w: Writer) -> list[Statement]:
    """`unsigned &r = a[k];`, `S &me = local[1];`, `int (&row)[2] = a[1];`, `float *p = &v.x;`"""
    variables = [one for one in w.scopes.visible() if w.e.may(one.touches) and not one.uniform]
    choices: list[Callable[[str], tuple[Simple, Variable]]] = []
    level = w.scopes.level
    for one in variables:
        const = "const " if one.constant else ""
        if one.rows and not one.pointer:

            def row(name: str, one: Variable = one, const: str = const) -> tuple[Simple, Variable]:
                at = w.e.index(one.rows)
                made = replace(one, name=name, rows=0, level=level)
                if w.chance(0.5):
                    return Simple(
                        f"{const}{one.type} (&{name})[{one.extent}] = {one.name}[@0];", (at,)
                    ), made
                return Simple(f"{const}{one.type} *{name} = {one.name}[@0];", (at,)), replace(
                    made, pointer=True
                )

            choices += [row] * 2
        if one.extent and not one.rows and not one.pointer and not one.touches:

            def begin(
                name: str, one: Variable = one, const: str = const
            ) -> tuple[Simple, Variable]:
                skip = w.random.randrange(one.extent)
                form = (
                    w.random.choice([f"{one.name} + {skip}", f"&{one.name}[{skip}]"])
                    if skip
                    else one.name
                )
                made = replace(one, name=name, extent=one.extent - skip, pointer=True, level=level)
                return Simple(
                    f"{w.random.choice([const + one.type, const + 'auto'])} *{name} = {form};"
                ), made

            choices.append(begin)
        if one.type in w.e.classes or one.type in VECTORS:

            def whole(
                name: str, one: Variable = one, const: str = const
            ) -> tuple[Simple, Variable]:
                base, extents = base_of(one)
                parts = tuple(w.e.index(extent) for extent in extents)
                made = replace(one, name=name, extent=0, rows=0, pointer=False, level=level)
                if w.chance(0.3):
                    return Simple(f"{const}{one.type} *{name} = &{base};", parts), replace(
                        made, pointer=True, extent=1
                    )
                if w.chance(0.2) and not const:
                    return Simple(f"const {one.type} &{name} = {base};", parts), replace(
                        made, constant=True
                    )
                return Simple(
                    f"{w.random.choice([const + one.type, 'auto'])} &{name} = {base};", parts
                ), made

            choices += [whole] * 2
    kind = w.random.choice(("unsigned", "int", "float", "unsigned", "double", "long long"))
    places = w.e.writable(kind)
    if places:

        def part(name: str) -> tuple[Simple, Variable]:
            place = w.random.choice(places)()
            made = Variable(name, kind, touches=touches_of(place), level=level)
            choice = w.random.random()
            if choice < 0.3:
                return Simple(f"{kind} *{name} = &@0;", (place,)), replace(
                    made, pointer=True, extent=1
                )
            if choice < 0.45:
                return Simple(f"const {kind} &{name} = @0;", (place,)), replace(made, constant=True)
            return Simple(f"{w.random.choice([kind, 'auto'])} &{name} = @0;", (place,)), made

        choices += [part] * 2
    if not choices:
        return scalar(w)
    name = w.name()
    write = w.random.choice(choices)
    try:
        statement, made = write(name)
    except IndexError:  # all that the place could be is hidden by the new name
        return []
    if re.search(rf"\b{name}\b.*\b{name}\b", text_of([statement]).replace("\n", " ")):
        w.scopes.hide(name)
        return []
    w.scopes.add(made)
    return [statement]


def closure(w: Writer) -> list[Statement]:
    """A lambda, with side effects or without, that captures by value or by reference."""
    w.lambdas += 1
    name = f"f{w.lambdas}"
    if w.chance(0.5):
        kind = w.random.choice(("unsigned", "unsigned", "int", "float"))
        capture = w.random.choice(["[&]", "[=]"])
        taken = kind if kind == "float" else w.random.choice(["unsigned", "int"])
        with w.inside(together=False):
            given = w.name()
            w.scopes.add(Variable(given, taken))
            value = w.e.scalar(kind, 3)
        result = "@0"
        if given not in str(value):
            result = f"{kind_cast(kind)}({given}) {'+' if kind == 'float' else '^'} @0"
        text = f"auto {name} = {capture}({taken} {given}) {{ return {result}; }};"
        w.e.functions.append(Function(f"{name}(@0)", kind, (taken,), touches_of(value)))
        return [Simple(text, (value,)), w.take(w.e.call(kind, 2) or w.e.scalar("unsigned"))]
    with w.inside(
        together=False,
        leaves=False,
        continues=False,
        all_leave=False,
        result="unsigned",
        returns=True,
    ):
        given = w.name()
        w.scopes.add(Variable(given, "unsigned"))
        inner = w.body(2)
        last = Simple("return @0;", (w.e.scalar("unsigned", 2),), Does.RETURN)
        if leaves(inner):
            inner = inner[:-1]
    made = Block(
        Kind.SCOPE,
        (
            Arm(
                f"auto {name} = [&](unsigned {given}) {{",
                (),
                (Simple(f"{w.hash} ^= {given};"), *inner, last),
            ),
        ),
        "};",
    )
    target = w.name()
    call = Simple(f"unsigned {target} = {name}(@0);", (w.e.scalar("unsigned", 2),))
    w.scopes.add(Variable(target, "unsigned", level=w.scopes.level))
    w.routines.append(Routine(f"{name}(@0)", "unsigned", ("unsigned",), touches_of(made)))
    return [made, call]
