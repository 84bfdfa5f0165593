"""Parallel regions: several loops, and what one thread of all does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.openmp_c.random_c.loops import Interval, enter, remember, shared_loop, with_default
from tests.openmp_c.random_c.scope import Array, N, Role, Sum
from tests.openmp_c.random_c.statements import assign, called, statement
from tests.openmp_c.random_c.writer import Callee, Writer
from tests.reducing import Tree, rendered, sequence


def region(w: Writer) -> Tree:
    """`parallel` with constructs of all threads in it."""
    w.note("parallel")
    clauses = [w.pick("", "", "", "num_threads(3)", "if(n > 4)")]
    before: list[Tree] = []
    later: list[str] = []
    names = [one for one in w.scope.values if one.isidentifier()]
    interval = Interval()
    with w.inside(jumps=[]) as scope:
        taken: set[str] = set()
        sums: list[Sum] = []
        if w.chance(0.25):
            name = w.new("s")
            op, start = w.pick(("+", "0.0"), ("+", "0.3"), ("*", "1.0"), ("max", "-2.0"))
            before.append(Tree(f"double {name} = {start};\n"))
            clauses.append(f"reduction({op} : {name})")
            sums.append(Sum(name, op, "reduction"))
            later.append(name)
            taken.add(name)
        first: list[Tree] = []
        own: list[str] = []
        if w.chance(0.2):
            name = w.new("q")
            before.append(Tree(f"double {name};\n"))
            clauses.append(f"private({name})")
            first.append(Tree(f"{name} = @;\n", (w.small(),), lifts=False))
            own.append(name)
            taken.add(name)
        common = [one for one in names if one not in taken]
        enter(w, scope, taken)
        scope.values += own
        scope.sums = sums
        w.in_region = True
        interval.is_clean = not first
        reading = [replace(one, role=Role.READ) for one in scope.arrays]
        remember(interval, reading, sequence(first))
        inside = sequence(
            [*first, *_parts(w, interval, common, w.random.randint(2, 2 + 2 * w.is_long))]
        )
        w.in_region = False
    w.scope.values += later
    text = with_default(w, rendered(inside), " ".join(one for one in clauses if one))
    pragma = f"#pragma omp parallel {text}".rstrip()
    return Tree(f"@{pragma}\n{{\n@}}\n", (sequence(before), inside), lifts=False)


def _parts(w: Writer, interval: Interval, common: list[str], count: int) -> list[Tree]:
    kinds: list[Callable[[Writer, Interval, list[str]], Tree]] = [_loop] * 5
    kinds += [_single, _master, _own_values, _partial, _sections]
    if w.depth < 2 + w.is_long:
        kinds += [_steps]
    if any(one.of_threads for one in w.functions):
        kinds += [_orphan] * 2
    made: list[Tree] = []
    for _ in range(count):
        made.append(w.one_of(kinds)(w, interval, common))
    return made


def _barrier(interval: Interval) -> str:
    """A barrier, if threads may still be at something."""
    if interval.is_clean and not interval.read:
        return ""
    interval.clear()
    return "#pragma omp barrier\n"


def _loop(w: Writer, interval: Interval, _: list[str]) -> Tree:
    construct = w.pick("for", "for", "for", "for simd")
    if w.chance(0.3):
        w.note("nowait")
        made = shared_loop(w, construct, interval, clause="nowait")
        interval.is_clean = False
        return made
    made = shared_loop(w, construct, interval)
    interval.clear()
    return made


def _steps(w: Writer, interval: Interval, common: list[str]) -> Tree:
    """A loop that all threads run."""
    w.note("loop of all threads")
    t = w.new("t")
    front = _barrier(interval)
    with w.inside() as scope:
        scope.counts.append(t)
        body = sequence(_parts(w, interval, common, w.random.randint(1, 2)))
        end = _barrier(interval)
    head = f"for (int {t} = 0; {t} < {w.pick('steps', '2')}; ++{t})"
    return Tree(f"{front}{head} {{\n@{end}}}\n", (body,), lifts=False)


def _own_values(w: Writer, interval: Interval, _: list[str]) -> Tree:
    """Every thread calculates the same for itself."""
    w.note("own values of threads")
    name = w.new("r")
    with w.inside() as scope:
        scope.arrays = [
            replace(one, role=Role.READ) for one in scope.arrays if one.name not in interval.written
        ]
        scope.sums = []
        value = w.value()
        remember(interval, scope.arrays, value)
    interval.is_clean = False
    w.scope.values.append(name)
    return Tree(f"double {name} = @;\n", (value,), lifts=False)


def _once(w: Writer, common: list[str], arrays: list[Array], most: int = 2) -> Tree:
    """What one thread does."""
    held = w.is_shared_out, w.in_region
    with w.inside(jumps=[]) as scope:
        values = list(scope.values)
        scope.shared = [one for one in (*scope.shared, *values) if one not in common]
        scope.values, scope.sums, scope.changing = list(common), [], []
        scope.structures = []
        scope.arrays = list(arrays)
        w.is_shared_out, w.in_region = True, False
        made = w.body(lambda: statement(w), 1, most)
        last = assign(w)
    w.is_shared_out, w.in_region = held
    return sequence([made, last])


def _single(w: Writer, interval: Interval, common: list[str]) -> Tree:
    w.note("single")
    front = _barrier(interval)
    body = _once(w, common, w.scope.arrays)
    return Tree(f"{front}#pragma omp single\n{{\n@}}\n", (body,), lifts=False)


def _master(w: Writer, interval: Interval, common: list[str]) -> Tree:
    w.note("master")
    front = _barrier(interval)
    body = _once(w, common, w.scope.arrays)
    text = f"{front}#pragma omp master\n{{\n@}}\n#pragma omp barrier\n"
    return Tree(text, (body,), lifts=False)


def _partial(w: Writer, interval: Interval, common: list[str]) -> Tree:
    """Threads add up for themselves, and then what they have."""
    if not common or w.scope.sums:
        return _loop(w, interval, common)
    w.note("partial sums")
    own, total = w.new("own"), w.one_of(common)
    front = _barrier(interval)
    with w.inside() as scope:
        scope.shared = [one for one in scope.shared if one != total]
        scope.sums = [Sum(own, "+", "reduction")]
        loop = shared_loop(w, "for", interval, clause=w.pick("", "nowait"))
    how = w.pick("#pragma omp critical", "#pragma omp atomic", "#pragma omp critical(totals)")
    add = f"{how}\n{total} += {own};\n#pragma omp barrier\n"
    interval.clear()
    return Tree(f"{front}double {own} = 0.0;\n@{add}", (loop,), lifts=False)


def _sections(w: Writer, interval: Interval, common: list[str]) -> Tree:
    front = _barrier(interval)
    return Tree(f"{front}#pragma omp sections\n{{\n@}}\n", (_section_list(w, common),), lifts=False)


def sections(w: Writer) -> Tree:
    """`parallel sections`."""
    names = [one for one in w.scope.values if one.isidentifier()]
    with w.inside(jumps=[]) as scope:
        enter(w, scope, set())
        listed = _section_list(w, names)
    clauses = with_default(w, rendered(listed), w.pick("", "num_threads(2)"))
    pragma = f"#pragma omp parallel sections {clauses}".rstrip()
    return Tree(f"{pragma}\n{{\n@}}\n", (listed,), lifts=False)


def _section_list(w: Writer, common: list[str]) -> Tree:
    """Sections, each with numbers and arrays that no other one uses."""
    w.note("sections")
    count = w.random.randint(2, 3)
    numbers = list(common)
    arrays = [one for one in w.scope.arrays if one.role is Role.FREE and one.size == N]
    w.random.shuffle(numbers)
    w.random.shuffle(arrays)
    read = [replace(one, role=Role.READ) for one in w.scope.arrays if one not in arrays]
    made: list[Tree] = []
    shared = w.scope.shared
    for at in range(count):
        w.scope.shared = [one for one in shared if one not in common]
        mine = numbers[at::count]
        body = _once(w, mine, [*arrays[at::count], *read])
        made.append(Tree("#pragma omp section\n{\n@}\n", (body,), lifts=False))
    w.scope.shared = shared
    return sequence(made)


def _orphan(w: Writer, interval: Interval, common: list[str]) -> Tree:
    """All threads call a function, which shares out its loops."""
    called_by_all: list[Callee] = [one for one in w.functions if one.of_threads]
    vectors = [one for one in w.scope.arrays if _is_vector(one) and one.role is Role.FREE]
    sources = [one for one in w.scope.arrays if _is_vector(one)]
    callee = w.one_of(called_by_all)
    if not vectors or len(sources) < 2:
        return _loop(w, interval, common)
    w.note("loop of the caller's region")
    front = _barrier(interval)
    vector = w.one_of(vectors)
    source = w.one_of([one for one in sources if one.name != vector.name])
    with w.inside() as scope:
        scope.arrays = []
        named = {"n": "n", "k": "k", "vector": vector.name, "source": source.name}
        made = called(w, callee, named)
    interval.clear()
    return Tree(f"{front}@", (made,), lifts=False)


def _is_vector(array: Array) -> bool:
    is_plain = not array.has_rows and not array.member
    return array.size == N and is_plain and array.real == "double"
