"""Random classes, functions, templates and macros that a kernel uses."""

from __future__ import annotations

import re
from random import Random

from tests.properties.cxx.expressions import Expressions, Function
from tests.properties.cxx.kinds import kinds
from tests.properties.cxx.scope import Class, Scopes, Variable
from tests.properties.cxx.tree import Arm, Block, Does, Expr, Kind, Simple, Statement, lines_of
from tests.properties.cxx.writer import Context, Routine, Writer, leaves

_MEMBERS = (
    *(("unsigned", 3), ("float", 2), ("int", 2), ("unsigned[3]", 3), ("float[2]", 1)),
    *(("int2", 1), ("double", 1), ("short", 1), ("unsigned char", 1), ("unsigned long long", 1)),
)


def _inner(random: Random, result: str, variables: list[Variable], e: Expressions) -> Writer:
    scopes = Scopes()
    for variable in variables:
        scopes.add(variable)
    inner = Expressions(
        *(random, scopes, dict(e.classes)), functions=list(e.functions), unusual=e.unusual
    )
    context = Context(depth=1, result=result, returns=True)
    return Writer(random, inner, kinds, context=context, hash="h")


def _routine_body(w: Writer, result: str, most: int) -> tuple[Statement, ...]:
    """`unsigned h = ...;`, some statements, and what is returned."""
    first = Simple("unsigned h = @0;", (w.e.scalar("unsigned", 2),))
    w.scopes.add(Variable("h", "unsigned", level=w.scopes.level))
    inner = w.body(most)
    if leaves(inner):
        inner = inner[:-1]
    value = w.e.op("(h + @0)", "unsigned", w.e.scalar("unsigned", 2))
    return first, *inner, Simple("return @0;", (w.e.cast(result, value),), Does.RETURN)


def _started(kind: str) -> str:
    """`start`, which is unsigned, as a value of the type `kind`."""
    return f"static_cast<{kind}>(start)"


def class_of(random: Random, unit: str, number: int, e: Expressions) -> tuple[Block, Class]:
    """A class with members, methods and sometimes a constructor, by itself or of a template."""
    template = random.random() < 0.35
    types, weights = zip(*_MEMBERS, strict=True)
    chosen = random.choices(types, weights, k=random.randint(2, 3))
    chosen[0] = "unsigned"
    names = ["key", "b", "v", "w"]
    members = tuple(zip(names, chosen, strict=False))
    name = f"{'Box' if template else 'Cell'}{number}_{unit}"
    spelled = f"{name}<unsigned>" if template else name
    body: list[Statement] = []
    for member, kind in members:
        inner, _, extent = kind.partition("[")
        shown = "T" if template and inner == "unsigned" else inner
        body.append(Simple(f"{shown} {member}{'[' + extent if extent else ''};"))
    held = [
        Variable(
            member,
            kind.partition("[")[0],
            int(kind.partition("[")[2][:-1] or 0) if "[" in kind else 0,
        )
        for member, kind in members
    ]
    made: tuple[str, ...] | None = None
    if random.random() < 0.3:
        made = ("unsigned",)
        starts = [
            f"{member}{{}}" if "[" in kind or kind == "int2" else f"{member}({_started(kind)})"
            for member, kind in members
        ]
        body.append(
            Simple(f"__device__ explicit {name}(unsigned start) : {', '.join(starts)} {{}}")
        )
    qualifier = "__device__ " if random.random() < 0.7 else "__host__ __device__ "
    w = _inner(
        random,
        "unsigned",
        [Variable(one.name, one.type, one.extent, constant=True) for one in held],
        e,
    )
    w.scopes.add(Variable("n", "unsigned"))
    w.e.functions = []
    value = Block(
        Kind.FUNCTION,
        (
            Arm(
                f"{qualifier}unsigned total(unsigned n) const {{",
                (),
                (Simple("return @0;", (w.e.scalar("unsigned", 3),)),),
            ),
        ),
    )
    if "n" not in _words(value):
        value = Block(
            Kind.FUNCTION,
            (
                Arm(
                    f"{qualifier}unsigned total(unsigned n) const {{",
                    (),
                    (Simple("return n ^ @0;", (w.e.scalar("unsigned", 2),)),),
                ),
            ),
        )
    changes: list[tuple[str, str, tuple[str, ...]]] = []
    w = _inner(random, "", [*held, Variable("n", "unsigned")], e)
    w.e.functions = []
    w.context = Context(depth=2, result="", returns=False)
    w.hash = "key"
    leaving = w.e.condition(2)
    inner = w.body(2)
    if random.random() < 0.4:
        inner = (
            Block(
                Kind.BRANCH, (Arm("if (@0) {", (leaving,), (Simple("return;", (), Does.RETURN),)),)
            ),
            *inner,
        )
    inner = (Simple("key += n;"), *inner)
    change = Block(Kind.FUNCTION, (Arm(f"{qualifier}void turn(unsigned n) {{", (), inner),))
    changes.append(("turn(@0)", "", ("unsigned",)))
    chain = Block(
        Kind.FUNCTION,
        (
            Arm(
                f"{qualifier}{name} &mixed(unsigned n) {{",
                (),
                (Simple("key = key * 5u + n;"), Simple("return *this;")),
            ),
        ),
    )
    body += [value, change]
    if random.random() < 0.5:
        body.append(chain)
        changes.append(("mixed(@0).mixed(2u)", "", ("unsigned",)))
    head = f"template <typename T> struct {name} {{" if template else f"struct {name} {{"
    found = Class(
        spelled, members, (("total(@0)", "unsigned", ("unsigned",)),), tuple(changes), made
    )
    return Block(Kind.CLASS, (Arm(head, (), tuple(body)),), "};"), found


def _words(block: Block) -> set[str]:
    return set(re.findall(r"\w+", "\n".join(list(lines_of([block]))[1:])))


def value_function(
    random: Random, unit: str, number: int, e: Expressions
) -> tuple[Block, Function]:
    """A function of values without side effects for others: early returns, loops, own variables."""
    kind = random.choice(("unsigned", "unsigned", "int", "float"))
    other = random.choice(("unsigned", "int", "float"))
    name = f"g{number}_{unit}"
    template = random.random() < 0.4
    w = _inner(random, kind, [Variable("x", kind), Variable("y", other)], e)
    body = _routine_body(w, kind, 2)
    use = Simple("h += @0;", (w.e.cast("unsigned", Expr("y", type=other)),))
    use_x = Simple("h ^= @0;", (w.e.cast("unsigned", Expr("x", type=kind)),))
    body = (body[0], use, use_x, *body[1:])
    head = f"__device__ {kind} {name}({kind} x, {other} y) {{"
    if template:
        head = f"template <typename T> __device__ {kind} {name}(T x, {other} y) {{"
    elif random.random() < 0.3:
        head = "inline " + head
    block = Block(Kind.FUNCTION, (Arm(head, (), body),), name=name)
    return block, Function(f"{name}(@0, @1)", kind, (kind, other))


def reference_function(
    random: Random, unit: str, number: int, e: Expressions
) -> tuple[Block, Routine]:
    """A function that changes what it is given by reference."""
    kind = random.choice(("unsigned", "unsigned", "float", "int"))
    name = f"r{number}_{unit}"
    w = _inner(random, "unsigned", [Variable("x", kind), Variable("y", "unsigned")], e)
    body = _routine_body(w, "unsigned", 2)
    extra = Simple("x = @0;", (w.e.cast(kind, Expr("(y * 3u + h)", type="unsigned")),))
    body = (body[0], *body[1:-1], extra, body[-1])
    template = random.random() < 0.4
    shown = "T" if template else kind
    before = "template <typename T> " if template else ""
    head = f"{before}__device__ unsigned {name}({shown} &x, unsigned y) {{"
    block = Block(Kind.FUNCTION, (Arm(head, (), body),), name=name)
    return block, Routine(f"{name}(@0, @1)", "unsigned", (f"{kind} &", "unsigned"))


def applier(unit: str) -> tuple[Block, str]:
    """A template that calls what it is given: `apply_k0(3, [&](unsigned i) { ... })`."""
    name = f"apply_{unit}"
    body = (
        Simple("unsigned total = 0u;"),
        Block(
            Kind.LOOP,
            (Arm("for (unsigned i = 0u; i < n; ++i) {", (), (Simple("total += f(i);"),)),),
        ),
        Simple("return total;", (), Does.RETURN),
    )
    head = f"template <typename F> __device__ unsigned {name}(unsigned n, F f) {{"
    return Block(Kind.FUNCTION, (Arm(head, (), body),), name=name), name


def macro(random: Random, unit: str) -> tuple[Simple, Function]:
    """A macro with arguments."""
    name = f"MIX_{unit.upper()}"
    text = random.choice(
        ["((a) * 3u + (b))", "((a) > (b) ? (a) - (b) : (b) - (a))", "((a) ^ ((b) >> 1))"]
    )
    return Simple(f"#define {name}(a, b) {text}"), Function(
        f"{name}(@0, @1)", "unsigned", ("unsigned", "unsigned")
    )


def table(random: Random, unit: str, e: Expressions) -> list[Statement]:
    """Constant memory that a kernel reads."""
    if random.random() < 0.6:
        return []
    name = f"table_{unit}"
    values = ", ".join(f"{random.randrange(1000)}u" for _ in range(8))
    e.functions.append(Function(f"{name}[@0 % 8u]", "unsigned", ("unsigned",)))
    return [Simple(f"__constant__ unsigned {name}[8] = {{{values}}};")]


def pool(random: Random, unit: str, threads: int) -> list[Statement]:
    """Dynamic shared memory of two types, `first` and `second`."""
    name = f"pool_{unit}"
    second = random.choice(
        [f"(float *)(first + {threads})", f"reinterpret_cast<float *>({name} + {4 * threads})"]
    )
    return [
        Simple(f"extern __shared__ unsigned char {name}[];"),
        Simple(f"unsigned *first = reinterpret_cast<unsigned *>({name});"),
        Simple(f"float *second = {second};"),
    ]


def exchange(random: Random, unit: str) -> tuple[Block, str]:
    """A device function with barriers: what a thread at some distance has given."""
    name = f"swap_{unit}"
    template = random.random() < 0.5
    kind = "T" if template else "unsigned"
    own = Expr("buffer[t]", (), "unsigned", (("buffer", "own"),))
    there = Expr(
        f"buffer[(t + {random.choice([1, 2, 3])}u) % size]", (), "unsigned", (("buffer", "all"),)
    )
    barrier = Simple("__syncthreads();", (), Does.BARRIER)
    body: tuple[Statement, ...] = (
        barrier,
        Simple("@0 = value;", (own,)),
        barrier,
        Simple(f"{kind} found = @0;", (there,)),
        barrier,
        Simple("return found;", (), Does.RETURN),
    )
    if random.random() < 0.4:
        body = (*body[:3], Simple(f"return @0 + {kind}(1);", (there,), Does.RETURN))
    given = f"{kind} *buffer, unsigned t, unsigned size, {kind} value"
    before = "template <typename T> " if template else ""
    head = f"{before}__device__ {kind} {name}({given}) {{"
    return Block(Kind.FUNCTION, (Arm(head, (), body),), name=name), name
