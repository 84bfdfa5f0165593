"""Random kernels of shapes that `random_kernels.py` does not have: grid-stride loops, blocks of two
dimensions with windows that overlap, dynamic shared memory; vectors, structures in arrays, device
functions with parameters that go in and out, warp sums, loops that break off, atomic additions and
maxima to shared and to all memory.

They have no races, stay inside their arrays, and their values stay small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

WIDTH: Final = 7
HEIGHT: Final = 5
SIZE: Final = WIDTH * HEIGHT

DEVICE_CODE: Final = """\
struct Cell {
    double2 at;
    double load[2];
    int kind;
};

__device__ void raise_to(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(fmax(value, __longlong_as_double(assumed))));
    } while (assumed != old);
}

__device__ double2 rotated(double2 p, double angle)
{
    double s, c;
    sincos(angle, &s, &c);
    return make_double2(c * p.x - s * p.y, s * p.x + c * p.y);
}

__device__ double advance(Cell &cell, double step, double *energy)
{
    double before = cell.at.x;
    cell.at = rotated(cell.at, step);
    cell.load[cell.kind & 1] = 0.5 * cell.load[0] + 0.3 * step * before;
    *energy = 0.6 * *energy + 0.2 * cell.load[1] * cell.at.y;
    return cell.kind > 1 ? before * step : step;
}

__device__ double settled(double start, double goal, int most)
{
    double value = start;
    int turns = 0;
    while (true) {
        double old = value;
        value = 0.5 * (value + goal / (1.0 + value * value));
        if (fabs(value - old) < 0.05 || ++turns >= most)
            break;
        if (value > 1.5)
            return 0.7 * value;
    }
    return value;
}

__device__ double of_warp(double value)
{
    for (int step = 4; step > 0; step >>= 1)
        value += __shfl_down_sync(0xff, value, step, 8);
    return __shfl_sync(0xff, value, 0, 8);
}
"""


@final
@dataclass(slots=True)
class ShapeWriter:
    """Writes one kernel of the shape "stride", "plane", "tile" or "dynamic"."""

    random: Random
    name: str
    shape: str
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1
    count: int = 0
    reals: list[str] = field(default_factory=list[str])
    writable: list[str] = field(default_factory=list[str])
    guard: str = ""

    def text(self) -> str:
        match self.shape:
            case "stride":
                self._stride()
            case "plane":
                self._plane()
            case "tile":
                self._tile()
            case _:
                self._dynamic()
        head = (
            f"__global__ void {self.name}(const double *x, const double2 *p, double *y, Cell *c, "
            "double *total, double *top, const int *k, double4 f, int n, int m, double a)"
        )
        return f"{head}\n{{\n" + "\n".join(self.lines) + "\n}\n"

    def launch(self) -> str:
        grids = {
            "stride": f"2, {self.random.choice([8, 12])}",
            "plane": "(2, 2), (4, 3)",
            "tile": "(2, 2), (4, 3)",
            "dynamic": "5, 8, 64",
        }
        return (
            f"// g2o-verify: {self.name}<<<{grids[self.shape]}>>>(n = {SIZE}, m = 3, a = 0.7,\n"
            "//     x = [n], p = [n], y = [n], c = [n], total = [3], top = [3 : -3 .. -2],\n"
            "//     k = [n : (i * 5 + 2) % 7])"
        )

    # -- shapes ---------------------------------------------------------------------------------

    def _stride(self) -> None:
        self._line("int first = blockIdx.x * blockDim.x + threadIdx.x;")
        self._line("double sum = 0.0;")
        self._line("for (int i = first; i < n; i += gridDim.x * blockDim.x) {")
        self.depth += 1
        self._values()
        self.reals.append("sum")
        self.writable.append("sum")
        self._some(3, 7)
        self._line("y[i] += v * w;")
        self._line("sum = 0.5 * sum + 0.2 * v;")
        self.depth -= 1
        self._line("}")
        self._line("atomicAdd(&total[first % 3], sum);")

    def _plane(self) -> None:
        self._line("int ix = blockIdx.x * blockDim.x + threadIdx.x;")
        self._line("int iy = blockIdx.y * blockDim.y + threadIdx.y;")
        width = self.random.choice(["7", "(n / 5)"])
        self._line(f"if (ix >= {width} || iy >= 5)")
        self._line("    return;")
        self._line(f"int i = iy * {width} + ix;")
        self._values()
        for _ in range(self.random.randrange(1, 3)):
            self._window()
        self._some(3, 7)
        self._line("y[i] = v * w + 0.1 * y[i];")

    def _window(self) -> None:
        name = self._new("r")
        radius = self.random.choice(["1", "m - 2"])
        self._line(f"double {name} = 0.0;")
        self._line(f"for (int dy = -{radius}; dy <= {radius}; ++dy)")
        self._line("    for (int dx = -1; dx <= 1; ++dx) {")
        self._line("        int jx = min(max(ix + dx, 0), 6), jy = min(max(iy + dy, 0), 4);")
        weight = self.random.choice(["0.1", f"0.2 * {self._atom()}", "0.1 * (dx + 2) * a"])
        self._line(f"        {name} += {weight} * x[jy * 7 + jx] * p[jy * 7 + jx].y;")
        self._line("    }")
        self.reals.append(name)
        self.writable.append(name)

    def _tile(self) -> None:
        self._line("__shared__ double s[3 + 2][4 + 2];")
        self._line("__shared__ double most;")
        self._line("int tx = threadIdx.x, ty = threadIdx.y;")
        self._line("int ix = blockIdx.x * 4 + tx, iy = blockIdx.y * 3 + ty;")
        self._line("bool inside = ix < 7 && iy < 5;")
        self._line("int i = inside ? iy * 7 + ix : 0;")
        self.guard = "inside"
        self._values()
        for _ in range(self.random.randrange(1, 3)):
            self._line("for (int q = ty * 4 + tx; q < 30; q += 12) {")
            self._line("    int jx = min(max(int(blockIdx.x) * 4 + q % 6 - 1, 0), 6);")
            self._line("    int jy = min(max(int(blockIdx.y) * 3 + q / 6 - 1, 0), 4);")
            self._line(
                f"    s[q / 6][q % 6] = x[jy * 7 + jx] * {self.random.choice(['a', '0.7'])};"
            )
            self._line("}")
            self._line("__syncthreads();")
            place = self.random.choice(["s[ty + 1][tx]", "s[ty][tx + 1] * s[ty + 2][tx + 1]"])
            self._line(f"v = 0.4 * v + 0.3 * (s[ty + 1][tx + 1] - {place});")
            self._line("__syncthreads();")
            self._some(1, 4)
        if self.random.random() < 0.6:
            self._line("if (tx == 0 && ty == 0)")
            self._line("    most = -2.0;")
            self._line("__syncthreads();")
            self._line(f"if ({self._condition()})")
            self._line(f"    raise_to(&most, {self._small()});")
            self._line("__syncthreads();")
            self._line("w = 0.5 * w + 0.2 * most * v;")
        self._line("if (inside)")
        self._line("    y[i] = v * w + 0.1 * y[i];")

    def _dynamic(self) -> None:
        self._line("extern __shared__ double s[];")
        self._line("int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;")
        self._line("bool inside = i < n;")
        self._line("if (!inside)")
        self._line("    i = 0;")
        self.guard = "inside"
        self._values()
        for _ in range(self.random.randrange(2, 5)):
            self.random.choice([self._scan, self._warp, self._added, self._overlap])()
            self._some(1, 3)
        self._line("if (inside)")
        self._line("    y[i] = v * w + 0.1 * y[i];")

    def _scan(self) -> None:
        self._line(f"s[t] = {self._small()};")
        self._line("__syncthreads();")
        self._line("for (int step = 1; step < blockDim.x; step *= 2) {")
        self._line("    double other = t >= step ? s[t - step] : 0.0;")
        self._line("    __syncthreads();")
        combined = self.random.choice(["+= 0.5 * other", "= s[t] * 0.5 + other * 0.3"])
        self._line(f"    s[t] {combined};")
        self._line("    __syncthreads();")
        self._line("}")
        self._line("v += 0.2 * s[t];")
        self._line("__syncthreads();")

    def _warp(self) -> None:
        name = self._new("r")
        self._line(f"double {name} = 0.1 * of_warp({self._small()});")
        self.reals.append(name)
        self.writable.append(name)
        if self.random.random() < 0.5:
            self._line(f"{name} += 0.2 * __shfl_xor_sync(0xff, {self._atom()}, 3, 8);")

    def _added(self) -> None:
        self._line("s[t] = 0.05 * t;")
        self._line("__syncthreads();")
        self._line(f"if ({self._condition()})")
        self._line(f"    atomicAdd(&s[k[i] % 8], {self._small()});")
        self._line("__syncthreads();")
        self._line("v = sin(s[7 - t] * v);")
        self._line("__syncthreads();")

    def _overlap(self) -> None:
        self._line(f"s[t] = {self._value()};")
        self._line("__syncthreads();")
        name = self._new("r")
        self._line(f"double {name} = 0.0;")
        self._line("for (int d = -2; d <= 2; ++d)")
        self._line("    if (t + d >= 0 && t + d < 8)")
        weight = self.random.choice(["0.2", "0.1 * w", "a * 0.2"])
        self._line(f"        {name} += s[t + d] * {weight};")
        self._line("__syncthreads();")
        self.reals.append(name)
        self.writable.append(name)

    # -- statements -----------------------------------------------------------------------------

    def _values(self) -> None:
        self._line("double v = x[i] + f.x, w = 0.5 * f.z;")
        self.reals = ["v", "w", "a", "x[i]", "p[i].x", "f.y"]
        self.writable = ["v", "w"]

    def _some(self, least: int, most: int) -> None:
        known = list(self.reals), list(self.writable)
        self._line("{")
        self.depth += 1
        for _ in range(self.random.randrange(least, most)):
            self._statement()
        self.depth -= 1
        self._line("}")
        self.reals, self.writable = known

    def _statement(self) -> None:
        kinds: list[Callable[[], None]] = [
            *[self._assign] * 3,
            self._declare,
            self._vector,
            self._four,
            self._cell,
            self._settle,
            self._atomic,
            self._maximum,
            self._branch,
            self._search,
            self._own,
        ]
        self.random.choice(kinds)()

    def _assign(self) -> None:
        op = self.random.choice(["=", "+=", "-=", "*="])
        value = self._value() if op == "=" else self._small()
        self._line(f"{self.random.choice(self.writable)} {op} {value};")

    def _declare(self) -> None:
        name = self._new("r")
        self._line(f"double {name} = {self._value()};")
        self.reals.append(name)
        self.writable.append(name)

    def _vector(self) -> None:
        name = self._new("q")
        first = self.random.choice([f"make_double2({self._atom()}, {self._small()})", "p[i]"])
        self._line(f"double2 {name} = {first};")
        self._line(f"{name} = rotated({name}, {self._atom()});")
        self._line(f"{name}.{self.random.choice('xy')} *= {self._small()};")
        self.reals += [f"{name}.x", f"{name}.y"]
        self.writable += [f"{name}.x", f"{name}.y"]

    def _four(self) -> None:
        name = self._new("g")
        self._line(f"double4 {name} = make_double4({self._atom()}, {self._small()}, f.w, 0.5);")
        to, what = self.random.choice("xyzw"), self.random.choice("xyzw")
        self._line(f"{name}.{to} += 0.3 * {name}.{what};")
        self.reals += [f"{name}.{axis}" for axis in "xyzw"]

    def _cell(self) -> None:
        name, energy = self._new("u"), self._new("e")
        self._line(f"Cell {name} = c[i];")
        self._line(f"{name}.kind = k[i] % 3;")
        self._line(f"double {energy} = {self._small()};")
        target = self.random.choice(self.writable)
        advanced = f"advance({name}, {self._small()}, &{energy})"
        self._line(f"{target} = 0.5 * {target} + 0.3 * {advanced};")
        if self.random.random() < 0.6:
            guard = f"if ({self.guard}) " if self.guard else ""
            stored = [f"at = {name}.at", f"load[1] = {name}.at.y * 0.5"]
            self._line(f"{guard}c[i].{self.random.choice(stored)};")
        self.reals += [f"{name}.at.x", f"{name}.load[{self.random.randrange(2)}]", energy]

    def _settle(self) -> None:
        target = self.random.choice(self.writable)
        self._line(f"{target} = settled({self._small()}, {self._atom()}, {self._whole()} % 4 + 1);")

    def _atomic(self) -> None:
        guard = f"if ({self.guard}) " if self.guard else ""
        self._line(f"{guard}atomicAdd(&total[{self._whole()} % 3], {self._small()});")

    def _maximum(self) -> None:
        guard = f"if ({self.guard}) " if self.guard else ""
        self._line(f"{guard}raise_to(&top[{self._whole()} % 3], {self._small()});")

    def _own(self) -> None:
        guard = f"if ({self.guard}) " if self.guard else ""
        self._line(f"{guard}y[i] {self.random.choice(['=', '+=', '*='])} {self._small()};")

    def _branch(self) -> None:
        self._line(f"if ({self._condition()}) {{")
        self._inner()
        if self.random.random() < 0.5:
            self._line("} else {")
            self._inner()
        self._line("}")

    def _inner(self) -> None:
        known = list(self.reals), list(self.writable)
        self.depth += 1
        if self.depth < 5:
            self._statement()
        self._assign()
        self.depth -= 1
        self.reals, self.writable = known

    def _search(self) -> None:
        turn, target = self._new("j"), self.random.choice(self.writable)
        head = self.random.choice(
            [f"for (int {turn} = 0; {turn} < m; ++{turn}) {{", f"while (++{turn} < 5) {{"]
        )
        if head.startswith("while"):
            self._line(f"int {turn} = {self._whole()} % 3;")
        self._line(head)
        self._inner()
        self._line(f"    {target} = 0.6 * {target} + 0.1 * x[(i + {turn}) % n];")
        if self.random.random() < 0.7:
            self._line(f"    if ({self._condition()})")
            self._line(f"        {self.random.choice(['break', 'continue'])};")
        self._line(f"    {target} *= 0.9;")
        self._line("}")

    # -- expressions ----------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def _new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def _whole(self) -> str:
        return self.random.choice(["i", "k[i]", "(i + m)"])

    def _atom(self) -> str:
        if self.random.randrange(8) == 0:
            return self.random.choice([f"x[({self._whole()} + 2) % n]", "0.4", "p[(i + 1) % n].y"])
        return self.random.choice(self.reals)

    def _small(self) -> str:
        one, other = self._atom(), self._atom()
        return self.random.choice(
            [
                f"sin({one} * {other})",
                f"0.4 * tanh({one})",
                f"cos({one} + {other})",
                f"exp(-({one} * {one}))",
                f"fmin(fmax({one}, -0.8), 0.9)",
                f"tanh({one}) / (1.5 + {other} * {other})",
                f"({self._condition()} ? 0.5 * sin({one}) : 0.2)",
            ]
        )

    def _value(self) -> str:
        one, other = self._atom(), self._small()
        return self.random.choice(
            [f"0.5 * {one} * {other} + 0.2", f"{other} - 0.3 * tanh({one})", f"0.6 * {other}"]
        )

    def _condition(self) -> str:
        one, other = self._atom(), self._atom()
        return self.random.choice(
            [f"{self._whole()} % 3 != 1", f"{one} > 0.3 * {other}", f"{one} < 0.41", "k[i] > 2"]
        )


def random_shapes(seed: int, count: int) -> str:
    """A source with `count` kernels and the launches to check them with."""
    writers: list[ShapeWriter] = []
    texts: list[str] = []
    for number in range(count):
        random = Random(f"shapes/{seed}/{number}")
        shape = random.choice(["stride", "plane", "tile", "dynamic", "dynamic"])
        writer = ShapeWriter(random, f"k{number}", shape)
        texts.append(writer.text())
        writers.append(writer)
    launches = "\n".join(writer.launch() for writer in writers)
    return f"{launches}\n{DEVICE_CODE}\n" + "\n".join(texts)
