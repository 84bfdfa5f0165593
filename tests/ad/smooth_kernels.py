"""Random differentiable kernels in CUDA C++, as trees that can be reduced.

They have what real kernels have: nested scopes, shared memory that neighbours read, barriers in
loops, atomics, values that are overwritten in place or for nothing, loops with run-time trip counts
and values that they carry, conditions of one thread and of the block, jumps, device functions with
references and early returns, structures with methods, local arrays, references and pointers to
locals, lambdas that capture, templates, shuffles.

No two threads race: for each array it is known what threads do with it since the last barrier, each
thread with an element of its own, reads of any, or atomic additions to any; what does not go
together gets a barrier. All values stay small, and depend smoothly on each other but for conditions
on values, which random numbers do not hit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

from tests.reducing import HOLE, Tree, indented, rendered, sequence

PREAMBLE: Final = """\
template <typename T> struct Vec {
    T x, y;
    __device__ T dot(const Vec &other) const { return x * other.x + y * other.y; }
    __device__ void turn(T angle)
    {
        T old = x;
        x = cos(angle) * old - sin(angle) * y;
        y = sin(angle) * old + cos(angle) * y;
    }
    __device__ Vec operator*(T factor) const { return {x * factor, y * factor}; }
};

struct State {
    double level = 0.2;
    double past[3] = {0.1, 0.2, 0.3};
    int steps = 0;
    __device__ void push(double value)
    {
        past[steps % 3] = level;
        level = 0.5 * level + 0.3 * value;
        ++steps;
    }
    __device__ double mean() const
    {
        double sum = 0.0;
        for (double one : past)
            sum += one;
        return sum / 3;
    }
};

template <int K, typename T> __device__ T power(T value)
{
    T result = 1;
    for (int k = 0; k < K; ++k)
        result *= value;
    return result;
}

template <typename T> __device__ void exchange(T &one, T &other)
{
    T old = one;
    one = T(0.9) * other;
    other = T(0.9) * old;
}
"""


@final
@dataclass(frozen=True, slots=True)
class SmoothKernel:
    """A kernel: what stands in front of it, its body, and its launch."""

    name: str
    functions: Tree
    head: str
    body: Tree
    host: str
    launch: str
    constructs: frozenset[str]

    @property
    def tree(self) -> Tree:
        """All that can be reduced."""
        body = Tree("{\n@}\n", (self.body,), lifts=False)
        return Tree(f"@{self.head}\n@{self.host}", (self.functions, body), lifts=False)

    def program(self, tree: Tree | None = None) -> str:
        """A source with this kernel alone."""
        return program_of([self], [self.tree if tree is None else tree])


def program_of(kernels: list[SmoothKernel], trees: list[Tree] | None = None) -> str:
    """A source with kernels and the launches to check them with."""
    launches = "\n".join(one.launch for one in kernels)
    texts = [rendered(one) for one in trees or [kernel.tree for kernel in kernels]]
    return f"{launches}\n{PREAMBLE}\n" + "\n".join(map(indented, texts))


_Uses = dict[str, str]  # what threads do with an array since the last barrier


@final
@dataclass(slots=True)
class _Scope:
    """Variables that can be named."""

    reals: list[str]  # lvalues of real numbers
    readable: list[str]  # reals that must not be changed
    counts: list[str]
    changing: list[str]  # counts that may be changed
    vectors: list[str]
    states: list[str]
    arrays: list[tuple[str, int]]

    def copy(self) -> _Scope:
        return deepcopy(self)


@final
@dataclass(slots=True)
class _Loop:
    """A loop that is being written: with what threads do to arrays where it is left or goes on."""

    uniform: bool
    leaving: list[_Uses] = field(default_factory=list[_Uses])
    again: list[_Uses] = field(default_factory=list[_Uses])
    made: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


@final
class _Writer:
    def __init__(self, random: Random, name: str) -> None:
        self.random = random
        self.name = name
        self.is_template = random.random() < 0.15
        self.real = "T" if self.is_template else random.choice(["double", "double", "float"])
        self.instance = random.choice(["double", "float"]) if self.is_template else self.real
        self.size = random.choice([8, 8, 16, 6, 12])
        self.flat = random.random() < 0.8
        self.kind = random.choice(["full", "full", "guarded", "returning"])
        self.blocks = random.choice([1, 2, 3])
        self.uses: _Uses = {}
        self.shared: dict[str, int] = {}  # name -> elements
        self.rows: dict[str, int] = {}
        self.loops: list[_Loop] = []
        self.jumps = True
        self.depth = 0
        self.count = 0
        self.barriers = 0
        self.uniform = True
        self.in_function = False
        self.scope = _Scope([], [], [], [], [], [], [])
        self.constructs: set[str] = set()
        self.callable: list[str] = []

    # -- the whole ------------------------------------------------------------------------------

    def kernel(self) -> SmoothKernel:
        functions = [self._function() for _ in range(self.random.choice([0, 0, 0, 1]))]
        self.scope = _Scope(["v", "w"], ["a"], ["t", "m"], [], [], [], [])
        lines: list[Tree] = []
        real, size = self.real, self.size
        if self.flat:
            lines.append(Tree("int t = threadIdx.x;\n"))
        else:
            lines.append(Tree("int t = threadIdx.y * blockDim.x + threadIdx.x;\n"))
        index = f"blockIdx.x * {size} + t"
        lines.append(Tree(f"int i = {index};\n"))
        if self.kind == "returning":
            lines.append(Tree("if (i >= n)\nreturn;\n"))
        else:
            for _ in range(self.random.choice([1, 1, 2])):
                lines.append(self._shared_array())
        guarded = self.kind == "guarded"
        front = "i < n ? x[i] : " + self._number("0.3") if guarded else "x[i]"
        lines.append(Tree(f"{real} v = {front}, w = {self._number('0.4')};\n"))
        if self.random.random() < 0.5:
            lines.append(Tree("int c = i % 3;\n"))
            self.scope.changing.append("c")
            self.scope.counts.append("c")
        statements = self._statements(self.random.randrange(2, 6))
        last = Tree(
            self._guard(f"y[i] {self.random.choice(['=', '+='])} @ + 0.5f * v * w;\n"),
            (self._small(),),
            lifts=False,
        )
        if self.uses.get("y") not in (None, "[i]"):
            statements.append(self._barrier())
        if self.kind != "returning" and self.random.random() < 0.25:
            statements += self._threads_leave()
        lines += [*statements, last]
        heads = "template <typename T> " if self.is_template else ""
        head = (
            f"{heads}__global__ void {self.name}(const {real} *x, {real} *y, {real} *z, "
            f"{real} *total, const int *k, int n, int m, {real} a)"
        )
        count = self.blocks * size - (2 if self.kind != "full" else 0)
        block = str(size) if self.flat else f"dim3({size // 2}, 2)"
        instance = f"<{self.instance}>" if self.is_template else ""
        whole = f"{self.name}{instance}<<<{self.blocks}, {block}>>>"
        launch = (
            f"// g2o-verify: {whole}(n = {count}, m = 3, a = 0.7,\n"
            "//     x = [n], y = [n], z = [n], total = [3], k = [n : (i * 5 + 2) % 7])"
        )
        host = ""
        if self.is_template or self.random.random() < 0.5:  # else nobody knows how large blocks are
            real = self.instance
            host = (
                f"\nvoid host_{self.name}(const {real} *x, {real} *y, {real} *z, {real} *total, "
                "const int *k, int n, int m)\n{\n"
                f"{whole}(x, y, z, total, k, n, m, {real}(0.7));\n}}\n"
            )
        made = frozenset(self.constructs)
        return SmoothKernel(
            self.name, sequence(functions), head, sequence(lines), host, launch, made
        )

    def _function(self) -> Tree:
        """A device function with a reference parameter, and maybe an early return."""
        name = f"{self.name}_{self._new('f')}"
        held, self.in_function = self.scope, True
        uniform, self.uniform = self.uniform, False
        self.scope = _Scope(["b"], ["a"], ["c"], [], [], [], [])
        real = self.real
        statements = [Tree(f"{real} u = @;\n", (self._small(),), lifts=False)]
        self.scope.reals.append("u")
        statements += self._statements(self.random.randrange(1, 3))
        if self.random.random() < 0.5:
            self._note("early return")
            early = Tree("if (@)\nreturn @;\n", (self._condition(), self._small()), lifts=False)
            statements += [early, *self._statements(self.random.randrange(3))]
        result = Tree("return @;\n", (self._value(),), lifts=False)
        self.scope, self.in_function, self.uniform = held, False, uniform
        self.callable.append(name)
        heads = "template <typename T> " if self.is_template else ""
        head = f"{heads}__device__ {real} {name}({real} a, {real} &b, int c)"
        return Tree(f"{head}\n{{\n@@}}\n\n", (sequence(statements), result), lifts=False)

    def _shared_array(self) -> Tree:
        name = self._new("s")
        size = self.size
        self.shared[name] = size
        self.uses[name] = "own [t]"
        first = self.random.choice(["0.1f * t", "0.2f", "x[i % n]"])
        if size % 2 == 0 and self.random.random() < 0.25:
            self._note("rows")
            self.rows[name] = 2
            return Tree(
                f"__shared__ {self.real} {name}[2][{size // 2}];\n{name}[t % 2][t / 2] = {first};\n"
            )
        return Tree(f"__shared__ {self.real} {name}[{size}];\n{name}[t] = {first};\n")

    # -- statements -----------------------------------------------------------------------------

    def _statements(self, count: int) -> list[Tree]:
        return [self._statement() for _ in range(count)]

    def _statement(self) -> Tree:
        kinds: list[Callable[[], Tree]] = [self._declare] * 3 + [self._assign] * 6
        kinds += [self._dead, self._local_array, self._reference, self._pointer]
        kinds += [self._element, self._exchange_values, self._lambda, self._step]
        if not self.is_template:
            kinds += [self._state, self._vector]
        if self.callable:
            kinds += [self._call] * 2
        if self.depth < 2:
            kinds += [self._if] * 3 + [self._for] * 3 + [self._while, self._block, self._switch]
        if self.loops and self.jumps:
            kinds += [self._jump]
        if not self.in_function:
            kinds += [self._global] * 2 + [self._atomic_total]
            if self.shared:
                kinds += [self._shared_own] * 3 + [self._shared_read] * 4 + [self._shared_atomic]
            if self.uniform and self.kind != "returning":
                kinds += [self._shuffle, self._sync, self._lane_sum]
                if self.depth < 2:
                    kinds += [self._lanes_leave]
                if self.shared:
                    kinds += [self._tree, self._carried]
                if self.depth < 2:
                    kinds += [self._uniform_for] * 4 + [self._uniform_if]
            if self.kind == "returning" and self.depth == 0:
                kinds += [self._leave]
        return self.random.choice(kinds)()

    def _declare(self) -> Tree:
        name = self._new("r")
        made = Tree(f"{self.real} {name} = @;\n", (self._value(),), lifts=False)
        self.scope.reals.append(name)
        return made

    def _assign(self) -> Tree:
        target = self._target()
        op = self.random.choice(["=", "=", "=", "+=", "-=", "*="])
        if op == "=":
            value = self._value()
        elif op == "*=":
            value = Tree(f"{self._number('0.6')} * @", (self._small(),))
        else:
            less, more = self._number("0.3"), self._number("0.4")
            sign = "-" if op == "+=" else "+"
            text = f"{target} {op} {less} * @ {sign} {more} * {target};\n"
            return Tree(text, (self._small(),), lifts=False)
        return Tree(f"{target} {op} @;\n", (value,), lifts=False)

    def _dead(self) -> Tree:
        self._note("dead")
        target = self._target()
        first = Tree(f"{target} += @;\n", (self._small(),), lifts=False)
        then = Tree(f"{target} = @;\n", (self._without(target),), lifts=False)
        return sequence([first, then])

    def _step(self) -> Tree:
        if not self.scope.changing:
            return self._assign()
        one = self.random.choice(self.scope.changing)
        change = self.random.choice([f"{one}++", f"{one} = (2 * {one} + {self._count()}) % 5"])
        return Tree(f"{change};\n")

    def _local_array(self) -> Tree:
        self._note("array")
        name, real = self._new("q"), self.real
        parts = [
            Tree(
                f"{real} {name}[4] = {{@, @, {self._number('0.2')}}};\n",
                (self._atom(), self._small()),
                lifts=False,
            )
        ]
        if self.random.random() < 0.4:
            h = self._new("h")
            parts = [
                Tree(f"{real} {name}[4];\n"),
                Tree(
                    f"for (int {h} = 0; {h} < 4; ++{h})\n{name}[{h}] = @ + 0.1f * {h};\n",
                    (self._small(),),
                    lifts=False,
                ),
            ]
        self.scope.arrays.append((name, 4))
        self.scope.reals += [f"{name}[{self._index(4)}]", f"{name}[{self.random.randrange(4)}]"]
        return Tree("@" * len(parts), tuple(parts), lifts=False)

    def _element(self) -> Tree:
        if not self.scope.arrays:
            return self._assign()
        name, size = self.random.choice(self.scope.arrays)
        if self.random.random() < 0.3:
            h = self._new("h")
            body = f"{name}[{h}] = 0.5f * {name}[{h}] + 0.3f * {name}[({h} + 1) % {size}];\n"
            return Tree(f"for (int {h} = 0; {h} < {size}; ++{h})\n{body}")
        return Tree(f"{name}[{self._index(size)}] = @;\n", (self._value(),), lifts=False)

    def _vector(self) -> Tree:
        self._note("structure")
        name = self._new("p")
        parts = [
            Tree(
                f"Vec<{self.real}> {name} = {{@, @}};\n", (self._atom(), self._small()), lifts=False
            )
        ]
        if self.random.random() < 0.5:
            parts.append(Tree(f"{name}.turn(@);\n", (self._atom(),), lifts=False))
        if self.scope.vectors and self.random.random() < 0.6:
            other = self.random.choice(self.scope.vectors)
            parts.append(Tree(f"{self._target()} = 0.3f * {name}.dot({other});\n"))
            parts.append(Tree(f"{name} = {other} * @;\n", (self._small(),), lifts=False))
        self.scope.vectors.append(name)
        self.scope.reals += [f"{name}.x", f"{name}.y"]
        return Tree("@" * len(parts), tuple(parts), lifts=False)

    def _state(self) -> Tree:
        self._note("methods")
        if self.scope.states and self.random.random() < 0.7:
            name = self.random.choice(self.scope.states)
            if self.random.random() < 0.5:
                return Tree(f"{self._target()} = {name}.mean();\n")
            return Tree(f"{name}.push(@);\n", (self._atom(),), lifts=False)
        name = self._new("st")
        self.scope.states.append(name)
        self.scope.readable.append(f"{name}.level")
        return Tree(f"State {name};\n{name}.push(@);\n", (self._atom(),), lifts=False)

    def _reference(self) -> Tree:
        self._note("reference")
        name, target = self._new("f"), self._target()
        if self.random.random() < 0.3:
            target = f"({rendered(self._count_condition())} ? {target} : {self._target()})"
        made = Tree(f"{self.real} &{name} = {target};\n")
        then = Tree(f"{name} = @;\n", (self._value(),), lifts=False)
        self.scope.reals.append(name)
        return Tree("@@", (made, then), lifts=False)

    def _pointer(self) -> Tree:
        self._note("pointer")
        name = self._new("g")
        if self.scope.arrays and self.random.random() < 0.5:
            array, _ = self.random.choice(self.scope.arrays)
            made = Tree(f"{self.real} *{name} = {array} + {self._count()} % 2;\n")
            then = Tree(f"{name}[1] = @;\n", (self._value(),), lifts=False)
            self.scope.reals += [f"{name}[{self.random.randrange(3)}]"]
        else:
            made = Tree(f"{self.real} *{name} = &{self._target()};\n")
            then = Tree(f"*{name} = @;\n", (self._value(),), lifts=False)
            self.scope.reals.append(f"(*{name})")
        return Tree("@@", (made, then), lifts=False)

    def _exchange_values(self) -> Tree:
        one, other = self._target(), self._target()
        if one == other or "[" in one + other or "*" in one + other:
            return self._assign()
        self._note("reference parameters")
        return Tree(f"exchange({one}, {other});\n")

    def _lambda(self) -> Tree:
        self._note("lambda")
        name = self._new("l")
        kept = self.scope.copy()
        capture = self.random.choice(["&", "="])
        if capture == "=":  # what changes later on is not copied by what g2o inlines
            self.scope.reals, self.scope.readable = ["a"], ["a"]
        self.scope.readable.append("u")
        if capture == "=":
            body = Tree("return @;\n", (self._value(),), lifts=False)
        else:
            target = self.random.choice(["v", "w"]) if not self.in_function else "b"
            first = Tree(f"{target} = 0.7f * {target} + 0.2f * @;\n", (self._small(),), lifts=False)
            body = Tree("@return @;\n", (first, self._small()), lifts=False)
        self.scope = kept
        made = Tree(f"auto {name} = [{capture}]({self.real} u) {{\n@}};\n", (body,), lifts=False)
        local = self._new("r")
        used = Tree(f"{self.real} {local} = {name}(@);\n", (self._atom(),), lifts=False)
        self.scope.reals.append(local)
        return Tree("@@", (made, used), lifts=False)

    def _call(self) -> Tree:
        self._note("call")
        function = self.random.choice(self.callable)
        changed = self._target()
        result = self._new("r")
        made = Tree(
            f"{self.real} {result} = {function}(@, {changed}, {self._count()});\n",
            (self._whole_type(self._without(changed)),),
            lifts=False,
        )
        self.scope.reals.append(result)
        return made

    def _block(self) -> Tree:
        with self._inside():
            first = Tree(f"{self.real} v = @;\n", (self._without("v"),), lifts=False)
            body = sequence(self._statements(self.random.choice([1, 1, 2])))
        return Tree("{\n@@}\n", (first, body), lifts=False)

    def _if(self) -> Tree:
        """Threads that take one arm and threads that take the other one may meet."""
        condition, then = self._condition(), self._nested()
        if self.random.random() < 0.5:
            return Tree("if (@) {\n@}\n", (condition, then))
        return Tree("if (@) {\n@} else {\n@}\n", (condition, then, self._nested()))

    def _switch(self) -> Tree:
        self._note("switch")
        held, self.jumps = self.jumps, False  # a `break` would be that of the switch
        arms = [self._nested() for _ in range(3)]
        self.jumps = held
        ends = [self.random.choice(["break;\n", "break;\n", ""]) for _ in range(2)]
        text = f"case 0: {{\n@}}\n{ends[0]}case 1: {{\n@}}\n{ends[1]}default: {{\n@}}\n"
        return Tree(f"switch ({self._count()} % 3) {{\n{text}}}\n", tuple(arms), lifts=False)

    def _for(self) -> Tree:
        j = self._new("j")
        trips = self.random.choice(["3", f"{self._count()} % 4"])
        if not self.in_function:
            trips = self.random.choice([trips, "m", "k[i % n] % 3"])
        head = self.random.choice(
            [
                f"for (int {j} = 0; {j} < {trips}; ++{j}) {{",
                f"for (int {j} = {trips}; {j} > 0; --{j}) {{",
                f"for (int {j} = 1; {j} <= {trips}; {j} += 2) {{",
                f"for (unsigned {j} = 0; {j} < 3u; ++{j}) {{",
                f"for (int {j} = 4; {j} > 0; {j} >>= 1) {{",
            ]
        )
        return self._looped(head, "}\n", j, uniform=False)

    def _uniform_for(self) -> Tree:
        self._note("barriers in a loop")
        j = self._new("j")
        head = self.random.choice(
            [
                f"for (int {j} = 0; {j} < m; ++{j}) {{",
                f"for (int {j} = 0; {j} < 2; ++{j}) {{",
                f"for (int {j} = m; {j} >= 2; --{j}) {{",
                f"for (int {j} = 4; {j} > 0; {j} >>= 1) {{",
            ]
        )
        return self._looped(head, "}\n", j, uniform=True)

    def _lanes_leave(self) -> Tree:
        """A loop with a shuffle that lanes leave at different turns, the first ones last."""
        self._note("lanes that leave")
        j, target = self._new("j"), self._target()
        head = self.random.choice(
            [
                f"for (int {j} = 0; {j} < 4 - t / 2; ++{j}) {{\n",
                f"for (int {j} = t / 2; {j} < 5; {j} += 2) {{\n",
                f"for (int {j} = 3; {j} > t / 2; --{j}) {{\n",
            ]
        )
        lane = self.random.choice(
            ["_xor_sync(__activemask(), @, 1)", "_sync(__activemask(), @, 0)"]
        )
        met = f"{self.real}(__shfl{lane.replace('@', target)})"
        line = (
            f"{target} = {self._number('0.6')} * {target} + {self._number('0.3')} * sin({met});\n"
        )
        with self._inside():
            self.scope.counts.append(j)
            more = self._assign()
        return Tree(f"{head}{line}@}}\n", (more,), lifts=False)

    def _threads_leave(self) -> list[Tree]:
        """The last loop of a kernel, with barriers, which threads leave one after another."""
        names = [one for one in self.shared if one not in self.rows]
        if not names:
            return []
        self._note("threads that leave")
        name, j, size = self.random.choice(names), self._new("j"), self.size
        end = self.random.choice([f"{size} + m", f"2 * {size} - 1", f"n % {size} + {size}"])
        head = self.random.choice(
            [
                f"for (int {j} = t; {j} < {end}; {j} += {size}) {{\n",
                f"for (unsigned {j} = t; {j} < unsigned({end}); {j} += {size}) {{\n",
            ]
        )
        there = f"(t + 1) % min({size}, {end} - (int({j}) - t))"
        target = self._target()
        less, more = self._number("0.5"), self._number("0.4")
        add = f"{target} = {less} * {target} + {more} * {name}[{there}];\n"
        body = (
            Tree(f"{name}[t] = @;\n", (self._small(),), lifts=False),
            Tree("__syncthreads();\n"),
            Tree(add),
            self._assign(),
            Tree("__syncthreads();\n"),
        )
        barrier = self._barrier()
        return [barrier, Tree(f"{head}@}}\n", (sequence(list(body)),), lifts=False)]

    def _while(self) -> Tree:
        c = self._new("c")
        with self._inside():
            condition = self._condition()
            if self.random.random() < 0.5:
                head, tail = f"while ({c}++ < 3 && @) {{", "}\n"
            else:
                head, tail = "do {", f"}} while (++{c} < 3 && @);\n"
            loop = self._looped(head, tail, c, uniform=False, condition=condition)
        return Tree(f"{{\nint {c} = 0;\n@}}\n", (loop,), lifts=False)

    def _looped(
        self, head: str, tail: str, index: str, *, uniform: bool, condition: Tree | None = None
    ) -> Tree:
        """A loop. What an iteration ends with meets what the next one begins with; what follows
        the loop meets what it ends with, or what was in front of it."""
        before, loop = dict(self.uses), _Loop(uniform)
        held, self.uniform = self.uniform, self.uniform and uniform
        passed = self.barriers
        held_jumps, self.jumps = self.jumps, True
        self.loops.append(loop)
        with self._inside():
            self.scope.counts.append(index)
            body = self._statements(self.random.choice([1, 2, 2, 3]))
        self.loops.pop()
        self.uniform, self.jumps = held, held_jumps
        ends = [self.uses, *loop.again]
        if self.barriers > passed and any(self._clashes(one, loop) for one in ends):
            if loop.again or self.random.random() < 0.5:
                body.insert(0, Tree("__syncthreads();\n"))
            else:
                body.append(self._barrier())
                ends = [self.uses]
        self._merge([before, *ends, *loop.leaving])
        parts = [sequence(body)]
        if condition is not None:
            parts.insert(0 if HOLE in head else 1, condition)
        return Tree(f"{head}\n@{tail}", tuple(parts), lifts=False)

    def _clashes(self, end: _Uses, loop: _Loop) -> bool:
        """May what threads do at the end of an iteration meet something else in the next one?"""
        return any(name == other and use != end[name] for name in end for other, use in loop.made)

    def _uniform_if(self) -> Tree:
        condition = Tree(self.random.choice(["m > 2", "m == 2", "blockIdx.x == 0", "n > 3"]))
        before = dict(self.uses)
        with self._inside():
            then = sequence(self._statements(self.random.choice([1, 1, 2])))
        ends = [before]
        if self.random.random() < 0.5:
            made = Tree("if (@) {\n@}\n", (condition, then))
        else:
            after, self.uses = self.uses, before
            ends = [after]
            with self._inside():
                other = sequence(self._statements(self.random.randrange(1, 3)))
            made = Tree("if (@) {\n@} else {\n@}\n", (condition, then, other))
        self._merge(ends)
        return made

    def _jump(self) -> Tree:
        loop = self.loops[-1]
        kind = self.random.choice(["break", "continue"])
        self._note(kind)
        if loop.uniform and self.uniform:
            condition = Tree(self.random.choice(["m > 2", f"{self._loop_count()} == 1"]))
            (loop.leaving if kind == "break" else loop.again).append(dict(self.uses))
        elif loop.uniform:
            return self._assign()
        else:
            condition = self._condition()
        return Tree(f"if (@)\n{kind};\n", (condition,), lifts=False)

    def _leave(self) -> Tree:
        self._note("leave")
        store = Tree("y[i] = @;\n", (self._value(),), lifts=False)
        return Tree("if (@) {\n@return;\n}\n", (self._condition(), store), lifts=False)

    # -- memory of several threads --------------------------------------------------------------

    def _sync(self) -> Tree:
        return self._barrier()

    def _barrier(self) -> Tree:
        self.barriers += 1
        self.uses = {}
        return Tree("__syncthreads();\n")

    def _merge(self, others: list[_Uses]) -> None:
        """What threads have done to arrays is what they have done here or there."""
        for other in others:
            for name, use in other.items():
                if self.uses.setdefault(name, use) != use:
                    self.uses[name] = "mixed"

    def _use(self, name: str, use: str) -> Tree | None:
        """A barrier, if that is needed in front of the use; None if there cannot be one."""
        front = Tree("")
        if self.uses.get(name, use) != use:
            if not self.uniform or self.kind == "returning":
                return None
            front = self._barrier()
        self.uses[name] = use
        for loop in self.loops:
            loop.made.add((name, use))
        return front

    def _place(self, name: str, index: str) -> str:
        if name in self.rows:
            return f"{name}[({index}) % 2][({index}) / 2]"
        return f"{name}[{index}]"

    def _own_index(self) -> str:
        size = self.size
        return self.random.choice(
            ["t", "t", f"(t + 1) % {size}", f"{size - 1} - t", f"(t + {size // 2}) % {size}"]
        )

    def _shared_own(self) -> Tree:
        name = self.random.choice(list(self.shared))
        known = self.uses.get(name, "")
        index = known.removeprefix("own [")[:-1] if known.startswith("own") else self._own_index()
        front = self._use(name, f"own [{index}]")
        if front is None:
            return self._assign()
        place = self._place(name, index)
        op = self.random.choice(["=", "=", "+=", "*="])
        value = self._value() if op == "=" else self._small()
        made = Tree(f"{place} {op} @;\n", (value,), lifts=False)
        if self.random.random() < 0.3:
            target = self._target()
            return Tree(f"@@{target} = sin({place});\n", (front, made), lifts=False)
        return Tree("@@", (front, made), lifts=False)

    def _shared_read(self) -> Tree:
        name = self.random.choice(list(self.shared))
        front = self._use(name, "read")
        if front is None:
            return self._assign()
        self._note("neighbours")
        shift = self.random.randrange(self.size)
        index = self.random.choice(
            [
                f"(t + {shift}) % {self.size}",
                f"(t + 1) % {self.size}",
                f"{self.size - 1} - t",
                "0",
                f"(t + {self._count()}) % {self.size}",
                "t",
            ]
        )
        target = self._target()
        op = self.random.choice(["=", "+=", "*="])
        if op == "+=":
            text = (
                f"{target} = {self._number('0.5')} * {target} + {self._number('0.3')} * sin(@);\n"
            )
        else:
            text = f"{target} {op} sin(@);\n"
        value = Tree(f"@ * {self._place(name, index)}", (self._atom(),), lifts=False)
        return Tree(f"@{text}", (front, value), lifts=False)

    def _shared_atomic(self) -> Tree:
        name = self.random.choice(list(self.shared))
        front = self._use(name, "atomic")
        if front is None:
            return self._assign()
        self._note("shared atomics")
        place = self._place(name, self._index(self.size))
        return Tree(
            f"@atomicAdd(&{place}, @);\n", (front, self._whole_type(self._small())), lifts=False
        )

    def _atomic_total(self) -> Tree:
        self._note("atomics")
        value = self._whole_type(self._small())
        return Tree(f"atomicAdd(&total[{self._index(3)}], @);\n", (value,), lifts=False)

    def _global(self) -> Tree:
        array = self.random.choice(["y", "y", "z"])
        if self.kind == "full" and self.random.random() < 0.3:
            front = self._use(array, "read")
            if front is not None:
                self._note("global neighbours")
                base = f"blockIdx.x * {self.size}"
                place = f"{array}[{base} + (t + {self.random.randrange(1, 5)}) % {self.size}]"
                made = Tree(f"{self._target()} = sin(@ * {place});\n", (self._atom(),), lifts=False)
                return Tree("@@", (front, made), lifts=False)
        front = self._use(array, "[i]")
        if front is None:
            return self._assign()
        op = self.random.choice(["=", "=", "+=", "*="])
        if self.kind == "guarded" or op == "=" or self.random.random() < 0.5:
            value = self._value() if op == "=" else self._small()
            text = self._guard(f"{array}[i] {op} @;\n")
            return Tree(f"@{text}", (front, value), lifts=False)
        text = self._guard(f"{self._target()} = cos({array}[i] * @);\n")
        return Tree(f"@{text}", (front, self._atom()), lifts=False)

    def _guard(self, text: str) -> str:
        return f"if (i < n)\n{text}" if self.kind == "guarded" else text

    def _shuffle(self) -> Tree:
        self._note("shuffle")
        name, size = self._new("h"), self.size
        mask = f"0x{(1 << size) - 1:x}"
        value = self._whole_type(self._atom())
        if size in (8, 16) and self.random.random() < 0.7:
            kind = self.random.choice(["up", "down", "xor"])
            lanes = self.random.choice(["1", "2", str(size // 2), "m"])
            text = f"__shfl_{kind}_sync({mask}, @, {lanes}, {size})"
        else:
            text = f"__shfl_sync({mask}, @, (t + {self.random.randrange(1, 4)}) % {size})"
        self.scope.reals.append(name)
        return Tree(f"{self.real} {name} = {text};\n", (value,), lifts=False)

    def _lane_sum(self) -> Tree:
        """A sum of all lanes, which every step reads from others."""
        if self.size not in (8, 16):
            return self._shuffle()
        self._note("lane sum")
        name, o, mask = self._new("h"), self._new("o"), f"0x{(1 << self.size) - 1:x}"
        kind = self.random.choice(["xor", "down"])
        step = f"{name} += __shfl_{kind}_sync({mask}, {name}, {o}, {self.size});\n"
        made = Tree(
            f"{self.real} {name} = 0.2f * @;\n"
            f"for (int {o} = {self.size // 2}; {o} > 0; {o} >>= 1)\n{step}{name} = sin({name});\n",
            (self._small(),),
            lifts=False,
        )
        self.scope.reals.append(name)
        return made

    def _tree(self) -> Tree:
        """A reduction of a shared array, in place."""
        name = self.random.choice(list(self.shared))
        self._note("tree")
        front, h = self._use(name, "own [t]"), self._new("h")
        assert front is not None
        mine, other = self._place(name, "t"), self._place(name, f"t + {h}")
        combine = self.random.choice(
            [f"{mine} += {other};", f"{mine} = {mine} * 0.5f + 0.4f * sin({mine} * {other});"]
        )
        half = self.size // 2
        guard = f"if (t < {h} && t + {h} < {self.size})"
        text = (
            f"@{mine} = @;\n__syncthreads();\n"
            f"for (int {h} = {half}; {h} > 0; {h} /= 2) {{\n{guard}\n{combine}\n"
            f"__syncthreads();\n}}\n"
        )
        made = Tree(text, (front, self._small()), lifts=False)
        self._barrier()
        for loop in self.loops:
            loop.made.add((name, "mixed"))
        return made

    def _carried(self) -> Tree:
        """Values that threads hand on to each other from turn to turn."""
        self._note("carried")
        name, j = self.random.choice(list(self.shared)), self._new("j")
        front = self._use(name, "own [t]")
        assert front is not None
        shift = self.random.randrange(1, self.size)
        mine, other = self._place(name, "t"), self._place(name, f"(t + {shift}) % {self.size}")
        u = self._new("u")
        trips = self.random.choice(["m", "2", "3"])
        text = (
            f"@{mine} = @;\n{self.real} {u} = 0.5f * {mine};\n"
            f"for (int {j} = 0; {j} < {trips}; ++{j}) {{\n__syncthreads();\n"
            f"{u} = 0.6f * sin({other} * @) + 0.3f * {u};\n__syncthreads();\n"
            f"{mine} {self.random.choice(['=', '+='])} cos({u} * @);\n}}\n"
        )
        made = Tree(text, (front, self._value(), self._atom(), self._atom()), lifts=False)
        self.uses = {name: "own [t]"}
        self.barriers += 2
        for loop in self.loops:
            loop.made.add((name, "mixed"))
        self.scope.reals.append(u)
        return made

    # -- expressions ----------------------------------------------------------------------------

    def _atom(self) -> Tree:
        kind = self.random.randrange(8)
        if kind == 0 and not self.in_function:
            return Tree(f"x[({self._count()} + {self.random.randrange(5)}) % n]", others=("v",))
        if kind == 1:
            return Tree(self._number(self.random.choice(["0.7", "1.1", "0.4"])))
        return Tree(self.random.choice(self.scope.reals + self.scope.readable))

    def _small(self) -> Tree:
        """A value between -1.5 and 1.5 if those that it is made of are."""
        one, other = self._atom(), self._atom()
        half, less = self._number("0.5"), self._number("0.3")
        power = "power<2, T>" if self.is_template else "power<2>"
        choose = f"({rendered(self._count_condition())} ? @ : @)"
        choices = [
            *("sin(@ * @)", "tanh(@ + @)", "cos(@ - @)", "sin(@) * cos(@)", "atan(@ * @)"),
            *(f"({half} * @ + {less} * @)", f"{half} * @ * @", "log(2 + sin(@ * @))", choose),
            *(f"sqrt(1 + {half} * sin(@)) * {half} * @", f"{power}(sin(@)) * {half} * @"),
            *(f"fmin(@, @ + {self._number('4.0')})", f"fmax(@, @ - {self._number('4.0')})"),
            f"{half} * @ / (2 + sin(@))",
        ]
        text = self.random.choice(choices)
        if text.startswith("f"):
            one, other = self._whole_type(one), self._whole_type(other)
        if self.real == "float" and self.random.random() < 0.3:
            text = text.replace("sin(", "sinf(").replace("cos(", "cosf(")
        return Tree(text, (one, other), others=(self._number("0.5"),))

    def _value(self) -> Tree:
        if self.random.random() < 0.5:
            return self._small()
        one, other = self._small(), self._small()
        text = self.random.choice(
            [
                f"{self._number('0.6')} * @ - {self._number('0.4')} * @",
                f"@ * @ * {self._number('0.6')}",
                f"-(@ + {self._number('0.2')}) * @ * {self._number('0.5')}",
                "sin(@) / (2 + @)" if self.random.random() < 0.5 else "tanh(@) * cos(@)",
            ]
        )
        return Tree(text, (one, other), others=(self._number("0.5"),))

    def _without(self, name: str) -> Tree:
        """A value that does not read a variable."""
        for _ in range(20):
            value = self._small()
            text = rendered(value)
            if name.partition("[")[0].partition(".")[0].strip("(*)") not in re.findall(
                r"\w+", text
            ):
                return value
        return Tree(self._number("0.3"))

    def _whole_type(self, value: Tree) -> Tree:
        """The value as what is deduced or overloaded needs it."""
        return Tree(f"{self.real}(@)", (value,), lifts=False)

    def _condition(self) -> Tree:
        if self.random.random() < 0.6:
            return self._count_condition()
        limit = self._number(self.random.choice(["0.31", "0.07", "0.52"]))
        return Tree(f"@ > {limit}", (self._atom(),), lifts=False)

    def _count_condition(self) -> Tree:
        choices = [f"{self._count()} % 3 != {self.random.randrange(3)}", f"{self._count()} < 2"]
        if not self.in_function:
            choices += [f"k[i % n] > {self.random.randrange(5)}", "t % 2 == 0"]
        return Tree(self.random.choice(choices))

    def _count(self) -> str:
        return self.random.choice(self.scope.counts)

    def _loop_count(self) -> str:
        return self.scope.counts[-1]

    def _index(self, size: int) -> str:
        return self.random.choice(
            [str(self.random.randrange(min(3, size))), f"{self._count()} % {size}"]
        )

    def _target(self) -> str:
        return self.random.choice(self.scope.reals)

    def _number(self, text: str) -> str:
        if self.real == "T":
            return f"T({text})"
        return f"{text}f" if self.real == "float" else text

    def _new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def _note(self, construct: str) -> None:
        self.constructs.add(construct)

    @contextmanager
    def _inside(self) -> Generator[None]:
        kept = self.scope
        self.scope = kept.copy()
        self.depth += 1
        yield
        self.depth -= 1
        self.scope = kept

    def _nested(self) -> Tree:
        """The body of what some threads do."""
        held, self.uniform = self.uniform, False
        with self._inside():
            body = sequence(self._statements(self.random.choice([1, 1, 2])))
        self.uniform = held
        return body


def smooth_kernel(seed: int, number: int) -> SmoothKernel:
    """The kernel of this number of a program."""
    return _Writer(Random(f"smooth {seed}/{number}"), f"k{number}").kernel()
