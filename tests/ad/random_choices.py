"""Random kernels whose values are chosen: nested `?:`, minima and maxima, roots of sums, all of
places that are overwritten, in rows of memory, local arrays and structures, through pointers that
branches set, in loops and under conditions.

They have no races, stay inside their arrays, and their values stay small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final, final

SIZE: Final = 13
ROW: Final = 4
CHOICES_CODE: Final = """\
struct Item {
    double a, b[2];
    int n;
    __device__ Item() : a(0.5), n(0) { b[0] = b[1] = 0.25; }
};

__device__ double larger(double a, double b)
{
    if (a < b)
        return b;
    return a;
}

__device__ double bounded(double v, double *kept)
{
    if (v > 1.2)
        return *kept;
    *kept = v < 0.4 ? *kept * v : 0.5 * (*kept + v);
    return v * *kept;
}

template <int N> __device__ double nested(const double *c, double v)
{
    if constexpr (N == 1)
        return c[0];
    else
        return 0.5 * c[0] + 0.5 * v * nested<N - 1>(c + 1, v);
}
"""


@final
@dataclass(slots=True)
class _Choices:
    random: Random
    name: str
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1

    def text(self) -> str:
        self._line("int i = blockIdx.x * blockDim.x + threadIdx.x;")
        self._line("if (i >= n)")
        self._line("    return;")
        self._line(f"double *p = x + {ROW} * i, *q = p + k[i] % 2;")
        self._line("double v[3] = {p[0], 0.5, p[1]}, w = y[i];")
        self._line("Item items[2];")
        self._line("int c = k[i];")
        for _ in range(self.random.randrange(3, 7)):
            self._statement()
        self._line("y[i] += v[0] * w + v[c % 3] * items[0].a + items[1].b[c % 2] * q[1];")
        head = f"__global__ void {self.name}(double *x, double *y, const int *k, int n)"
        return f"{head}\n{{\n" + "\n".join(self.lines) + "\n}\n"

    def launch(self) -> str:
        return (
            f"// g2o-verify: {self.name}<<<2, 8>>>(n = {SIZE}, x = [n * {ROW}], y = [n],\n"
            "//     k = [n : (i * 5 + 2) % 7])"
        )

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def _pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def _statement(self) -> None:
        kind = self.random.randrange(12)
        if kind < 6 or self.depth > 3:
            self._line(f"{self._place()} = {self._value(3)};")
        elif kind < 7:
            self._line(f"{self._place()} {self._pick('+=', '-=', '*=')} 0.3 * {self._value(2)};")
        elif kind < 8:
            self._line(f"if ({self._condition()})")
            self._line(f"    q = {self._pick('p', 'p + 1', '&p[c % 2]', 'q == p ? p + 1 : p')};")
        elif kind < 9:
            self._line(f"memcpy({self._pick('v, p + 1, sizeof(v)', 'p, v, 2 * sizeof(double)')});")
        elif kind < 10:
            self._line(f"c = (c + {self._pick('1', 'k[i]', '3')}) % 5;")
        elif kind < 11:
            self._nested(f"if ({self._condition()}) {{")
        else:
            turn = f"j{self.depth}"
            self._nested(f"for (int {turn} = 0; {turn} < 1 + c % 3; ++{turn}) {{")

    def _nested(self, head: str) -> None:
        self._line(head)
        self.depth += 1
        for _ in range(self.random.randrange(1, 4)):
            self._statement()
        self.depth -= 1
        self._line("}")

    def _place(self) -> str:
        return self._pick(
            "p[0]", "p[1]", "p[c % 4]", "q[0]", "q[1]", "*q", "v[0]", "v[c % 3]", "w", "y[i]",
            "items[0].a", "items[c % 2].b[1]", "items[1].b[c % 2]",
        )  # fmt: skip

    def _condition(self) -> str:
        one, other = self._place(), self._place()
        return self._pick(
            f"{one} < {other}", f"{one} > 0.7", f"c % 2 && {one} < 0.9", f"c > 2 || {other} > {one}"
        )

    def _value(self, depth: int) -> str:
        if depth == 0:
            return self._pick(self._place(), self._place(), "0.4")
        one, other = self._value(depth - 1), self._value(depth - 1)
        return self._pick(
            self._place(),
            f"({self._condition()} ? {one} : {other})",
            f"({self._condition()} ? {one} : {other})",
            f"fmin({one}, {other})",
            f"fmax(0.1 + 0.5 * {one}, {other})",
            f"0.5 * hypot({one}, 0.2 + {other})",
            f"0.7 * {one} * {other}",
            f"0.4 * ({one} - {other})",
            f"{one} / (1.5 + {other} * {other})",
            f"fabs(0.3 - {one})",
            f"larger({one}, {self._place()})",
            f"bounded({self._place()}, &{self._pick('w', 'v[1]')})" if depth == 3 else one,
            f"nested<3>(p, {self._place()})",
            f"sin({one})",
        )


def random_choices(seed: int, kernels: int) -> str:
    """A source with that many kernels and the launches to check."""
    random = Random(seed)
    writers = [_Choices(random, f"choices_{number}") for number in range(kernels)]
    texts = [writer.text() for writer in writers]
    launches = [writer.launch() for writer in writers]
    return "\n".join(["#include <cstring>", *launches, CHOICES_CODE, *texts])
