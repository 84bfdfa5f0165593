"""Random functions in C with OpenMP, without races, whose values stay near 1."""

from __future__ import annotations

from random import Random
from typing import Final, final

_SIGNATURE: Final = (
    "double f(int n, int steps, double a, const int *k, double *x, double *y, const double *z)"
)
_SCHEDULES: Final = ("", "schedule(dynamic)", "schedule(static, 3)", "schedule(guided)")
_ARRAYS: Final = ("x", "y", "w", "v")


def random_function(seed: int) -> tuple[str, str]:
    """Signature and body of a function, the same for each seed."""
    return _SIGNATURE, _Writer(Random(seed)).body()


@final
class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.scalars = ["a", "s"]
        self.count = 0

    def body(self) -> str:
        lines = ["(void)steps, (void)k, (void)y;", "double s = 0.1 * a * x[0];"]
        heap = self.random.random() < 0.5
        lines.append("double w[N];")
        lines.append("double *v = malloc(n * sizeof *v);" if heap else "double v[n];")
        clause = self._clauses()
        lines.append(f"#pragma omp parallel for {clause}\nfor (int i = 0; i < n; ++i) {{")
        lines.append("w[i] = 0.5 * z[i];\nv[i] = sin(z[n - 1 - i]);\n}")
        lines += self.statements(self.random.randint(2, 5), 0)
        lines.append("double result = s + w[3] * v[5];")
        if heap:
            lines.append("free(v);")
        lines.append("return result;")
        return "\n".join(lines)

    def statements(self, count: int, depth: int) -> list[str]:
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth: int) -> str:
        kinds = [self.loop, self.loop, self.loop, self.scalar, self.region, self.special]
        if depth < 2:
            kinds += [self.time, self.choice]
        return self.random.choice(kinds)(depth)

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    # -- serial code ----------------------------------------------------------------------------

    def scalar(self, _: int) -> str:
        return f"s = 0.5 * s + {self.value(self._serial_leaf)};"

    def time(self, depth: int) -> str:
        index, known = self.fresh("t"), list(self.scalars)
        body = "\n".join(self.statements(self.random.randint(1, 3), depth + 1))
        self.scalars = known
        if self.random.random() < 0.3:
            return f"int {index} = 0;\nwhile ({index} < steps) {{\n{body}\n++{index};\n}}"
        return f"for (int {index} = 0; {index} < steps; ++{index}) {{\n{body}\n}}"

    def choice(self, depth: int) -> str:
        known = list(self.scalars)
        one = "\n".join(self.statements(1, depth + 1))
        self.scalars = list(known)
        other = "\n".join(self.statements(1, depth + 1))
        self.scalars = known
        condition = self.random.choice(("s > 0.3", "steps > 2", "x[2] > y[3]"))
        return f"if ({condition}) {{\n{one}\n}} else {{\n{other}\n}}"

    # -- loops ----------------------------------------------------------------------------------

    def loop(self, _: int) -> str:
        form = self.random.choice((self._plain, self._plain, self._sum, self._collapsed))
        return form("parallel for")

    def region(self, _: int) -> str:
        loops = [self._plain("for"), self._plain("for")]
        once = "#pragma omp single\ns = s * 0.5 + x[1] * a;\n" if self.random.random() < 0.5 else ""
        return f"#pragma omp parallel\n{{\n{loops[0]}\n{once}{loops[1]}\n}}"

    def special(self, _: int) -> str:
        value = self.value(lambda: self._leaf("i", None))
        match self.random.randrange(4):
            case 0:
                name = self.fresh("m")
                self.scalars.append(name)
                head = f"double {name} = -10.0;\n#pragma omp parallel for reduction(max : {name})\n"
                return f"{head}for (int i = 0; i < n; ++i)\n{name} = fmax({name}, {value});"
            case 1:
                array = self.random.choice(_ARRAYS)
                value = self.value(lambda: self._leaf("i", array, "")).replace(f"{array}[]", "a")
                head = (
                    "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {\n#pragma omp atomic\n"
                )
                return f"{head}{array}[k[i] / 2] += 0.1 * {value};\n}}"
            case 2:
                name = self.fresh("p")
                self.scalars.append(name)
                head = f"double {name} = 1.0;\n#pragma omp parallel for reduction(* : {name})\n"
                return f"{head}for (int i = 0; i < 6; ++i)\n{name} *= 1.0 + 0.1 * {value};"
            case _:
                return "smooth(n, 0.3 * a, x, y);\ns += 0.1 * dot(n, x, y);"

    def _plain(self, construct: str) -> str:
        array = self.random.choice(_ARRAYS)
        place = "k[i]" if self.random.random() < 0.2 else "i"
        low, high = self.random.choice((("0", "n"), ("2", "n - 2"), ("n / 4", "n")))
        op = self.random.choice(("=", "+=", "*="))
        inside = f"{array}[{place}] {op} {self.value(lambda: self._leaf('i', array, place))};"
        if self.random.random() < 0.4:
            name = self.fresh("q")
            value = self.value(lambda: self._leaf("i", array, place))
            inner = self.value(lambda: self.random.choice((name, self._leaf("j", array, place))))
            inside = (
                f"double {name} = {value};\nfor (int j = 0; j < i % 4; ++j)\n"
                f"{name} = 0.5 * {name} + {inner};\n{array}[{place}] {op} {name};"
            )
        if self.random.random() < 0.3:
            condition = self.random.choice(("i % 3 == 1", f"{array}[{place}] > 0.2"))
            inside = f"if ({condition}) {{\n{inside}\n}}"
        head = f"#pragma omp {construct} {self._clauses(construct)}\n"
        return f"{head}for (int i = {low}; i < {high}; ++i) {{\n{inside}\n}}"

    def _sum(self, construct: str) -> str:
        array = self.random.choice(_ARRAYS)
        value = self.value(lambda: self._leaf("i", array))
        head = f"#pragma omp {construct} reduction(+ : s) {self._clauses(construct)}\n"
        lines = f"{array}[i] = 0.5 * {array}[i] + {value};\ns += 0.1 * {array}[i];"
        return f"{head}for (int i = 0; i < n; ++i) {{\n{lines}\n}}"

    def _collapsed(self, construct: str) -> str:
        array = self.random.choice(_ARRAYS)
        value = self.value(lambda: self._leaf("o", array, "o"))
        head = f"#pragma omp {construct} collapse(2) {self._clauses(construct)}\n"
        loops = (
            "for (int r = 0; r < M; ++r)\nfor (int c = 1; c < M; ++c) {\nconst int o = r * M + c;\n"
        )
        return f"{head}{loops}{array}[o] = {value};\n}}"

    def _clauses(self, construct: str = "parallel for") -> str:
        own = [self.random.choice(_SCHEDULES)]
        if construct == "parallel for" and self.random.random() < 0.2:
            own.append("num_threads(3)")
        return " ".join(own)

    # -- values ---------------------------------------------------------------------------------

    def value(self, leaf: object) -> str:
        assert callable(leaf)
        one, other = str(leaf()), str(leaf())
        forms = (
            f"sin({one} + {other})",
            f"({one} * {other} / (2.0 + {other} * {other}))",
            f"exp(-{one} * {one})",
            f"(0.5 * {one} - 0.25 * {other})",
            f"bump({one}, 1.5)",
            f"sqrt(1.0 + {one} * {one})",
        )
        return self.random.choice(forms)

    def _serial_leaf(self) -> str:
        return self.random.choice((*self.scalars, "x[4]", "y[7]", "w[2]", "v[9]", "z[1]"))

    def _leaf(self, index: str, written: str | None, own: str = "i") -> str:
        """Something to read in a loop that writes elements `own` of an array alone."""
        others = [one for one in (*_ARRAYS, "z") if one != written]
        place = f"({index} + {self.random.randint(1, 9)}) % n"
        array = self.random.choice(others)
        known = [f"{array}[{index}]", f"{array}[{place}]", f"{array}[k[{index}]]", "a"]
        if written is not None:
            known.append(f"{written}[{own}]")
        known += [one for one in self.scalars if one != "s"]
        return self.random.choice(known)
