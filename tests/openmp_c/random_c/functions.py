"""Random functions in C with OpenMP, and what they call.

They have no races and no undefined behaviour, and their values stay small. They are smooth but for
conditions on data, which a point that is drawn at random does not meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, final

from tests.openmp_c.random_c.loops import Interval, shared_loop
from tests.openmp_c.random_c.scope import Array, Index, M, N, Role, Scope
from tests.openmp_c.random_c.serial import heap, own_array, range_loop, serial
from tests.openmp_c.random_c.statements import assign, declare, statement
from tests.openmp_c.random_c.writer import Callee, Writer
from tests.reducing import Tree, indented, rendered, sequence

_LARGE: Final = {"view": 2 * N + 1, "whole": 2 * N + 1, "pairs": 2 * N}
_SHORT: Final = 104
PREAMBLE: Final = """\
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define N 36
#define M 6
#define SQUARE(z) ((z) * (z))
typedef struct { double x, y; } Pair;
typedef struct {
    int n;
    const double *from;
    double *to;
    double by;
} View;
static const double weights[3] = {0.5, 1.1, -0.3};
static double bump(double z, double width)
{
    if (z > 2.0)
        return 0.0;
    double s = z / width;
    return exp(-s * s);
}
static Pair turned(Pair v, double by)
{
    Pair made = {0.8 * v.x - by * v.y * 0.5, 0.8 * v.y + 0.5 * by * v.x};
    return made;
}
"""


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of real numbers: `kind` is "value", "array", "rows", "place", "view", "pairs" or
    "whole", which is a view that is handed over by value."""

    name: str
    kind: str
    real: str = "double"

    @property
    def size(self) -> int:
        """How many real numbers it stands for."""
        return {"value": 1, "place": 1, "array": N, "rows": N, **_LARGE}[self.kind]


@final
@dataclass(frozen=True, slots=True)
class RandomFunction:
    """A function, and those that it calls."""

    name: str
    functions: Tree
    head: str
    body: Tree
    given: tuple[str, ...]
    """Parameters that are no real numbers."""
    parameters: tuple[Parameter, ...]
    has_result: bool
    constructs: frozenset[str]

    @property
    def tree(self) -> Tree:
        """All that can be reduced."""
        body = Tree("{\n@}\n", (self.body,), lifts=False)
        request = "#pragma g2o grad\n#pragma g2o jvp\n"
        return Tree(f"@{request}{self.head}\n@", (self.functions, body), lifts=False)

    def text(self, tree: Tree | None = None) -> str:
        return indented(rendered(self.tree if tree is None else tree))


def random_function(seed: int) -> RandomFunction:
    """The function of this number. The first ones are short, of the others every eighth is long."""
    writer = Writer(Random(f"openmp {seed}"), f"r{seed}")
    if seed < _SHORT:
        return _function(writer, 1)
    writer.is_long = seed % 8 == 7
    counts = (2, 2, 3, 3, 4, 5) if writer.is_long else (1, 1, 2)
    return _function(writer, writer.one_of(counts))


def _function(w: Writer, count: int) -> RandomFunction:
    """A function with that many statements at least, in which there may be others."""
    w.has_floats = w.chance(0.2)
    helpers = [_helper(w) for _ in range(w.pick(0, 0, 1, 1, 2) if w.is_long else w.pick(0, 0, 1))]
    parameters = _parameters(w)
    w.scope = _scope_of(w, parameters)
    has_result = w.chance(0.8)
    lines = [Tree(f"double s = 0.3 * {w.scope.values[0]} + 0.1;\n")]
    w.scope.values.append("s")
    frees: list[str] = []
    if has_result and w.chance(0.2):
        w.note("early return")
        text = "if (@)\nreturn @;\n"
        lines.append(Tree(text, (w.condition(), w.value()), lifts=False))
    if w.chance(0.5):
        lines.append(own_array(w))
    if w.chance(0.35):
        made, freed = heap(w)
        lines.append(made)
        frees.append(freed)
    lines += [serial(w) for _ in range(count)]
    if has_result and not frees and w.chance(0.15):
        w.note("early return")
        lines.append(Tree("if (@)\nreturn @;\n", (w.condition(), w.value()), lifts=False))
        lines.append(serial(w))
    end = _end(w, has_result, frees)
    given = ("n", "m", "steps", "k")
    words = ["int n", "int m", "int steps", "const int *k", *map(_declared, parameters)]
    result = "double" if has_result else "void"
    head = f"static {result} {w.name}({', '.join(words)})"
    body = Tree("(void)n, (void)m, (void)steps, (void)k;\n@@", (sequence(lines), end), lifts=False)
    made = frozenset(w.constructs)
    return RandomFunction(
        w.name, sequence(helpers), head, body, given, tuple(parameters), has_result, made
    )


def _parameters(w: Writer) -> list[Parameter]:
    found = [Parameter("a", "value"), Parameter("x", "array"), Parameter("y", "array")]
    if w.chance(0.5):
        found.append(Parameter("z", "array", "const double"))
    if w.chance(0.35):
        found.append(Parameter("u", "rows"))
    if w.chance(0.25):
        found.append(Parameter("b", "value", w.real()))
    if w.has_floats:
        found.append(Parameter("h", "array", "float"))
    if w.chance(0.2):
        found.append(Parameter("p", "place"))
    if w.chance(0.2):
        found.append(Parameter("g", w.pick("view", "view", "whole")))
    if w.chance(0.2):
        found.append(Parameter("e", "pairs"))
    first, *rest = found
    w.random.shuffle(rest)
    return [first, *rest]


def _declared(one: Parameter) -> str:
    match one.kind:
        case "value":
            return f"{one.real} {one.name}"
        case "rows":
            return f"double (*{one.name})[M]"
        case "view":
            return f"View *{one.name}"
        case "whole":
            return f"View {one.name}"
        case "pairs":
            return f"Pair *{one.name}"
        case _:
            return f"{one.real} *{one.name}"


def _scope_of(w: Writer, parameters: list[Parameter]) -> Scope:
    made = Scope(counts=["n", "steps", "m"])
    if w.chance(0.2):
        made.arrays.append(Array("weights", 3, "double", Role.READ))
    for one in parameters:
        match one.kind:
            case "value":
                made.values.append(one.name)
                w.reals[one.name] = one.real
            case "place":
                made.values.append(f"(*{one.name})")
            case "view" | "whole":
                w.note("structure of the caller")
                arrow = "->" if one.kind == "view" else "."
                made.values.append(f"{one.name}{arrow}by")
                made.arrays.append(Array(f"{one.name}{arrow}from", N, "double", Role.READ))
                made.arrays.append(Array(f"{one.name}{arrow}to", N, "double"))
            case "pairs":
                w.note("array of structures")
                for member in ("x", "y"):
                    made.arrays.append(Array(one.name, N, "double", member=member))
            case _:
                real = one.real.removeprefix("const ")
                role = Role.READ if real != one.real else Role.FREE
                made.arrays.append(Array(one.name, N, real, role, has_rows=one.kind == "rows"))
    return made


def _end(w: Writer, has_result: bool, frees: list[str]) -> Tree:
    freed = "".join(frees)
    if not has_result:
        target = next(one for one in w.scope.arrays if one.name == "x").at("2")
        return Tree(f"{target} += 0.1 * @ + s;\n{freed}", (w.value(),), lifts=False)
    numbers = [one for one in w.scope.values if one != "s"]
    sums = [f"0.4 * {one}" for one in w.random.sample(numbers, min(3, len(numbers)))]
    arrays = [one for one in w.scope.arrays if one.role is not Role.ADDED]
    sums += [f"0.3 * {w.element([one])}" for one in w.random.sample(arrays, min(3, len(arrays)))]
    text = " + ".join(["s", *sums])
    if not frees:
        return Tree(f"return {text};\n")
    return Tree(f"double result = {text};\n{freed}return result;\n")


# -- functions that are called ------------------------------------------------------------------


def _helper(w: Writer) -> Tree:
    kinds: list[Callable[[Writer], Tree]] = [_of_numbers, _of_place, _of_row, _of_vectors]
    kinds += [_of_vectors, _of_structure, _of_region]
    return w.one_of(kinds)(w)


def _early(w: Writer, lines: list[Tree]) -> None:
    if w.chance(0.5):
        w.note("early return of a function")
        text = "if (@)\nreturn @;\n"
        lines.append(Tree(text, (w.condition(), w.small()), lifts=False))


def _of_numbers(w: Writer) -> Tree:
    """Numbers in, a number out."""
    name = f"{w.name}_{w.new('f')}"
    w.scope = Scope(values=["u", "v"], counts=["c"])
    lines = [declare(w)]
    _early(w, lines)
    lines += [statement(w) for _ in range(w.random.randint(1, 2))]
    end = Tree("return @;\n", (w.value(),), lifts=False)
    w.functions.append(Callee(name, ("value", "value", "count"), has_result=True))
    head = f"static double {name}(double u, double v, int c)"
    return Tree(f"{head}\n{{\n@@}}\n", (sequence(lines), end), lifts=False)


def _of_place(w: Writer) -> Tree:
    """It changes a number by its address."""
    name = f"{w.name}_{w.new('f')}"
    has_result = w.chance(0.6)
    w.scope = Scope(values=["u", "(*v)"], counts=["c"])
    lines = [declare(w), assign(w)]
    if has_result:
        _early(w, lines)
    elif w.chance(0.5):
        lines.append(Tree("if (@)\nreturn;\n", (w.condition(),), lifts=False))
    lines += [statement(w) for _ in range(w.random.randint(1, 2))]
    last = Tree("*v = 0.5 * *v + 0.4 * @;\n", (w.small(),), lifts=False)
    end = Tree("return @;\n", (w.value(),), lifts=False) if has_result else Tree("")
    w.functions.append(Callee(name, ("place", "value", "count"), has_result))
    head = f"static {'double' if has_result else 'void'} {name}(double *v, double u, int c)"
    return Tree(f"{head}\n{{\n@@@}}\n", (sequence(lines), last, end), lifts=False)


def _of_row(w: Writer) -> Tree:
    """A row of M numbers, whose elements depend on each other."""
    name, j = f"{w.name}_{w.new('f')}", w.new("j")
    w.scope = Scope(values=["u"], counts=["c"], arrays=[Array("row", M, "double")])
    lines = [declare(w)]
    with w.inside(jumps=["break", "continue"]) as scope:
        low, high = w.pick((0, M), (1, M), (1, M - 1))
        scope.indices.append(Index(j, low, high))
        body = w.body(lambda: statement(w), 1, 2)
        last = assign(w)
    head = f"for (int {j} = {low}; {j} < {'M' if high == M else 'M - 1'}; ++{j})"
    lines.append(Tree(f"{head} {{\n@@}}\n", (body, last)))
    end = Tree("return @;\n", (w.value(),), lifts=False)
    w.functions.append(Callee(name, ("row", "value", "count", "k"), has_result=True))
    head = f"static double {name}(double *row, double u, int c, const int *k)"
    return Tree(f"{head}\n{{\n(void)k;\n@@}}\n", (sequence(lines), end), lifts=False)


def _vectors() -> Scope:
    arrays = [Array("x", N, "double"), Array("z", N, "double", Role.READ)]
    return Scope(values=["u"], counts=["n"], arrays=arrays)


def _of_vectors(w: Writer) -> Tree:
    """Arrays, with loops of all kinds."""
    name = f"{w.name}_{w.new('f')}"
    w.scope = _vectors()
    has_result = w.chance(0.5)
    lines = [declare(w)]
    freed = ""
    if w.chance(0.3):
        made, freed = heap(w)
        lines.append(made)
    elif has_result:
        _early(w, lines)
    for _ in range(w.random.randint(1, 1 + w.is_long)):
        is_serial = w.chance(0.3)
        lines.append(range_loop(w) if is_serial else shared_loop(w, "parallel for", Interval()))
    end = Tree("", ())
    if has_result:
        end = Tree(f"double back = @;\n{freed}return back;\n", (w.value(),), lifts=False)
    elif freed:
        end = Tree(freed)
    given = ("n", "k", "value", "vector", "source")
    w.functions.append(Callee(name, given, has_result, is_serial=False))
    result = "double" if has_result else "void"
    head = f"static {result} {name}(int n, const int *k, double u, double *x, const double *z)"
    text = f"{head}\n{{\nconst int m = M;\n(void)k, (void)m;\n@@}}\n"
    return Tree(text, (sequence(lines), end), lifts=False)


def _of_structure(w: Writer) -> Tree:
    """The arrays of a structure."""
    name = f"{w.name}_{w.new('f')}"
    arrays = [Array("v->to", N, "double"), Array("v->from", N, "double", Role.READ)]
    w.scope = Scope(values=["u"], shared=["v->by"], counts=["v->n"], arrays=arrays)
    lines = [Tree("double u = 0.5 * v->by;\nconst int n = v->n, m = M;\n(void)n, (void)m;\n")]
    construct = w.pick("parallel for", "parallel for", "simd")
    lines.append(shared_loop(w, construct, Interval()))
    w.functions.append(Callee(name, ("structure", "k"), has_result=False, is_serial=False))
    text = f"static void {name}(const View *v, const int *k)\n{{\n(void)k;\n@}}\n"
    return Tree(text, (sequence(lines),), lifts=False)


def _of_region(w: Writer) -> Tree:
    """Loops that are shared out among the threads that call it."""
    name = f"{w.name}_{w.new('f')}"
    w.scope = _vectors()
    w.in_region = True
    with w.inside() as scope:  # other threads are in the loop already
        scope.arrays = [one for one in scope.arrays if one.role is Role.READ]
        lines = [declare(w)]
    w.scope.values.append(scope.values[-1])
    interval = Interval()
    for _ in range(w.random.randint(1, 1 + w.is_long)):
        lines.append(shared_loop(w, "for", interval))
        interval.clear()
    w.in_region = False
    given = ("n", "k", "value", "vector", "source")
    w.functions.append(Callee(name, given, has_result=False, of_threads=True, is_serial=False))
    head = f"static void {name}(int n, const int *k, double u, double *x, const double *z)"
    text = f"{head}\n{{\nconst int m = M;\n(void)k, (void)m;\n@}}\n"
    return Tree(text, (sequence(lines),), lifts=False)
