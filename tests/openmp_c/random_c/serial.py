"""Serial code of random C functions: what stands between parallel loops, and around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.openmp_c.random_c.loops import Interval, shared_loop
from tests.openmp_c.random_c.regions import region, sections
from tests.openmp_c.random_c.scope import Array, Index, M, N, Role
from tests.openmp_c.random_c.statements import assign, called, plain_kinds, statement
from tests.openmp_c.random_c.writer import Writer
from tests.reducing import Tree


def serial(w: Writer) -> Tree:
    """Any statement of serial code."""
    constructs: list[Callable[[Writer], Tree]] = [parallel_loop] * 9
    constructs += [region, region, sections, vectors, copy, members, vector_call, vector_call]
    constructs += [row_loop, range_loop]
    if w.depth < 1 + w.is_long:
        constructs += [time_loop, time_loop, choice, exchanged, heap_block, local_block]
        constructs += [halves, same_name]
    if w.chance(0.35):
        return w.one_of(plain_kinds(w))(w)
    return w.one_of(constructs)(w)


# -- loops --------------------------------------------------------------------------------------


def parallel_loop(w: Writer) -> Tree:
    return shared_loop(w, w.pick(*["parallel for"] * 6, "parallel for simd"), Interval())


def vectors(w: Writer) -> Tree:
    return shared_loop(w, "simd", Interval())


def range_loop(w: Writer) -> Tree:
    """A loop of one thread, whose iterations may depend on each other."""
    w.note("serial loop")
    i = w.new("i")
    low, high, head = w.pick(
        (0, N, f"for (int {i} = 0; {i} < n; ++{i})"),
        (1, N, f"for (int {i} = 1; {i} < n; {i}++)"),
        (1, N - 1, f"for (int {i} = n - 2; {i} > 0; --{i})"),
        (2, N - 1, f"for (int {i} = 2; {i} < n - 1; {i} += 3)"),
    )
    with w.inside(jumps=["break", "continue"]) as scope:
        scope.indices.append(Index(i, low, high))
        body = w.body(lambda: statement(w), 1, 3)
        last = assign(w)
    return Tree(f"{head} {{\n@@}}\n", (body, last))


def row_loop(w: Writer) -> Tree:
    """Rows one after the other."""
    w.note("serial rows")
    r, c = w.new("i"), w.new("j")
    low, high = w.pick((0, M), (1, M), (1, M - 1))
    limit = {M: "M", M - 1: "M - 1"}[high]
    head = (
        f"for (int {r} = {low}; {r} < {limit}; ++{r})\nfor (int {c} = {low}; {c} < {limit}; ++{c})"
    )
    with w.inside(jumps=["continue"]) as scope:
        scope.indices += [Index(r, low, high), Index(c, low, high)]
        scope.indices.append(Index(f"M * {r} + {c}", 0, N))
        scope.pairs.append((scope.indices[-3], scope.indices[-2]))
        body = w.body(lambda: statement(w), 1, 2)
        last = assign(w)
    return Tree(f"{head} {{\n@@}}\n", (body, last))


def time_loop(w: Writer) -> Tree:
    """A loop around loops."""
    w.note("time loop")
    t = w.new("t")
    with w.inside(jumps=["break"]) as scope:
        scope.counts.append(t)
        body = w.body(lambda: serial(w), 1, 3)
    kind = w.pick("for", "for", "for", "while", "do", "down")
    match kind:
        case "while":
            text = f"int {t} = 0;\nwhile ({t} < steps) {{\n@++{t};\n}}\n"
        case "do":
            text = f"int {t} = 0;\ndo {{\n@{t}++;\n}} while ({t} < steps);\n"
        case "down":
            text = f"for (int {t} = steps; {t} > 0; --{t}) {{\n@}}\n"
        case _:
            text = f"for (int {t} = 0; {t} < steps; {t}++) {{\n@}}\n"
    return Tree(text, (body,), lifts=kind in ("for", "down"))


def choice(w: Writer) -> Tree:
    """Branches around loops."""
    condition = w.condition() if w.chance(0.5) else Tree(w.pick("steps > 2", "n > 40", "m % 2"))
    with w.inside():
        then = w.body(lambda: serial(w), 1, 2)
    if w.chance(0.4):
        return Tree("if (@) {\n@}\n", (condition, then))
    with w.inside():
        other = w.body(lambda: serial(w), 1, 2)
    return Tree("if (@) {\n@} else {\n@}\n", (condition, then, other))


# -- memory -------------------------------------------------------------------------------------


def filled(w: Writer, array: Array) -> Tree:
    """Every element of an array gets a value."""
    i, pragma = w.new("i"), w.pick("#pragma omp parallel for\n", "#pragma omp parallel for\n", "")
    element = replace(array, role=Role.FREE).at(i)
    with w.inside() as scope:
        scope.arrays = [replace(one, role=Role.READ) for one in scope.arrays]
        scope.indices.append(Index(i, 0, N))
        value = w.value()
    text = f"{pragma}for (int {i} = 0; {i} < n; ++{i})\n{element} = @;\n"
    return Tree(text, (value,), lifts=False)


def heap(w: Writer) -> tuple[Tree, str]:
    """Memory, and how it is freed."""
    w.note("heap")
    name, real = w.new("w"), w.real()
    array = Array(name, N, real)
    if w.chance(0.25):
        made = f"{real} *{name} = calloc(n, sizeof *{name});\n"
        first = Tree("")
    else:
        size = w.pick(f"n * sizeof *{name}", f"sizeof({real}) * n", f"n * sizeof({real})")
        cast = w.pick("", f"({real} *)")
        made = f"{real} *{name} = {cast}malloc({size});\n"
        first = filled(w, array)
    w.scope.arrays.append(array)
    return Tree(f"{made}@", (first,), lifts=False), f"free({name});\n"


def heap_block(w: Writer) -> Tree:
    with w.inside(jumps=[]):
        made, freed = heap(w)
        body = w.body(lambda: serial(w), 1, 2)
    return Tree(f"{{\n@@{freed}}}\n", (made, body), lifts=False)


def own_array(w: Writer) -> Tree:
    """An array of the function: of a size that is known, that n says, or of rows."""
    w.note("array of the function")
    name, real = w.new("w"), w.real()
    kind = w.pick("[N]", "[n]", "[M][M]", "[m][m]")
    array = Array(name, N, real, has_rows="][" in kind)
    zero = kind in ("[N]", "[M][M]") and w.chance(0.3)
    first = Tree("") if zero else filled(w, array)
    w.scope.arrays.append(array)
    return Tree(f"{real} {name}{kind}{' = {0}' * zero};\n@", (first,), lifts=False)


def local_block(w: Writer) -> Tree:
    with w.inside():
        made = own_array(w)
        body = w.body(lambda: serial(w), 1, 2)
    return Tree("{\n@@}\n", (made, body), lifts=False)


def exchanged(w: Writer) -> Tree:
    """Two arrays that change their parts from step to step."""
    fitting = [
        one
        for one in w.scope.arrays_named(has_rows=False)
        if one.name.isidentifier() and one.role is Role.FREE
    ]
    if len(fitting) < 2:
        return time_loop(w)
    one = w.one_of(fitting)
    other = next((each for each in fitting if each.real == one.real and each != one), None)
    if other is None:
        return time_loop(w)
    w.note("exchanged pointers")
    now, then, t, held = (w.new(prefix) for prefix in ("now", "then", "t", "held"))
    with w.inside(jumps=[]) as scope:
        rest = [each for each in scope.arrays if each not in (one, other)]
        scope.arrays = [*rest, replace(one, name=now), replace(other, name=then)]
        scope.counts.append(t)
        step = _step(w, now, then)
        body = w.body(lambda: serial(w), 0, 2)
    swap = f"{one.real} *{held} = {now};\n{now} = {then};\n{then} = {held};\n"
    head = f"{one.real} *{now} = {one.name}, *{then} = {other.name};\n"
    text = f"{head}for (int {t} = 0; {t} < steps; ++{t}) {{\n@@{swap}}}\n"
    return Tree(text, (step, body), lifts=False)


def halves(w: Writer) -> Tree:
    """An array in two parts."""
    fitting = [
        one
        for one in w.scope.arrays_named(has_rows=False)
        if one.name.isidentifier() and one.role is Role.FREE
    ]
    if not fitting:
        return time_loop(w)
    w.note("parts of an array")
    one, low, high = w.one_of(fitting), w.new("low"), w.new("high")
    text = f"{{\n{one.real} *{low} = {one.name}, *{high} = {one.name} + n / 2;\n@}}\n"
    with w.inside() as scope:
        scope.arrays.remove(one)
        scope.arrays += [replace(one, name=name, size=N // 2) for name in (low, high)]
        body = w.body(lambda: serial(w), 1, 3)
    return Tree(text, (body,), lifts=False)


def same_name(w: Writer) -> Tree:
    """A block in which a name has another meaning for all that is in it."""
    names = [one for one in w.scope.values if one.isidentifier()]
    if not names:
        return local_block(w)
    w.note("same name")
    name, real = w.one_of(names), w.real()
    held = w.reals.get(name, "double")
    first = Tree(f"{real} {name} = @;\n", (w.without(name),), lifts=False)
    with w.inside():
        w.reals[name] = real
        body = w.body(lambda: serial(w), 1, 2)
    w.reals[name] = held
    return Tree("{\n@@}\n", (first, body), lifts=False)


def _step(w: Writer, now: str, then: str) -> Tree:
    """Values of neighbours become the next ones."""
    i = w.new("i")
    first, last = w.pick((f"{now}[{i} - 1]", f"{now}[{i} + 1]"), (f"{now}[({i} + n - 1) % n]",) * 2)
    pragma = w.pick("", "schedule(dynamic)", "schedule(static, 2)")
    text = (
        f"#pragma omp parallel for {pragma}\nfor (int {i} = 1; {i} < n - 1; ++{i})\n"
        f"{then}[{i}] = 0.5 * {now}[{i}] + 0.3 * {first} * {last} + 0.1 * @;\n"
    )
    with w.inside() as scope:
        scope.arrays = [replace(one, role=Role.READ) for one in scope.arrays if one.name != then]
        scope.indices.append(Index(i, 1, N - 1))
        return Tree(text.replace(" \n", "\n"), (w.small(),), lifts=False)


def copy(w: Writer) -> Tree:
    """Memory is copied, or set to 0."""
    plain = w.scope.arrays_named()
    targets = [one for one in plain if one.role is Role.FREE]
    if not targets:
        return assign(w)
    w.note("copied memory")
    target = w.one_of(targets)
    size = f"n * sizeof({target.real})"
    sources = [one for one in plain if one.real == target.real and one.name != target.name]
    if sources and w.chance(0.7):
        return Tree(f"memcpy({target.name}, {w.one_of(sources).name}, {size});\n")
    return Tree(f"memset({target.name}, 0, {size});\n")


# -- functions and structures -------------------------------------------------------------------


def vector_call(w: Writer) -> Tree:
    """A function that has loops of its own."""
    fitting = [one for one in w.functions if not one.is_serial and not one.of_threads]
    vectors = [one for one in w.scope.arrays if _is_vector(one)]
    targets = [one for one in vectors if one.role is Role.FREE]
    if not fitting or not targets or len(vectors) < 2:
        return parallel_loop(w)
    w.note("call of a function with loops")
    callee, vector = w.one_of(fitting), w.one_of(targets)
    source = w.one_of([one for one in vectors if one.name != vector.name])
    named = {"n": "n", "k": "k", "vector": vector.name, "source": source.name}
    if "structure" not in callee.given:
        return called(w, callee, named)
    name = w.new("view")
    made = Tree(
        f"View {name} = {{n, {source.name}, {vector.name}, @}};\n", (w.atom(),), lifts=False
    )
    first = called(w, callee, {"structure": f"&{name}", "k": "k"})
    again = Tree(f"{name}.by = @;\n", (w.small(),), lifts=False)
    last = called(w, callee, {"structure": f"&{name}", "k": "k"})
    return Tree("@@@@", (made, first, again, last))


def _is_vector(array: Array) -> bool:
    is_plain = not array.has_rows and not array.member
    return array.size == N and is_plain and array.real == "double"


def members(w: Writer) -> Tree:
    """A structure of pointers stands for two arrays for a while."""
    vectors = [one for one in w.scope.arrays if _is_vector(one) and one.name.isidentifier()]
    targets = [one for one in vectors if one.role is Role.FREE]
    if w.depth > 1 or not targets or len(vectors) < 2:
        return parallel_loop(w)
    w.note("structure of pointers")
    target = w.one_of(targets)
    source = w.one_of([one for one in vectors if one.name != target.name])
    name = w.new("view")
    made = Tree(
        f"View {name} = {{n, {source.name}, {target.name}, @}};\n", (w.atom(),), lifts=False
    )
    with w.inside() as scope:
        rest = [one for one in scope.arrays if one.name not in (target.name, source.name)]
        rest.append(replace(source, name=f"{name}.from", role=Role.READ))
        scope.arrays = [*rest, replace(target, name=f"{name}.to")]
        scope.shared.append(f"{name}.by")
        body = w.body(lambda: serial(w), 1, 2)
    return Tree("{\n@@}\n", (made, body), lifts=False)
