"""Loops whose iterations OpenMP shares out, or that are vectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, final

from tests.openmp_c.random_c.scope import Array, Index, M, N, Place, Role, Scope, Sum
from tests.openmp_c.random_c.statements import add, assign, statement
from tests.openmp_c.random_c.writer import Writer, words_of
from tests.reducing import Tree, rendered, sequence

_SCHEDULES: Final = (
    *("", "", "", "schedule(static)", "schedule(static, 3)", "schedule(dynamic)"),
    *("schedule(dynamic, 2)", "schedule(guided)", "schedule(auto)", "schedule(runtime)"),
)
_RANGES: Final = (
    *((0, N, "0", "n"), (0, N, "0", "n"), (1, N - 1, "1", "n - 1"), (2, N - 2, "2", "n - 2")),
    (N // 4, N, "n / 4", "n"),
)


@final
@dataclass(slots=True)
class Interval:
    """What threads do with memory between two barriers: those that `write` may meet others."""

    written: set[str] = field(default_factory=set[str])
    read: set[str] = field(default_factory=set[str])
    is_clean: bool = True

    def clear(self) -> None:
        self.written.clear()
        self.read.clear()
        self.is_clean = True


@final
@dataclass(slots=True)
class _Shape:
    """The head of a loop, and who has which elements in an iteration."""

    heads: list[str]
    own: list[tuple[Role, Place]]
    indices: list[Index]
    pairs: list[tuple[Index, Index]] = field(default_factory=list[tuple[Index, Index]])
    front: str = ""
    """A counter that is declared before."""
    collapse: int = 1
    has_row: bool = False
    """Each iteration has a row."""
    size: int = N
    """How large arrays are of which iterations have elements."""


@final
@dataclass(slots=True)
class _Plan:
    """What stands around the iterations: declarations, clauses, the first statements of each."""

    clauses: list[str] = field(default_factory=list[str])
    before: list[Tree] = field(default_factory=list[Tree])
    first: list[Tree] = field(default_factory=list[Tree])
    sums: list[Sum] = field(default_factory=list[Sum])
    taken: set[str] = field(default_factory=set[str])
    own: list[str] = field(default_factory=list[str])
    later: list[str] = field(default_factory=list[str])
    arrays_later: list[Array] = field(default_factory=list[Array])


# -- heads --------------------------------------------------------------------------------------


def _flat(w: Writer) -> _Shape:
    i = w.new("i")
    low, high, first, limit = w.one_of(_RANGES)
    front = ""
    bare = limit if limit.isalnum() else f"({limit})"
    head = w.pick(
        *[f"for (int {i} = {first}; {i} < {limit}; ++{i})"] * 4,
        f"for (int {i} = {first}; {i} <= {limit} - 1; {i}++)",
        f"for (int {i} = {limit} - 1; {i} >= {first}; --{i})",
        f"for (long {i} = {first}; {i} < {limit}; {i} += 3)",
        f"for (unsigned {i} = {first}; {i} < (unsigned){bare}; {i}++)",
        f"for (int {i} = {first}; {i} != {limit}; ++{i})",
        f"for (size_t {i} = {first}; {i} < (size_t){bare}; {i} += 1)",
        f"for ({i} = {first}; {i} < {limit}; {i}++)",
    )
    if head.startswith("for (i"):
        front = "" if head.startswith("for (int") else f"int {i};\n"
    own: list[Place] = [i, i, i, f"n - 1 - {i}", f"k[{i}]", f"({i} + 5) % n"]
    return _Shape([head], [(Role.OWN, w.one_of(own))], [Index(i, low, high)], front=front)


def _strided(w: Writer) -> _Shape:
    """Every second element changes, and reads its neighbours."""
    i = w.new("i")
    first = w.pick(1, 2)
    w.note("red and black")
    own: list[tuple[Role, Place]] = [(Role.OWN, i), (Role.BESIDE, f"{i} - 1")]
    own.append((Role.BESIDE, f"{i} + 1"))
    head = f"for (int {i} = {first}; {i} < n - 1; {i} += 2)"
    return _Shape([head], own, [Index(i, first, N - 1)])


def _halves(w: Writer) -> _Shape:
    i = w.new("i")
    w.note("halves")
    head = f"for (int {i} = 0; {i} < n / 2; ++{i})"
    halves = [one for one in w.scope.arrays if one.size == N // 2]
    if halves:
        return _Shape([head], [(Role.OWN, i)], [Index(i, 0, N // 2)], size=N // 2)
    own: list[tuple[Role, Place]] = w.pick(
        [(Role.OWN, f"2 * {i}"), (Role.OWN, f"2 * {i} + 1")],
        [(Role.OWN, i), (Role.BESIDE, f"{i} + n / 2")],
        [(Role.OWN, i), (Role.OWN, f"n - 1 - {i}")],
        [(Role.OWN, f"2 * {i} + 1"), (Role.BESIDE, f"2 * {i}")],
    )
    return _Shape([head], own, [Index(i, 0, N // 2)])


def _rows(w: Writer) -> _Shape:
    r = w.new("i")
    low, high = w.pick((0, M), (0, M), (1, M - 1))
    w.note("rows")
    head = f"for (int {r} = {low}; {r} < {'M' if high == M else 'm - 1'}; {r}++)"
    return _Shape([head], [(Role.OWN, (r, ""))], [Index(r, low, high)], has_row=True)


def _nest(w: Writer) -> _Shape:
    """Two loops, collapsed."""
    r, c = w.new("i"), w.new("j")
    (low, high), (left, right) = (w.pick((0, M), (1, M - 1)) for _ in range(2))
    w.note("collapse")
    texts = {M: w.pick("M", "m", "n / M"), M - 1: "M - 1"}
    heads = [f"for (int {r} = {low}; {r} < {texts[high]}; ++{r})"]
    heads.append(f"for (int {c} = {left}; {c} < {texts[right]}; ++{c})")
    row, column = Index(r, low, high), Index(c, left, right)
    own: Place = w.pick((r, c), (r, c), (c, r))
    return _Shape(heads, [(Role.OWN, own)], [row, column], [(row, column)], collapse=2)


def _shape(w: Writer) -> _Shape:
    kinds: list[Callable[[Writer], _Shape]] = [*[_flat] * 6, _strided, _halves, _rows, _rows]
    if any(one.size == N // 2 for one in w.scope.arrays):
        kinds += [_halves] * 6
    return w.one_of([*kinds, _nest, _nest])(w)


# -- clauses ------------------------------------------------------------------------------------


def _sums(w: Writer, plan: _Plan, names: list[str]) -> None:
    """Variables of all in which iterations combine something."""
    while w.chance(0.35) and len(plan.sums) < 2:
        kinds = ["+", "+", "+", "-", "*", "max", "min", "array", "section"]
        kinds += [] if w.is_vector else ["atomic", "atomic", "critical"]
        kind = w.one_of(kinds)
        if kind == "section":
            _section(w, plan)
            continue
        old = [one for one in names if one not in plan.taken]
        if kind in ("+", "-") and old and w.chance(0.4):
            name = w.one_of(old)
        else:
            name = w.new("s")
            first = {"*": "1.0", "max": "-2.0", "min": "2.0"}.get(kind, w.pick("0.0", "0.2"))
            size = "[3]" if kind == "array" else ""
            first = "{0}" if size else first
            real = "double" if kind == "critical" else w.real()
            w.reals[name] = real
            plan.before.append(Tree(f"{real} {name}{size} = {first};\n"))
            if size:
                plan.arrays_later.append(Array(name, 3, real, is_local=True))
            else:
                plan.later.append(name)
        plan.taken.add(name)
        match kind:
            case "array":
                op = w.pick("+", "+", "-", "*")
                section = w.pick("", "[0 : 3]", "[:3]")
                plan.clauses.append(f"reduction({op} : {name}{section})")
                plan.sums.append(Sum(f"{name}[#]", op, "reduction"))
            case "atomic":
                guard = w.pick("#pragma omp atomic", "#pragma omp atomic update")
                plan.sums.append(Sum(name, w.pick("+", "+", "*"), "atomic", guard))
            case "critical":
                guard = w.pick("#pragma omp critical", f"#pragma omp critical(of_{name})")
                plan.sums.append(Sum(name, w.pick("+", "*", "max", "min"), "critical", guard))
            case op:
                plan.clauses.append(f"reduction({op} : {name})")
                plan.sums.append(Sum(name, op, "reduction"))


def _section(w: Writer, plan: _Plan) -> None:
    """A part of an array in which iterations combine something: nothing else is done with it."""
    arrays = [
        one
        for one in w.scope.arrays_named(has_rows=False)
        if one.role is Role.FREE and one.name.isidentifier() and one.name not in plan.taken
    ]
    if not arrays:
        return
    w.note("section of an array")
    array, op = w.one_of(arrays), w.pick("+", "+", "-", "*")
    plan.taken.add(array.name)
    plan.clauses.append(f"reduction({op} : {array.name}[{w.pick('0 : 3', ':3', '0 : n')}])")
    plan.sums.append(Sum(f"{array.name}[#]", op, "reduction"))


def _private(w: Writer, plan: _Plan, names: list[str]) -> None:
    """Variables from outside that each iteration, or thread, has for itself."""
    if w.chance(0.2):
        name, j = w.new("q"), w.new("j")
        w.note("private")
        plan.before.append(Tree(f"double {name};\nint {j};\n"))
        plan.clauses.append(f"private({name}, {j})")
        text = f"{name} = @;\nfor ({j} = 0; {j} < 3; ++{j})\n{name} = 0.5 * {name} + 0.1 * {j};\n"
        plan.first.append(Tree(text, (w.small(),), lifts=False))
        plan.own.append(name)
    free = [one for one in names if one not in plan.taken]
    if free and w.chance(0.2):
        name = w.one_of(free)
        plan.taken.add(name)
        w.note("firstprivate")
        plan.clauses.append(f"firstprivate({name})")
        if w.chance(0.5):
            # in front of all that reads it: else that is what the thread has left in it
            plan.first.insert(0, Tree(f"{name} = @;\n", (w.without(name),), lifts=False))
            plan.own.append(name)


def _last(w: Writer, plan: _Plan) -> None:
    """The value of the last iteration."""
    if not w.chance(0.12):
        return
    name = w.new("t")
    w.note("lastprivate")
    plan.before.append(Tree(f"double {name} = 0.2;\n"))
    # clang 19 takes the value of another iteration now and then where the schedule is not static
    plan.clauses = [one for one in plan.clauses if "static" in one or "schedule" not in one]
    plan.clauses.append(f"lastprivate({name})")
    plan.first.append(Tree(f"{name} = @;\n", (w.value(),), lifts=False))
    plan.own.append(name)
    plan.later.append(name)


def _of_threads(w: Writer, construct: str) -> list[str]:
    words = [w.one_of(_SCHEDULES)] if "for" in construct else []
    if construct.startswith("parallel") and w.chance(0.2):
        words.append(w.pick("num_threads(3)", "num_threads(2)", "if(n > 4)", "if(n > 50)"))
    if "simd" in construct and w.chance(0.4):
        words.append(w.pick("simdlen(4)", "safelen(8)" if construct == "simd" else "simdlen(2)"))
    return [one for one in words if one]


def with_default(w: Writer, text: str, clauses: str) -> str:
    """`default(none)` and what the text shares, now and then."""
    if not w.chance(0.12):
        return clauses
    w.note("default(none)")
    known = {"n", "m", "steps", "k", *w.scope.structures, *w.scope.counts}
    known |= {one.name for one in w.scope.indices if one.name.isidentifier()}
    known |= {re.split(r"[\[.(-]", one)[0] for one in (*w.scope.values, *w.scope.shared)}
    known |= {one.name.partition("-")[0].partition(".")[0] for one in w.scope.arrays}
    known |= {
        one.strip("(*)") for one in (*w.scope.values, *w.scope.shared) if one.startswith("(*")
    }
    used = set(re.findall(r"[A-Za-z_]\w*", f"{text} {clauses}"))
    told = re.sub(r"\b(?:if|num_threads|schedule)\([^)]*\)|\[[^]]*\]", "", clauses)
    listed = sorted((known & used) - set(re.findall(r"[A-Za-z_]\w*", told)) - {""})
    shared = f" shared({', '.join(listed)})" if listed else ""
    return f"{clauses} default(none){shared}"


# -- iterations ---------------------------------------------------------------------------------


def _roles(w: Writer, shape: _Shape, plan: _Plan, interval: Interval) -> list[Array]:
    """Who does what with the arrays around the loop."""
    arrays = [
        one
        for one in w.scope.arrays
        if one.name not in interval.written and one.name not in plan.taken
    ]
    writable = [
        one
        for one in arrays
        if one.role is Role.FREE and one.size == shape.size and one.name not in interval.read
    ]
    w.random.shuffle(writable)
    own = writable[: w.random.choice((1, 1, 2, 3))]
    rest = writable[len(own) :]
    added = rest[:1] if rest and not w.is_vector and w.chance(0.15) else []
    found = [replace(one, role=Role.READ) for one in arrays if one not in own and one not in added]
    found += [replace(one, role=Role.ADDED) for one in added]
    for one in own:
        found += [replace(one, role=role, own=place) for role, place in shape.own]
    for one in added:
        w.note("atomic array")
        w.scope.sums.append(Sum(_added_place(w, one), "+", "atomic", "#pragma omp atomic"))
    return found


def _named_places(w: Writer, shape: _Shape) -> list[Tree]:
    """Rows and elements of the iteration by names that it gives them."""
    arrays = w.scope.arrays
    own = [one for one in arrays if one.role is Role.OWN]
    if not own or w.is_vector:
        return []
    one = w.one_of(own)
    is_alone = sum(each.name == one.name and each.member == one.member for each in arrays) == 1
    if shape.has_row and not one.member and is_alone and w.chance(0.4):
        w.note("pointer to a row")
        row = w.new("row")
        start = f"{one.name}[{one.own[0]}]" if one.has_rows else f"{one.name} + M * {one.own[0]}"
        arrays.remove(one)
        arrays.append(Array(row, M, one.real, is_local=True))
        return [Tree(f"{one.real} *{row} = {start};\n")]
    if isinstance(one.own, str) and is_alone and w.chance(0.15):
        w.note("place with a name")
        o = w.new("o")
        arrays[arrays.index(one)] = replace(one, own=o)
        return [Tree(f"const int {o} = {one.own};\n")]
    return []


def _added_place(w: Writer, array: Array) -> str:
    if array.member:
        return f"{array.name}[#].{array.member}"
    if array.has_rows:
        return f"{array.name}[#][{w.pick('#', '1')}]"
    return f"{array.name}[{w.pick('#', f'({w.index(N)}) / 2')}]"


def enter(w: Writer, scope: Scope, taken: set[str]) -> None:
    """What belongs to all is only read."""
    values = [*scope.values, *scope.shared]
    scope.shared = [one for one in values if re.split(r"[\[.(-]", one)[0] not in taken]
    scope.values, scope.changing, scope.structures, scope.sums = [], [], [], []


def shared_loop(
    w: Writer, construct: str, interval: Interval, *, clause: str = "", sums: bool = True
) -> Tree:
    """A loop behind a pragma, with what has to be declared in front of it."""
    w.note(construct)
    shape = _shape(w)
    plan = _Plan(_of_threads(w, construct) + [clause] * bool(clause))
    names = [one for one in w.scope.values if one.isidentifier()]
    if w.in_region:
        names = []
    held = w.is_shared_out, w.is_vector, w.reals
    w.is_vector = "simd" in construct
    with w.inside(jumps=[] if w.is_vector else ["continue"]) as scope:
        kept_sums = list(scope.sums) if w.in_region else []
        if sums and not w.in_region:
            _sums(w, plan, names)
        w.is_shared_out = True
        enter(w, scope, plan.taken)
        scope.indices += shape.indices
        if shape.collapse == 2:
            (r, c) = shape.indices
            scope.indices.append(Index(f"M * {r.name} + {c.name}", 0, N))
        scope.pairs = list(shape.pairs)
        scope.sums = [*plan.sums, *kept_sums]
        scope.arrays = _roles(w, shape, plan, interval)
        roles = list(scope.arrays)
        if "for" in construct:
            _private(w, plan, names)
        if not w.in_region and "for" in construct:
            _last(w, plan)
        scope.shared = [one for one in scope.shared if one not in plan.taken]
        scope.values += [one for one in plan.own if one not in scope.values]
        plan.first += _named_places(w, shape)
        own_arrays = [one for one in scope.arrays if one.role is Role.OWN]
        body = [*plan.first, w.body(lambda: statement(w), 1, 3)]
        if own_arrays:
            array = w.one_of(own_arrays)
            text = f"{array.at(w.place(array))} = @;\n"
            body.append(Tree(text, (w.value(),), lifts=False))
        else:
            body.append(assign(w))
        body += [add(w, one) for one in scope.sums[: len(plan.sums) + 1]]
    w.is_shared_out, w.is_vector, w.reals = held[0], held[1], held[2]
    inside = sequence(body)
    remember(interval, roles, inside)
    clauses = " ".join(plan.clauses)
    clauses += " collapse(2)" if shape.collapse == 2 else ""
    for name in plan.later:
        w.scope.values.append(name)
    if construct.startswith("parallel"):
        clauses = with_default(w, rendered(inside) + " ".join(shape.heads), clauses)
    w.scope.arrays += plan.arrays_later
    head = "\n".join(shape.heads)
    before = sequence(plan.before)
    text = f"@{shape.front}#pragma omp {construct} {clauses}\n{head} {{\n@}}\n"
    return Tree(text.replace(" \n", "\n"), (before, inside), lifts=False)


def remember(interval: Interval, arrays: list[Array], inside: Tree) -> None:
    """What the code does with arrays happens in the interval."""
    words = words_of(inside)
    for one in arrays:
        if not one.is_local and set(re.findall(r"\w+", one.name)) <= words:
            interval.read.add(one.name)
            if one.role in (Role.OWN, Role.FREE, Role.ADDED):
                interval.written.add(one.name)
