"""Random kernels with shared memory, barriers, loops and guards, as CUDA text."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import final

WIDTH = 8
SIZE = 4 * WIDTH
"""Elements of every array. Indices stay within them."""


@final
@dataclass(slots=True)
class KernelWriter:
    """Writes one kernel. `constant` ones depend on nothing but the constant block size."""

    random: Random
    name: str
    constant: bool
    rows: bool = False  # two rows of threads
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1
    count: int = 0
    loops: list[str] = field(default_factory=list[str])
    locals: list[str] = field(default_factory=list[str])

    def text(self) -> str:
        head = f"__global__ void {self.name}(int *g, int *h, int n)"
        self._line(f"__shared__ int s[{SIZE}];")
        self._line(f"__shared__ int q[{WIDTH}][{WIDTH}];")
        self._line(f"__shared__ int p[{SIZE}];")
        self._line(f"__shared__ int r[{WIDTH}];")
        self.locals = ["t"]
        if self.rows:
            self._line("int x = threadIdx.x;")
            self._line("int y = threadIdx.y;")
            self._line(f"int t = {WIDTH // 2} * y + x;")
            self.locals = ["t", "x", "y"]
        else:
            self._line("int t = threadIdx.x;")
        for array, size in (("s", SIZE), ("q[0]", WIDTH * WIDTH), ("p", SIZE)):
            self._line(f"for (int i = t; i < {size}; i += {WIDTH}) {array}[i] = g[i % {SIZE}];")
        self._line("__syncthreads();")
        for _ in range(self.random.randrange(3, 8)):
            self._statement(uniform=True)
            if self.random.random() < 0.5:
                self._line("__syncthreads();")
        return f"{head}\n{{\n" + "\n".join(self.lines) + "\n}\n"

    def launch(self) -> str:
        size = str(WIDTH) if self.constant else "threads"
        if self.rows:
            size = f"dim3({WIDTH // 2}, 2)" if self.constant else "dim3(threads, 2)"
        return f"    {self.name}<<<1, {size}>>>(g, h, n);"

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def _statement(self, uniform: bool) -> None:
        kinds = ["write"] * 5 + ["own"] * 2 + ["row"] + ["local"] * 2 + ["guard"] * 3
        if uniform:
            kinds += ["again"] * 2 + ["barrier"] * 8 + ["loop"] * 2
            kinds += ["halving", "uniform guard"]
        elif self.depth < 4:
            kinds += ["own loop"]
        match self.random.choice(kinds):
            case "write":
                self._write()
            case "own":
                self._line(f"p[t] = {self._value()};")
                self.locals.append("p[t]")
            case "row":
                place, first = ("r[y]", "x == 0") if self.rows else ("r[0]", "t == 0")
                self._line(f"if ({first}) {place} = {self._value()};")
                self.locals.append(place)
            case "again":
                self._again()
            case "local":
                self.count += 1
                name = f"x{self.count}"
                self._line(f"int {name} = {self._value()};")
                self.locals.append(name)
            case "guard":
                self._nested(f"if ({self._condition()}) {{", uniform=False)
            case "barrier":
                self._line("__syncthreads();")
            case "loop" | "own loop":
                self._loop(uniform)
            case "halving":
                self._halving()
            case _:
                condition = "blockDim.x > 3" if self.constant else "n > 3"
                self._nested(f"if ({condition}) {{", uniform=True)

    def _again(self) -> None:
        """A thread stores to its element twice, and perhaps another one in between."""
        self._line(f"p[t] = {self._value()};")
        self._line("__syncthreads();")
        if self.random.random() < 0.5:
            shift = self.random.randrange(1, WIDTH)
            self._line(f"p[(t + {shift}) % {WIDTH}] = {self._value()};")
            self._line("__syncthreads();")
        self._line(f"p[t] = p[t] + {self._value()};")
        self.locals.append("p[t]")

    def _nested(self, head: str, uniform: bool) -> None:
        known = list(self.locals)
        self._line(head)
        self.depth += 1
        for _ in range(self.random.randrange(1, 4)):
            self._statement(uniform and self.depth < 4)
        self.depth -= 1
        self.locals = known
        self._line("}")

    def _loop(self, uniform: bool) -> None:
        self.count += 1
        name = f"i{self.count}"
        self.loops.append(name)
        self._nested(f"for (int {name} = 0; {name} < {self._trips()}; ++{name}) {{", uniform)
        self.loops.pop()

    def _trips(self) -> str:
        return self.random.choice(["2", "3", "4"])

    def _halving(self) -> None:
        name = f"w{self.count}"
        self.count += 1
        self._line(f"for (int {name} = {WIDTH // 2}; {name} > 0; {name} /= 2) {{")
        self.depth += 1
        array = self.random.choice(["s", "g"])
        guard = self.random.choice([f"t < {name}", f"t < {name}", "t < 4"])
        self._line(f"if ({guard}) {array}[t] += {array}[t + {name}];")
        if self.random.random() < 0.8:
            self._line("__syncthreads();")
        self.depth -= 1
        self._line("}")

    def _write(self) -> None:
        op = self.random.choice(["=", "=", "+="])
        self._line(f"{self._place()} {op} {self._value()};")

    def _place(self) -> str:
        array = self.random.choice(["s", "s", "s", "g", "g", "q", "q", "h", "h", "p"])
        if array == "q":
            return f"q[{self._small()}][{self._small()}]"
        return f"{array}[{self._index()}]"

    def _small(self) -> str:
        last = WIDTH - 1
        return self.random.choice(
            ["t", "t", "0", f"{last} - t", "t / 2", "t % 4", *self.loops[-1:]]
        )

    def _index(self) -> str:
        last = WIDTH - 1
        shift = self.random.randrange(1, WIDTH)
        forms = [
            "t",
            "t",
            "t",
            "t",
            "t",
            "t + 1",
            f"t + {shift}",
            f"{last} - t",
            "2 * t",
            "2 * t + 1",
        ]
        forms += [
            "(g[t] > 0 ? t : t + 1)",
            "t / 2",
            "t % 4",
            "0",
            "t * 3 % 8",
            f"{WIDTH} + t",
            "4 * (t / 4) + t % 4",
        ]
        if self.rows:
            forms += ["y", "x", "4 * y + x", "y + 2 * x", "4 * y + 3 - x"]
        elif not self.constant:
            forms += ["blockDim.x + t", "blockDim.x - 1 - t"]
        if self.loops:
            loop = self.loops[-1]
            forms += [
                f"t + {loop}",
                f"{WIDTH} * {loop} % {SIZE - WIDTH} + t",
                f"4 * t + {loop} % 4",
            ]
        return self.random.choice(forms)

    def _condition(self) -> str:
        forms = ["t < 4", "t == 0", "t > 0", f"t < {WIDTH - 1}", "t % 2 == 0", "t != 3"]
        forms += ["t < 2 || t > 5"]
        if not self.constant:
            forms += ["t < n", "t > 1 && t < n"]
        return self.random.choice(forms)

    def _value(self) -> str:
        choice = self.random.random()
        if choice < 0.25:
            return str(self.random.randrange(10))
        if choice < 0.5:
            return self.random.choice(self.locals)
        if choice < 0.85:
            return self._place()
        return f"{self._place()} + {self.random.choice(self.locals)}"


def program(seed: int, kernels: int) -> str:
    """A file of random kernels, `k0` and so on, each launched once with one block."""
    random = Random(seed)
    writers = [
        KernelWriter(random, f"k{number}", random.random() < 0.7, random.random() < 0.3)
        for number in range(kernels)
    ]
    bodies = [writer.text() for writer in writers]
    launches = "\n".join(writer.launch() for writer in writers)
    host = f"void run(int *g, int *h, int n, int threads)\n{{\n{launches}\n}}\n"
    return "\n".join([*bodies, host])
