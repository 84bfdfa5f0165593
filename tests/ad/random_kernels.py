"""Random kernels to differentiate, as CUDA text: loops with run-time trips, branches on values,
overwrites, local arrays, references, chosen pointers, counters that change, shared memory with
barriers, shuffles, atomicAdd, device functions.

They have no races, stay inside their arrays, and their values stay small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

BLOCK: Final = 8
SIZE: Final = 14
"""Elements of x, y and z; 16 threads run, the last two of which have none."""

DEVICE_FUNCTIONS: Final = """\
struct Pair {
    double a, b;
    int n;
};

__device__ double blend(double a, double b) { return 0.5 * a * b + 0.25 * (a - b); }

__device__ double poly(double x, int degree)
{
    double r = 0.5;
    for (int d = 0; d < degree; ++d) {
        if (r > 1.5)
            return r * x;
        r = 0.4 * r * x + 0.3;
    }
    return r;
}

__device__ void turn(double &a, double *b, double angle)
{
    double old = a;
    a = cos(angle) * old - sin(angle) * *b;
    *b = sin(angle) * old + cos(angle) * *b;
}

__device__ void mix(Pair &p, const Pair &q)
{
    p.a = 0.5 * p.a + 0.3 * q.b * p.b;
    p.b = 0.7 * q.a;
    p.n += q.n;
}

__device__ bool settle(double a, double *result, int &count)
{
    if (a < 0.3)
        return false;
    *result = 0.5 * a;
    for (; count % 5 != 4; ++count) {
        *result *= 0.8;
        if (*result < 0.2)
            return false;
    }
    *result += 0.1 * a;
    return count > 6;
}

__device__ double choose(double a, double b, int way)
{
    switch (way) {
    case 0:
        return a;
    case 1:
        return 0.5 * b;
    default:
        return a < b ? a * b : b;
    }
}
"""


@final
@dataclass(slots=True)
class KernelWriter:
    """Writes one kernel; `shared` ones have barriers, others may return early."""

    random: Random
    name: str
    shared: bool
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1
    count: int = 0
    reals: list[str] = field(default_factory=list[str])
    writable: list[str] = field(default_factory=list[str])
    wholes: list[str] = field(default_factory=list[str])
    counters: list[str] = field(default_factory=list[str])
    loops: int = 0
    unwritten: set[str] = field(default_factory=set[str])

    def text(self) -> str:
        self._line("int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;")
        if self.shared:
            self._line(f"__shared__ double s[{BLOCK}];")
            self._line("double v = i < n ? x[i] : 0.1, w = 0.5;")
        else:
            self._line("if (i >= n)")
            self._line("    return;")
            self._line("double v = x[i], w = y[i];")
        self.reals = ["v", "w", "a"]
        self.writable = ["v", "w"]
        self._line("int c = i % 3;")
        self.wholes = ["i", "t", "m", "c"]
        self.counters = ["c"]
        for _ in range(self.random.randrange(3, 6)):
            self._statement(uniform=True)
        if self.shared:
            self._line("if (i < n)")
            self._line("    y[i] += v * w;")
        else:
            self._line("y[i] += v * w;")
        head = (
            f"__global__ void {self.name}(const double *x, double *y, double *z, double *total, "
            "const int *k, int n, int m, double a)"
        )
        return f"{head}\n{{\n" + "\n".join(self.lines) + "\n}\n"

    def launch(self) -> str:
        return (
            f"// g2o-verify: {self.name}<<<2, {BLOCK}>>>(n = {SIZE}, m = 3, a = 0.7, x = [n], "
            f"y = [n],\n//     z = [n], total = [3], k = [n : (i * 5 + 2) % 7])"
        )

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def _new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    # -- statements -----------------------------------------------------------------------------

    def _statement(self, *, uniform: bool) -> None:
        kinds: list[Callable[[], None]] = []
        kinds += [self._declare] * 3 + [self._assign] * 5 + [self._store] * 2
        kinds += [self._atomic, self._array, self._pair, self._call, self._reference]
        kinds += [self._step, self._step, self._sine, self._grid, self._settle]
        kinds += [self._pointer] if not self.shared else []
        if self.depth < 4:
            kinds += [self._branch] * 3 + [self._loop] * 2 + [self._while, self._block]
            kinds += [self._counting_branch]
        if uniform and self.shared:
            kinds += [self._exchange] * 5 + [self._tree, self._shared_atomic]
            kinds += [self._shuffle, self._shuffle, self._shuffle_of_some]
            kinds += [self._uniform_loop] * 2 if self.depth < 3 else []
        if not self.shared and self.depth == 1:
            kinds += [self._leave]
        self.random.choice(kinds)()

    def _nested(self, head: str, tail: str = "}", *, uniform: bool = False) -> None:
        known = list(self.reals), list(self.writable), list(self.wholes)
        self._line(head)
        self.depth += 1
        for _ in range(self.random.randrange(1, 3)):
            self._statement(uniform=uniform)
        self.depth -= 1
        self.reals, self.writable, self.wholes = known
        self._line(tail)

    def _declare(self) -> None:
        name = self._new("r")
        self._line(f"double {name} = {self._value()};")
        self.reals.append(name)
        self.writable.append(name)

    def _assign(self) -> None:
        target = self.random.choice(self.writable)
        match self.random.randrange(6):
            case 0:
                self._line(f"{target} += {self._small()};")
            case 1:
                self._line(f"{target} -= {self._small()};")
            case 2:
                self._line(f"{target} *= {self._small()};")
            case 3:
                self._line(f"{target} /= 1.5 + {self._atom()} * {self._atom()};")
            case 4:
                other = self.random.choice(self.writable)
                self._line(f"{target} = {other} = {self._value()};")
            case _:
                self._line(f"{target} = {self._value()};")

    def _store(self) -> None:
        guard = "if (i < n) " if self.shared else ""
        array = self.random.choice(["y", "z"])
        op = self.random.choice(["=", "=", "+=", "*="])
        value = self._value() if op == "=" else self._small()
        place = f"{array}[i]"
        self._line(f"{guard}{place} {op} {value};")
        if not self.shared and place not in self.reals:
            self.reals.append(place)
            self.writable.append(place)

    def _atomic(self) -> None:
        self._line(f"atomicAdd(&total[{self._index(3)}], {self._small()});")

    def _array(self) -> None:
        name = self._new("q")
        self._line(f"double {name}[3] = {{{self._atom()}, {self._small()}, 0.5}};")
        for _ in range(self.random.randrange(1, 3)):
            self._line(f"{name}[{self._index(3)}] = {self._value()};")
        places = [f"{name}[{self._index(3)}]" for _ in range(2)]
        self.reals += places
        self.writable.append(places[0])

    def _pair(self) -> None:
        name = self._new("p")
        self._line(f"Pair {name} = {{{self._value()}, {self._small()}, {self._whole()}}};")
        if self.random.random() < 0.5:
            other = self._new("p")
            self._line(f"Pair {other} = {name};")
            self._line(f"{other}.b = {self._value()};")
            self._line(f"{name} = {other};")
            self._line(f"mix({name}, {self.random.choice([name, other])});")
        self.reals += [f"{name}.a", f"{name}.b"]
        self.writable += [f"{name}.a", f"{name}.b"]

    def _call(self) -> None:
        one, other = self.random.sample([*self.writable, self.random.choice(self.writable)], 2)
        if one != other and "[" not in one + other:
            self._line(f"turn({one}, &{other}, {self._atom()});")

    def _reference(self) -> None:
        name = self._new("f")
        target = self.random.choice(self.writable)
        self._line(f"double &{name} = {target};")
        self._line(f"{name} = {self._value()};")

    def _step(self) -> None:
        counter, whole = self.random.choice(self.counters), self._whole()
        change = self.random.choice(
            [f"{counter}++", f"{counter} = ({whole} + 2 * {counter}) % 7", f"{counter} += {whole}"]
        )
        self._line(f"{change};")

    def _counting_branch(self) -> None:
        counter = self.random.choice(self.counters)
        self._nested(f"if (++{counter} % 3 == 0 || {self._condition()}) {{")

    def _sine(self) -> None:
        one, other = self.random.sample([*self.writable, self.random.choice(self.writable)], 2)
        if one != other:
            angle = self.random.choice([one, other, f"{one} * {self._atom()}"])
            self._line(f"sincos({angle}, &{one}, &{other});")

    def _grid(self) -> None:
        name = self._new("g")
        self._line(f"double {name}[2][3] = {{{{{self._atom()}, {self._small()}}}, {{0.5}}}};")
        place = f"{name}[{self._whole()} % 2][{self._index(3)}]"
        self._line(f"{place} {self.random.choice(['=', '+=', '*='])} {self._small()};")
        self.reals += [f"{name}[{self._whole()} % 2][{self._index(3)}]" for _ in range(2)]

    def _settle(self) -> None:
        target, other = self.random.choice(self.writable), self._new("e")
        counter = self.random.choice(self.counters)
        self._line(f"double {other} = {self._atom()};")
        self._line(f"if (settle({self._small()}, &{other}, {counter}))")
        self._line(f"    {target} *= {other};")
        self.reals.append(other)
        self.writable.append(other)

    def _pointer(self) -> None:
        name = self._new("b")
        self._line(f"double *{name} = {self.random.choice(['i', 't'])} % 2 ? y : z;")
        self._line(f"{name}[i] = {self._value()};")
        self._line(f"{self.random.choice(self.writable)} += 0.3 * {name}[i] * y[i];")

    def _leave(self) -> None:
        self._line(f"if ({self._condition()}) {{")
        self._line(f"    y[i] = {self._value()};")
        self._line("    return;")
        self._line("}")

    def _block(self) -> None:
        self._line("{")
        known = list(self.reals), list(self.writable), list(self.wholes)
        self.depth += 1
        self._line(f"double own = {self._value()};")
        self._line(f"double v = own * {self._atom().replace('v', 'own')};")
        self.reals.append("own")
        self.writable.append("own")
        self._statement(uniform=False)
        self._line("w = v * own;")
        self.depth -= 1
        self.reals, self.writable, self.wholes = known
        self._line("}")

    def _branch(self) -> None:
        if self.random.random() < 0.5:
            self._nested(f"if ({self._condition()}) {{")
            return
        self._nested(f"if ({self._condition()}) {{", "} else {")
        self._nested("", "}")

    def _loop(self) -> None:
        j = self._new("j")
        trips = self.random.choice(["m", "3", f"{self._whole()} % 4", "k[i % n] % 4"])
        head = self.random.choice(
            [
                f"for (int {j} = 0; {j} < {trips}; ++{j}) {{",
                f"for (int {j} = {trips}; {j} > 0; --{j}) {{",
                f"for (int {j} = {trips} - 1; {j} >= 0; {j}--) {{",
                f"for (int {j} = 1; {j} <= {trips}; {j} += 2) {{",
                f"for (unsigned {j} = 0; {j} < 3u; ++{j}) {{",
                f"for (int {j} = 8; {j} > 1; {j} >>= 1) {{",
                f"for (int {j} = 1; {j} < 9; {j} *= 2) {{",
            ]
        )
        self.wholes.append(j)
        self._line(head)
        self.depth += 1
        if self.random.random() < 0.3:
            jump = self.random.choice(["break", "continue"])
            self._line(f"if ({self._condition()})")
            self._line(f"    {jump};")
        self.depth -= 1
        self._line("    {")
        self.depth += 1
        self._nested("{", "}")
        self.depth -= 1
        self._line("    }")
        self._line(f"    {self.random.choice(self.writable)} *= 0.5;")
        self._line("}")
        self.wholes.remove(j)

    def _while(self) -> None:
        c = self._new("c")
        condition = f"{c} < 4 && {self._condition()}"
        self._line(f"int {c} = 0;")
        self.wholes.append(c)
        if self.random.random() < 0.5:
            self._nested(f"while ({condition}) {{", f"    ++{c};\n{'    ' * self.depth}}}")
        else:
            tail = f"}} while (++{c} < 3 && {self._condition()});"
            self._nested("do {", tail)

    # -- other threads --------------------------------------------------------------------------

    def _exchange(self) -> None:
        self._line(f"s[t] = {self._value()};")
        self._line("__syncthreads();")
        shift = self.random.randrange(BLOCK)
        kind = self.random.choice(["=", "+=", "*="])
        self._line(f"{self.random.choice(self.writable)} {kind} s[(t + {shift}) % {BLOCK}];")
        self._line("__syncthreads();")

    def _shuffle(self) -> None:
        name = self._new("h")
        kind = self.random.choice(["up", "down", "xor", ""])
        operand = self.random.choice(["1", "3", str(BLOCK // 2), "m"])
        if not kind:
            operand = self.random.choice(["2", "t - 1", f"{self._whole()} * 3 + t", "m"])
        function = f"__shfl_{kind}_sync" if kind else "__shfl_sync"
        width = self.random.choice([BLOCK, BLOCK // 2])
        self._line(f"double {name} = {function}(0xff, {self._atom()}, {operand}, {width});")
        self.reals.append(name)
        self.writable.append(name)

    def _shuffle_of_some(self) -> None:
        target = self.random.choice(self.writable)
        self._line(f"if (t < {BLOCK // 2}) {{")
        self.depth += 1
        operand = self.random.choice(["1", "2", "m"])
        kind = self.random.choice(["up", "down", "xor"])
        shuffle = f"__shfl_{kind}_sync(0xf, {self._atom()}, {operand}, {BLOCK // 2})"
        self._line(f"{target} = 0.6 * {target} + 0.3 * {shuffle};")
        self.depth -= 1
        self._line("}")

    def _tree(self) -> None:
        h = self._new("h")
        self._line(f"s[t] = {self._small()};")
        self._line("__syncthreads();")
        self._line(f"for (int {h} = {BLOCK // 2}; {h} > 0; {h} /= 2) {{")
        combine = self.random.choice([f"s[t] += s[t + {h}]", f"s[t] = s[t] * 0.5 * s[t + {h}]"])
        self._line(f"    if (t < {h})")
        self._line(f"        {combine};")
        self._line("    __syncthreads();")
        self._line("}")
        self._line(f"{self.random.choice(self.writable)} += 0.3 * s[0];")
        self._line("__syncthreads();")

    def _shared_atomic(self) -> None:
        self._line("s[t] = 0.1 * t;")
        self._line("__syncthreads();")
        self._line(f"atomicAdd(&s[{self._index(BLOCK)}], {self._small()});")
        self._line("__syncthreads();")
        self._line("v = sin(s[t] * v);")
        self._line("__syncthreads();")

    def _uniform_loop(self) -> None:
        j = self._new("j")
        head = self.random.choice(
            [
                f"for (int {j} = 0; {j} < m; ++{j}) {{",
                f"for (int {j} = m; {j} >= 2; --{j}) {{",
                f"for (int {j} = 4; {j} > 0; {j} >>= 1) {{",
            ]
        )
        self.wholes.append(j)
        self._nested(head, uniform=True)
        self.wholes.remove(j)

    # -- expressions ----------------------------------------------------------------------------

    def _atom(self) -> str:
        kind = self.random.randrange(8)
        if kind == 0:
            return f"x[({self._whole()} + {self.random.randrange(5)}) % n]"
        if kind == 1:
            return self.random.choice(["0.7", "1.1", "0.4"])
        return self.random.choice(self.reals)

    def _small(self) -> str:
        """A value between about -1 and 1."""
        one, other = self._atom(), self._atom()
        return self.random.choice(
            [
                f"sin({one} * {other})",
                f"0.3 * tanh({one})",
                f"cos({one} + {other})",
                f"exp(-({one} * {one}))",
                f"fmin(fmax({one}, -0.8), 0.9)",
                f"1.0 / (1.5 + {one} * {one})",
                f"tanh(choose({one}, {other}, {self._whole()} % 3))",
            ]
        )

    def _value(self) -> str:
        one, other = self._atom(), self._atom()
        if self.loops or self.depth > 2:
            return self._small()
        return self.random.choice(
            [
                f"0.5 * {one} * {other} + 0.2",
                f"{one} * {self._small()} - {other}",
                f"sqrt(1.0 + {one} * {one}) * {self._small()}",
                f"{self._condition()} ? {one} : {self._small()}",
                f"tanh(blend({one}, x[i % n] + {other}))",
                f"poly(x[i % n] + {self._small()}, {self._whole()} % 4)",
                f"sin({one}) / (2.0 + {self._small()})",
                f"-({one} - {self._small()}) * {one}",
            ]
        )

    def _condition(self) -> str:
        match self.random.randrange(4):
            case 0:
                return f"{self._whole()} % 3 != {self.random.randrange(3)}"
            case 1:
                return f"{self._atom()} > {self._atom()} * 0.3"
            case 2:
                return f"k[i % n] > {self.random.randrange(5)}"
            case _:
                return f"{self._atom()} < 0.41"

    def _whole(self) -> str:
        return self.random.choice(self.wholes)

    def _index(self, size: int) -> str:
        choices = [str(self.random.randrange(min(size, 3))), f"{self._whole()} % {size}"]
        return self.random.choice([*choices, f"(k[i % n] + {self._whole()}) % {size}"])


def random_program(seed: int, count: int) -> str:
    """A source with `count` kernels and the launches to check them with."""
    writers: list[KernelWriter] = []
    texts: list[str] = []
    for number in range(count):
        random = Random(f"{seed}/{number}")
        writer = KernelWriter(random, f"k{number}", shared=random.random() < 0.4)
        texts.append(writer.text())
        writers.append(writer)
    launches = "\n".join(writer.launch() for writer in writers)
    return f"{launches}\n{DEVICE_FUNCTIONS}\n" + "\n".join(texts)
