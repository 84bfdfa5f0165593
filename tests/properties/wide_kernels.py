"""Random kernels of more shapes: blocks of two dimensions, several blocks, structures, pointers
into shared memory, loops of all kinds, barriers inside conditions, threads that leave early.

Most statements follow a pattern that programs have (tiles, trees, scans, two buffers), with details
and barriers changed at random; kernels that race are for the reader to leave out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final, final

THREADS: Final = 8
SIZES: Final = {
    **{"s": 32, "p": 10, "q": 64, "z": 1, "v.a": 8, "v.b": 8, "g": 64, "h": 64},
}
"""Elements of the arrays; `q` is 8 x 8, `v` an array of structures, `z` a scalar."""

STRUCT: Final = "struct Pair {\n    int a;\n    int b;\n};\n"
SHAPES: Final = {"line": (8, 1), "wide": (4, 2), "tall": (2, 4)}


@final
@dataclass(slots=True)
class WideWriter:
    """Writes one kernel. What `constant` ones are launched with is known; `haste` is how many of
    the barriers that a pattern may lack are left out, 1 being the most."""

    random: Random
    name: str
    shape: str
    blocks: int
    constant: bool
    haste: float
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1
    count: int = 0
    locals: list[str] = field(default_factory=list[str])
    counters: list[str] = field(default_factory=list[str])
    uniform: list[str] = field(default_factory=list[str])
    pointers: list[str] = field(default_factory=list[str])
    touched: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def text(self) -> str:
        self._line("__shared__ int s[32];")
        self._line("__shared__ int q[8][8];")
        self._line("__shared__ int p[10];")
        self._line("__shared__ Pair v[8];")
        self._line("__shared__ int z;")
        self._line("int b = blockIdx.x;")
        self.locals, self.uniform = ["t", "b"], ["b", "n", "m"]
        if self.shape == "line":
            self._line("int t = threadIdx.x;")
        else:
            self._line("int x = threadIdx.x, y = threadIdx.y;")
            width = str(SHAPES[self.shape][0])
            if self._chance(0.4):
                width = "blockDim.x"
            self._line(f"int t = {width} * y + x;")
            self.locals += ["x", "y"]
        self._line("for (int i = t; i < 32; i += 8) s[i] = g[b * 32 + i];")
        self._line("for (int i = t; i < 64; i += 8) q[i / 8][i % 8] = h[b * 32 + i / 2];")
        self._line("p[t] = t;")
        self._line("if (t < 2) p[8 + t] = n;")
        self._line("v[t].a = g[b * 32 + t];")
        self._line("v[t].b = h[b * 32 + t];")
        self._line("if (t == 0) z = m;")
        self._barrier(0.9)
        for _ in range(self.random.randrange(3, 8)):
            self._together()
            self._barrier(0.7)
        if self._chance(0.3):
            self._line(f"if ({self._guard()}) return;")
        for _ in range(self.random.randrange(0, 3)):
            self._alone()
        self._line(f"g[b * 32 + t] = {self._value()};")
        head = f"__global__ void {self.name}(int *g, int *h, int n, int m)"
        return f"{head}\n{{\n" + "\n".join(self.lines) + "\n}\n"

    def launch(self) -> str:
        width, height = SHAPES[self.shape]
        block = f"dim3({width}, {height})" if height > 1 else str(width)
        grid = str(self.blocks)
        if not self.constant:
            block = f"dim3({width} + zero, {height})"
            grid = f"{self.blocks} + zero"
        return f"    {self.name}<<<{grid}, {block}>>>(g, h, n, m);"

    # -- pieces ---------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def _fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def _barrier(self, probability: float) -> None:
        if not self._chance((1 - probability) * self.haste):
            self._line("__syncthreads();")
            self.touched.clear()

    def _open(self, head: str) -> tuple[list[str], list[str], list[str], list[str]]:
        self._line(head + " {")
        self.depth += 1
        return (
            *(list(self.locals), list(self.counters)),
            *(list(self.uniform), list(self.pointers)),
        )

    def _close(self, known: tuple[list[str], list[str], list[str], list[str]]) -> None:
        self.depth -= 1
        self._line("}")
        self.locals, self.counters, self.uniform, self.pointers = known

    # -- statements that all threads reach ----------------------------------------------------

    def _together(self) -> None:
        kinds = [self._alone] * 5 + [self._neighbour] * 2 + [self._tree, self._scan, self._tiles]
        kinds += [self._buffers, self._branches, self._rounds, self._broadcast, self._point]
        kinds += [self._twice, self._leave, self._counted_down]
        if self.depth > 3:
            kinds = [self._alone, self._neighbour, self._twice]
        self.random.choice(kinds)()

    def _neighbour(self) -> None:
        self._line(f"s[t] = {self._value()};")
        self._barrier(0.85)
        name = self._fresh("x")
        place = self._pick(
            "s[(t + 7) % 8]", "s[t > 0 ? t - 1 : 0]", "s[7 - t]", "s[t ^ 1]", "s[min(t + 2, 7)]",
            "s[max(t - 3, 0)]", "s[t & 6]", "s[t]", "s[t / 4 * 4]", "s[(t + n) % 8]",
        )  # fmt: skip
        self._line(f"int {name} = {place};")
        self.locals.append(name)

    def _tree(self) -> None:
        name = self._fresh("w")
        step = self._pick(f"{name} /= 2", f"{name} >>= 1")
        array = self._pick("s", "p", "g")
        first = self._pick("8 / 2", "4", "4", "2") if array != "g" else "4"
        known = self._open(f"for (int {name} = {first}; {name} > 0; {step})")
        if self._chance(0.3):
            self._barrier(0.9)
        place = f"{array}[t + {name}]"
        self._line(f"if (t < {name}) {array}[t] {self._pick('+=', '=')} {place};")
        self._barrier(0.85)
        self._close(known)

    def _scan(self) -> None:
        name, value = self._fresh("d"), self._fresh("x")
        step = self._pick(f"{name} *= 2", f"{name} <<= 1")
        known = self._open(f"for (int {name} = 1; {name} < 8; {step})")
        guard = self._pick(f"t >= {name}", f"t >= {name}", f"t > {name}")
        self._line(f"int {value} = {guard} ? s[t - {name}] : 0;")
        self._barrier(0.9)
        self._line(f"s[t] += {value};")
        self._barrier(0.9)
        self._close(known)

    def _tiles(self) -> None:
        total, tile, name = self._fresh("a"), self._fresh("k"), self._fresh("j")
        self._line(f"int {total} = 0;")
        bound = self._pick("3", "n", "b + 2", "m / 2")
        known = self._open(f"for (int {tile} = 0; {tile} < {bound}; ++{tile})")
        self._line(f"s[t] = g[b * 32 + ({tile} * 8 + t) % 32];")
        if self._chance(0.5):
            self._line(f"q[t][{tile} % 8] = h[b * 32 + (8 * t + {tile}) % 32];")
        self._barrier(0.9)
        other = self._pick(f"s[{name}]", f"s[{name}] * q[{name}][{tile} % 8]", f"s[7 - {name}]")
        first = self._pick("0", "0", "t", "b")
        self._line(f"for (int {name} = {first}; {name} < 8; ++{name}) {total} += {other};")
        self._barrier(0.9)
        self._close(known)
        self.locals.append(total)

    def _buffers(self) -> None:
        name = self._fresh("r")
        old, new = f"{name} % 2", f"({name} + 1) % 2"
        if self._chance(0.4):
            old, new = f"({name} & 1)", f"(1 - ({name} & 1))"
        known = self._open(f"for (int {name} = 0; {name} < {self._pick('3', 'n')}; ++{name})")
        place = self._pick("(t + 1) % 8", "7 - t", "t")
        self._line(f"s[{new} * 8 + t] = s[{old} * 8 + {place}] + {name};")
        self._barrier(0.9)
        self._close(known)

    def _rounds(self) -> None:
        name = self._fresh("i")
        bound = self._pick("2", "3", "n", "m - n", "b + 1")
        head = self._pick(
            f"for (int {name} = 0; {name} < {bound}; ++{name})",
            f"for (int {name} = n; {name} > 0; --{name})",
            f"for (int {name} = 1; {name} <= m; {name} += 2)",
            f"for (int {name} = m; {name} >= 1; {name} /= 2)",
        )
        known = self._open(head)
        self.counters.append(name)
        for _ in range(self.random.randrange(1, 4)):
            self._together()
            self._barrier(0.75)
        if self._chance(0.2):
            self._line(
                f"if ({name} == {self._pick('1', 'n', 'b')}) {self._pick('break', 'continue')};"
            )
            self._alone()
            self._barrier(0.7)
        self._close(known)

    def _counted_down(self) -> None:
        name = self._fresh("c")
        self._line(f"int {name} = {self._pick('2', 'n', 'm', 'b + 1')};")
        known = self._open(f"while ({name} > 0)")
        self.uniform.append(name)
        self._together()
        self._barrier(0.8)
        self._line(f"{name} {self._pick('-= 1', '-= 2', '/= 2')};")
        self._close(known)

    def _branches(self) -> None:
        condition = self._pick("n > 3", "b == 0", "m > n", "b < n", "n % 2 == 0", "z > 3")
        known = self._open(f"if ({condition})")
        for _ in range(self.random.randrange(1, 3)):
            self._together()
            self._barrier(0.6)
        self._close(known)
        if self._chance(0.5):
            known = self._open("else")
            self._together()
            self._barrier(0.6)
            self._close(known)

    def _broadcast(self) -> None:
        self._line(f"if ({self._pick('t == 0', 't == 3', 't == n % 8')}) z = {self._value()};")
        self._barrier(0.9)
        name = self._fresh("x")
        self._line(f"int {name} = z;")
        self.locals.append(name)
        if self._chance(0.3):
            self._barrier(0.9)
            self._line(f"if (t == 0) z = {name} + 1;")

    def _point(self) -> None:
        name = self._fresh("u")
        start = self._pick("s", "s + 8", "&s[8]", "s + 8 * (n % 2)", "&q[1][0]", "p", "s + b * 8")
        self._line(f"int *{name} = {start};")
        self.pointers.append(name)
        self._line(f"{name}[t] = {self._value()};")
        self._barrier(0.8)
        self._line(f"{name}[{self._pick('t', '7 - t', 't')}] += {self._value()};")

    def _twice(self) -> None:
        """Stores that are overwritten, with something between that may see them."""
        place = self._pick("p[t]", "s[t]", "s[8 + t]", "v[t].a", "q[t][0]", "q[0][t]")
        self._line(f"{place} = {self._value()};")
        self._barrier(0.7)
        if self._chance(0.5):
            self._alone()
            self._barrier(0.7)
        self._line(f"{place} = {self._pick(place + ' + 1', self._value(), place)};")
        self.locals.append(place)

    def _leave(self) -> None:
        if self._chance(0.3):
            self._line(f"if ({self._pick('n < 3', 'b > 0', 'm == n + 1')}) return;")

    # -- statements of one thread -----------------------------------------------------------

    def _alone(self) -> None:
        kinds = [self._write] * 4 + [self._local] * 2 + [self._update]
        if self.depth < 4:
            kinds += [self._guarded] * 2 + [self._thread_loop] * 2
        self.random.choice(kinds)()

    def _local(self) -> None:
        name = self._fresh("x")
        self._line(f"int {name} = {self._value()};")
        self.locals.append(name)

    def _update(self) -> None:
        names = [name for name in self.locals if name.startswith(("x", "a")) and len(name) > 1]
        if names:
            op = self._pick("=", "+=", "-=")
            self._line(f"{self.random.choice(names)} {op} {self._value()};")

    def _guarded(self) -> None:
        known = self._open(f"if ({self._guard()})")
        for _ in range(self.random.randrange(1, 3)):
            self._alone()
        self._close(known)
        if self._chance(0.35):
            known = self._open("else")
            self._alone()
            self._close(known)

    def _thread_loop(self) -> None:
        name = self._fresh("i")
        head = self._pick(
            f"for (int {name} = t; {name} < {self._pick('16', '32')}; {name} += 8)",
            f"for (int {name} = t; {name} < 32; {name} += blockDim.x * blockDim.y)",
            f"for (int {name} = 0; {name} < {self._pick('2', 'n % 4', 'b + 1', 't')}; ++{name})",
            f"for (int {name} = 3; {name} >= 0; --{name})",
            f"for (int {name} = t; {name} > 0; {name} /= 2)",
        )
        known = self._open(head)
        if self._chance(0.2):
            self._line(f"if ({name} {self._pick('% 2 == 1', '== n', '== t')}) continue;")
        stride = f"{name} = t;" in head and name + " += " in head
        if stride and self._chance(0.7):
            self._line(f"s[{name}] {self._pick('=', '+=')} {self._value()};")
        else:
            self.counters.append(name)
            self._alone()
        self._close(known)

    def _write(self) -> None:
        op = self._pick("=", "=", "=", "+=")
        self._line(f"{self._place(written=True)} {op} {self._value()};")

    # -- expressions ------------------------------------------------------------------------------

    def _guard(self) -> str:
        forms = [
            "t < 4",
            "t == 0",
            "t > 0",
            "t < 7",
            "t % 2 == 0",
            "t != 3",
            "t < n",
            "(t & 1) == 0",
        ]
        forms += [
            "(t & 1) == 0",
            "t > 1 && t < 6",
            "t < 2 || t > 5",
            "!(t > 2)",
            "t >= n",
            "t == b",
            "p[t] > 3",
        ]
        if self.shape != "line":
            forms += ["x == 0", "y == 0", "x < 2", "x == y", "y > 0 && x == 0"]
        if self.counters:
            forms += [f"t == {self.counters[-1]}", f"t > {self.counters[-1]}"]
        return self.random.choice(forms)

    def _place(self, *, written: bool = False) -> str:
        """An element. Mostly one that no other thread has to do with since the last barrier."""
        root, index, place = self._any_place(written)
        for _ in range(8):
            others = self.touched.get(root, set()) - {index}
            if (not others and not (written and root == "z")) or self._chance(0.03):
                break
            root, index, place = self._any_place(written)
        if written:
            self.touched.setdefault(root, set()).add(index)
        return place

    def _any_place(self, written: bool) -> tuple[str, str, str]:
        """The array, with the member; the index; and the element as text."""
        array = self._pick(*"sssspqqvvgghz", *(["u"] * 2 if self.pointers else []))
        index = self._own() if written and self._chance(0.8) else self._index(array)
        place = self._element(array, index)
        return {"u": "s"}.get(array, array) + place[place.find("]") + 1 :][:2], index, place

    def _element(self, array: str, index: str) -> str:
        match array:
            case "q":
                other = self._small()
                return self._pick(f"q[{index}][{other}]", f"q[{other}][{index}]")
            case "v":
                return f"v[{index}].{self._pick('a', 'b')}"
            case "z":
                return "z"
            case "g" | "h":
                return f"{array}[{'b * 32 + ' if self.blocks > 1 else ''}{index}]"
            case "u":
                return f"{self.random.choice(self.pointers)}[{index}]"
            case _:
                return f"{array}[{index}]"

    def _own(self) -> str:
        """An index that no two threads have."""
        forms = ["t"] * 6 + ["7 - t", "t ^ 1", "(t + 1) % 8", "(t + n) % 8", "(t + 7) & 7"]
        if self.shape == "wide":
            forms += ["2 * x + y", "4 * y + 3 - x"]
        return self.random.choice(forms)

    def _small(self) -> str:
        """An index from 0 to 7."""
        forms = ["t", "t", "t", "7 - t", "t / 2", "t % 4", "0", "t ^ 1", "(t + 1) % 8", "t >> 1"]
        forms += ["t & 3", "min(t, 5)", "max(t - 1, 0)", "n % 8", "(t + n) % 8", "b", "(t + 7) & 7"]
        if self.shape != "line":
            forms += ["x", "y", "2 * y + x"]
        forms += [f"{name} % 8" for name in self.counters[-2:]]
        return self.random.choice(forms)

    def _index(self, array: str) -> str:
        if array == "p":
            return self._pick("t", "t + 1", "t + 2", self._small())
        forms = [self._small()] * 6
        if array in "sgh":
            forms += ["t + 8", "t + 1", "2 * t", "2 * t + 1", "b * 8 + t", "3 * t", "t + n"]
            forms += ["8 * (t % 4) + t / 4", "15 - t", "(t << 1)", "8 * b + 7 - t", "t + m - n"]
            forms += [f"8 * ({name} % 4) + t" for name in self.counters[-2:]]
        return self.random.choice(forms)

    def _value(self) -> str:
        choice = self.random.random()
        if choice < 0.15:
            return str(self.random.randrange(10))
        if choice < 0.45:
            return self.random.choice([*self.locals, *self.counters, *self.uniform])
        if choice < 0.75:
            return self._place()
        if choice < 0.85:
            return f"({self._guard()} ? {self._place()} : {self.random.choice(self.locals)})"
        return f"{self._place()} {self._pick('+', '-', '*')} {self.random.choice(self.locals)}"


def writers(seed: int, kernels: int) -> list[WideWriter]:
    """Writers of `kernel0`, `kernel1` and so on; no local variable has such a name."""
    random = Random(seed)
    return [
        WideWriter(
            random, f"kernel{number}", random.choice(list(SHAPES)), 1 + (random.random() < 0.4),
            random.random() < 0.7, random.choice((0.1, 0.3, 1.0)),
        )
        for number in range(kernels)
    ]  # fmt: skip


def program_of(written: list[tuple[WideWriter, str]]) -> str:
    """The kernels, each launched once."""
    launches = "\n".join(writer.launch() for writer, _ in written)
    head = "void run(int *g, int *h, int n, int m, int zero)"
    return "\n".join([STRUCT, *(text for _, text in written), f"{head}\n{{\n{launches}\n}}\n"])
