"""Statements of one thread: in serial code, and in iterations that are shared out."""

from __future__ import annotations

from collections.abc import Callable

from tests.openmp_c.random_c.scope import Array, Index, M, N, Role, Sum
from tests.openmp_c.random_c.writer import Callee, Writer
from tests.reducing import Tree, sequence


def statement(w: Writer) -> Tree:
    """Any statement that needs no other threads."""
    return w.one_of(plain_kinds(w))(w)


def plain_kinds(w: Writer) -> list[Callable[[Writer], Tree]]:
    """What may come next, as often as it should."""
    kinds: list[Callable[[Writer], Tree]] = [declare] * 2 + [assign] * 6
    kinds += [dead, local_array, pointer, pair, step]
    if w.functions:
        kinds += [call] * 2
    if w.depth < (2 if w.is_shared_out else 1) + w.is_long:
        kinds += [branch] * 2 + [inner_loop] * 2 + [while_loop, switch, scope]
    if w.jumps:
        kinds += [jump]
    if w.scope.sums and not w.is_vector:
        kinds += [add] * 2
    return kinds


# -- values -------------------------------------------------------------------------------------


def declare(w: Writer) -> Tree:
    name, real = w.new("r"), w.real()
    made = Tree(f"{real} {name} = @;\n", (w.value(),), lifts=False)
    w.scope.values.append(name)
    w.reals[name] = real
    return made


def assign(w: Writer) -> Tree:
    if not w.scope.values and not w.scope.writable():
        return declare(w)
    target = w.target()
    match w.pick("=", "=", "=", "decay", "+=", "-=", "*=", "/="):
        case "=":
            return Tree(f"{target} = @;\n", (w.value(),), lifts=False)
        case "decay":
            text = f"{target} = 0.5 * {target} + 0.4 * @;\n"
            return Tree(text, (w.small(),), lifts=False)
        case "*=":
            return Tree(f"{target} *= 0.6 * @;\n", (w.small(),), lifts=False)
        case "/=":
            return Tree(f"{target} /= 1.5 + @ * 0.3;\n", (Tree("sin(@)", (w.atom(),)),))
        case op:
            sign = "-" if op == "+=" else "+"
            text = f"{target} {op} 0.3 * @ {sign} 0.4 * {target};\n"
            return Tree(text, (w.small(),), lifts=False)


def dead(w: Writer) -> Tree:
    """A value that nobody reads."""
    if not w.scope.values and not w.scope.writable():
        return declare(w)
    target = w.target()
    first = Tree(f"{target} = @;\n", (w.small(),), lifts=False)
    then = Tree(f"{target} = @;\n", (w.without(target),), lifts=False)
    return sequence([first, then])


def step(w: Writer) -> Tree:
    """A whole number that changes, or a new one."""
    if not w.scope.changing or w.chance(0.4):
        name = w.new("c")
        made = Tree(f"int {name} = {w.number()} % {w.pick(3, 5)};\n")
        w.scope.changing.append(name)
        w.scope.counts.append(name)
        return made
    one = w.one_of(w.scope.changing)
    return Tree(f"{w.pick(f'{one}++', f'{one} = (2 * {one} + {w.number()}) % 5')};\n")


def local_array(w: Writer) -> Tree:
    w.note("local array")
    name, real = w.new("q"), w.real()
    array = Array(name, 3, real, is_local=True)
    if w.chance(0.5):
        made = Tree(f"{real} {name}[3] = {{@, @}};\n", (w.atom(), w.small()), lifts=False)
    else:
        h = w.new("h")
        text = (
            f"{real} {name}[3];\nfor (int {h} = 0; {h} < 3; ++{h})\n{name}[{h}] = @ + 0.1 * {h};\n"
        )
        made = Tree(text, (w.small(),), lifts=False)
    w.scope.arrays.append(array)
    return made


def pointer(w: Writer) -> Tree:
    """Something is changed by its address."""
    w.note("pointer")
    name, (target, real) = w.new("g"), _typed_target(w)
    if not target:
        return declare(w)
    made = Tree(f"{{\n{real} *{name} = &{target};\n")
    first = Tree(f"*{name} = @;\n", (w.value(),), lifts=False)
    with w.inside():
        w.scope.values.append(f"(*{name})")
        then = assign(w) if w.scope.values else Tree("")
    return Tree("@@@}\n", (made, first, then), lifts=False)


def _typed_target(w: Writer) -> tuple[str, str]:
    arrays = w.scope.writable()
    numbers = [one for one in w.scope.values if one.isidentifier()]
    if arrays and (not numbers or w.chance(0.5)):
        array = w.one_of(arrays)
        return array.at(w.place(array)), array.real
    if numbers:
        name = w.one_of(numbers)
        return name, w.reals.get(name, "double")
    return "", "double"


def pair(w: Writer) -> Tree:
    """A structure of two numbers."""
    w.note("structure")
    if w.scope.structures and w.chance(0.6):
        name = w.one_of(w.scope.structures)
        if w.chance(0.5):
            return Tree(f"{name} = turned({name}, @);\n", (w.atom(),), lifts=False)
        return Tree(f"{name}.{w.pick('x', 'y')} = @;\n", (w.value(),), lifts=False)
    name = w.new("v")
    made = Tree(f"Pair {name} = {{@, @}};\n", (w.atom(), w.small()), lifts=False)
    w.scope.structures.append(name)
    w.scope.values += [f"{name}.x", f"{name}.y"]
    return made


def add(w: Writer, one: Sum | None = None) -> Tree:
    """Something is added to a variable of all."""
    one = w.one_of(w.scope.sums) if one is None else one
    name = one.target.replace("#", w.index(3)) if "#" in one.target else one.target
    w.note(f"{one.manner} {one.op}")
    value = w.small()
    match one.op:
        case "max" | "min" if one.manner == "reduction":
            sign = "<" if one.op == "max" else ">"
            local = w.new("e")
            forms = (
                f"{name} = f{one.op}({name}, {local});",
                f"if ({name} {sign} {local})\n{name} = {local};",
                f"{name} = {name} {sign} {local} ? {local} : {name};",
            )
            text = f"{{\ndouble {local} = @;\n{w.one_of(forms)}\n}}\n"
        case "max" | "min":
            text = f"{one.guard}\n{name} = f{one.op}({name}, @);\n"
        case "*":
            text = f"{name} *= 1.0 + 0.02 * @;\n"
        case "-":
            text = f"{name} -= 0.03 * @;\n"
        case _:
            forms = (f"{name} += 0.03 * @;\n", f"{name} -= 0.03 * @;\n")
            if one.manner != "atomic":
                forms = (*forms, f"{name} = {name} + 0.03 * @;\n")
            text = w.one_of(forms)
    if one.manner != "reduction" and one.op not in ("max", "min"):
        text = f"{one.guard}\n{text}"
    return Tree(text, (value,), lifts=False)


# -- flow of control ----------------------------------------------------------------------------


def branch(w: Writer) -> Tree:
    condition = w.condition()
    with w.inside():
        then = w.body(lambda: statement(w), 1, 2)
    if w.chance(0.5):
        return Tree("if (@) {\n@}\n", (condition, then))
    with w.inside():
        other = w.body(lambda: statement(w), 1, 2)
    return Tree("if (@) {\n@} else {\n@}\n", (condition, then, other))


def inner_loop(w: Writer) -> Tree:
    """A loop of a few iterations, or along a row."""
    j = w.new("j")
    rows = [one for one in w.scope.indices if one.high == M]
    if rows and w.chance(0.6):
        row = rows[-1]
        low, high = w.pick((0, M), (1, M), (1, M - 1))
        head = f"for (int {j} = {low}; {j} < {'M' if high == M else 'M - 1'}; ++{j})"
        with w.inside(jumps=["break", "continue"]) as scope:
            scope.indices.append(Index(j, low, high))
            scope.pairs.append((row, scope.indices[-1]))
            body = w.body(lambda: statement(w), 1, 2)
        return Tree(f"{head} {{\n@}}\n", (body,))
    trips = w.trips()
    head = w.pick(
        f"for (int {j} = 0; {j} < {trips}; ++{j})",
        f"for (int {j} = {trips}; {j} > 0; --{j})",
        f"for (int {j} = 1; {j} <= {trips}; {j} += 2)",
        f"for (unsigned {j} = 0; {j} < 3u; {j}++)",
        f"for (int {j} = 4; {j} > 0; {j} /= 2)",
    )
    with w.inside(jumps=["break", "continue"]) as scope:
        scope.counts.append(j)
        body = w.body(lambda: statement(w), 1, 2)
    return Tree(f"{head} {{\n@}}\n", (body,))


def while_loop(w: Writer) -> Tree:
    """A loop that data may end."""
    w.note("while")
    c, first = w.new("c"), w.number()
    with w.inside(jumps=["break"]) as scope:
        scope.counts.append(c)
        body = w.body(lambda: statement(w), 1, 2)
    more = Tree(" && (@)", (w.condition(),), others=("",)) if w.chance(0.4) else Tree("")
    if w.chance(0.3):
        text = f"int {c} = 0;\ndo {{\n@++{c};\n}} while ({c} < {w.pick(2, 3)}@);\n"
        return Tree(text, (body, more), lifts=False)
    if w.chance(0.5):
        text = f"int {c} = {first} % 4;\nwhile ({c} > 0@) {{\n@--{c};\n}}\n"
    else:
        text = f"int {c} = 0;\nwhile ({c} < 3@) {{\n@{c}++;\n}}\n"
    return Tree(text, (more, body), lifts=False)


def switch(w: Writer) -> Tree:
    w.note("switch")
    arms: list[Tree] = []
    for _ in range(3):
        with w.inside(jumps=[]):
            arms.append(w.body(lambda: statement(w), 1, 2))
    ends = [w.pick("break;\n", "break;\n", "") for _ in range(2)]
    text = f"case 0: {{\n@}}\n{ends[0]}case 1: {{\n@}}\n{ends[1]}default: {{\n@}}\n"
    number = w.number()
    bare = number if number.isalnum() or number.endswith("]") else f"({number})"
    return Tree(f"switch ({bare} % 3) {{\n{text}}}\n", tuple(arms), lifts=False)


def scope(w: Writer) -> Tree:
    """A block, in which a name may have another meaning."""
    names = [one for one in w.scope.values if one.isidentifier()]
    if not names:
        return branch(w)
    name = w.one_of(names)
    w.note("same name")
    real = w.real()
    first = Tree(f"{real} {name} = @;\n", (w.without(name),), lifts=False)
    held = w.reals.get(name, "double")
    with w.inside():
        w.reals[name] = real
        w.scope.sums = [one for one in w.scope.sums if one.target != name]
        body = w.body(lambda: statement(w), 1, 2)
    w.reals[name] = held
    return Tree("{\n@@}\n", (first, body), lifts=False)


def jump(w: Writer) -> Tree:
    kind = w.one_of(w.jumps)
    w.note(kind)
    return Tree(f"if (@)\n{kind};\n", (w.condition(),), lifts=False)


# -- calls --------------------------------------------------------------------------------------


def call(w: Writer) -> Tree:
    """A call of a function of the file that changes what it is given."""
    fitting = [one for one in w.functions if one.is_serial and one.given[0] in ("place", "row")]
    if not fitting:
        return declare(w)
    callee = w.one_of(fitting)
    first = _address(w) if callee.given[0] == "place" else _row(w)
    if not first:
        return assign(w)
    w.note("call")
    return called(w, callee, {callee.given[0]: first, "k": "k"})


def called(w: Writer, callee: Callee, named: dict[str, str]) -> Tree:
    """The call, with what is given by name and values."""
    parts: list[Tree] = []
    words: list[str] = []
    changed = " ".join(text for one, text in named.items() if one != "k")
    for one in callee.given:
        match one:
            case "value":
                words.append("@")
                parts.append(w.without(changed))
            case "count":
                words.append(w.number())
            case _:
                words.append(named[one])
    text = f"{callee.name}({', '.join(words)});\n"
    if not callee.has_result:
        return Tree(text, tuple(parts), lifts=False)
    name = w.new("r")
    w.scope.values.append(name)
    return Tree(f"double {name} = {text}", tuple(parts), lifts=False)


def _address(w: Writer) -> str:
    for _ in range(4):
        target, real = _typed_target(w)
        if real == "double" and target:
            return f"&{target}"
    return ""


def _row(w: Writer) -> str:
    """The address of a row of M numbers that may be changed."""
    found: list[str] = []
    for one in w.scope.writable():
        if one.real != "double" or one.size != N or one.member:
            continue
        if one.role is Role.FREE:
            row = w.index(M)
        elif isinstance(one.own, tuple) and not one.own[1]:
            row = one.own[0]
        else:
            continue
        bare = row if row.isalnum() else f"({row})"
        found.append(f"{one.name}[{row}]" if one.has_rows else f"{one.name} + M * {bare}")
    return w.one_of(found) if found else ""
