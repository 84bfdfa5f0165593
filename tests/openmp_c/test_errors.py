"""Error estimates of C functions: what is measured is what was said, and the page says it."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from g2o.openmp_c import translate_c
from g2o.passes import TranslateOptions
from g2o.runtime.headers import RUNTIME

PROGRAMS: Final = Path(__file__).parent / "error_programs"
PAGE: Final = Path(__file__).parents[2] / "docs" / "openmp.md"

FACTOR: Final = 3.0
_TYPE: Final = re.compile(r"\breal_(\w+)")
_MATHS: Final = re.compile(r"\b(sqrt|tanh|exp|log)\(")

# Integers are what they are, numbers lie between two, and arrays of so many do, too. Those of
# nonzeros are of a ring.
_Given = int | tuple[float, float] | tuple[int, float, float] | str
_CASES: Final[dict[str, dict[str, _Given]]] = {
    "springs": {
        "n": 40,
        "steps": 6,
        "a": (0.1, 0.2),
        "start": (40, -1.0, 1.0),
        "x": (40, 0.0, 0.0),
        "v": (40, 0.0, 0.0),
    },
    "variance": {"n": 200, "x": (200, 4.0, 5.0)},
    "bodies": {
        "n": 30,
        "px": (30, -1.0, 1.0),
        "py": (30, -1.0, 1.0),
        "m": (30, 0.5, 1.5),
        "ax": (30, 0.0, 0.0),
    },
    "gradients": {
        "n": 30,
        "steps": 3,
        "row": "3 * i",
        "column": "(i / 3 + i % 3 + 29) % 30",
        "a": "i % 3 == 1 ? 4.0 + uniform(0.0, 1.0) : -1.0",
        "b": (30, 0.5, 1.5),
        "x": (30, 0.0, 0.0),
        "r": (30, 0.0, 0.0),
        "p": (30, 0.0, 0.0),
        "q": (30, 0.0, 0.0),
    },
    "layer": {
        "n": 20,
        "w": (400, -0.4, 0.4),
        "bias": (20, -0.5, 0.5),
        "in": (20, -1.0, 1.0),
        "want": (20, -1.0, 1.0),
        "out": (20, 0.0, 0.0),
    },
    "logarithm": {"n": 100, "x": (100, 0.0, 3.0), "scale": (0.5, 1.5)},
    "water": {
        "n": 40,
        "steps": 5,
        "dt": (0.05, 0.1),
        "start": (40, 0.1, 0.5),
        "h": (40, 0.0, 0.0),
        "u": (40, 0.0, 0.0),
        "fh": (40, 0.0, 0.0),
        "fu": (40, 0.0, 0.0),
    },
    "products": {"n": 60, "c": (8, -1.0, 1.0), "x": (60, 0.2, 1.2)},
}
_NONZEROS: Final = 100

_MAIN: Final = """
#include <stdint.h>
#define any_sqrt(x) _Generic((x), float: sqrtf, default: sqrt)(x)
#define any_tanh(x) _Generic((x), float: tanhf, default: tanh)(x)
#define any_exp(x) _Generic((x), float: expf, default: exp)(x)
#define any_log(x) _Generic((x), float: logf, default: log)(x)
static uint64_t state;
static double uniform(double low, double high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(state >> 11) / 9007199254740992.0);
}
FUNCTIONS
int main(void)
{
CALLS    return 0;
}
"""

# Twelve inputs: the error with all in float, measured and estimated; how often it is above the
# bound; and of the proposals how many there are, how many types they have in float, and how many
# are off by too much.
_CHECK: Final = """
static void check_NAME(void)
{
    double measured = 0.0, expected = 0.0;
    int above = 0, proposals = 0, types = 0, wrong = 0, unknown = 0;
    for (int draw = 0; draw < 12; ++draw) {
        state = (uint64_t)draw + 1u;
        for (int i = 0; i < 9; ++i)
            uniform(0.0, 1.0);
DECLARED        const double exact = run_NAME(0, GIVEN);
        NAME_errors errors = {0};
        NAME_error(COPIES, SHADOWS, 1.0, &errors);
ADDED        const g2o_error_report report = NAME_report(&errors);
        const double error = run_NAME((1 << GROUPS) - 1, GIVEN) - exact;
        const double bound = g2o_error_bound(&report, g2o_single_precision());
        const double usual = g2o_expected_error(&report, g2o_single_precision());
        measured += error * error;
        expected += usual * usual;
        above += !(fabs(error) <= 1.01 * bound);
        for (size_t row = 0; row < report.count; ++row) {
            const char *variable = report.rounded[row].variable;
            unknown += strstr(" NAMES NAME ", variable) == NULL;
        }
        const double parts[] = {1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 0.6, 1.1};
        for (int part = 0; part < 9; ++part) {
            const double accuracy = parts[part] * bound;
            char *less = g2o_less_precise(&report, accuracy, g2o_single_precision());
            unsigned bits = 0;
MARKED            free(less);
            ++proposals;
            types += __builtin_popcount(bits);
            wrong += !(fabs(run_NAME(bits, GIVEN) - exact) <= 1.01 * accuracy);
        }
    }
    printf("NAME %.3e %.3e %d %d %d %d %d\\n", sqrt(measured), sqrt(expected), above, proposals,
           types, wrong, unknown);
}
"""


@dataclass(frozen=True)
class _Program:
    """A function and those of the file that it calls, with its groups of variables."""

    name: str
    text: str

    @property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(_TYPE.findall(self.text)))

    @property
    def given(self) -> dict[str, _Given]:
        return _CASES[self.name]

    def in_types(self, bits: int) -> str:
        """The program with the types that `bits` chooses, and names of its own."""
        less = {name for at, name in enumerate(self.groups) if bits >> at & 1}
        text = _TYPE.sub(lambda found: "float" if found[1] in less else "double", self.text)
        text = re.sub(rf"\b({self.name}|force)\(", rf"\1_{bits}(", text)
        return _MATHS.sub(r"any_\1(", text)

    def check(self) -> str:
        """What runs it in all types, and compares."""
        arrays = {
            one: given for one, given in self.given.items() if isinstance(given, (str, tuple))
        }
        arrays = {one: given for one, given in arrays.items() if _count(given)}
        numbers = [one for one, given in self.given.items() if isinstance(given, tuple)]
        numbers = [one for one in numbers if one not in arrays]
        integers = {one: given for one, given in self.given.items() if isinstance(given, int)}
        whole = {one for one in arrays if re.search(rf"\bint \*{one}\b", self.text)}
        handed = ", ".join((*numbers, *arrays))
        listed = ", ".join(
            (
                *(f"double {one}" for one in numbers),
                *(f"const {'int' if one in whole else 'double'} *{one}" for one in arrays),
            )
        )
        cases = ""
        for bits in range(1 << len(self.groups)):
            copied = passed = ""
            for one in self.given:
                if one in arrays and one not in whole:
                    ctype, count = self._type_in(one, bits), _count(arrays[one])
                    copied += f"        {ctype} {one}_[{count}];\n"
                    copied += f"        for (int i = 0; i < {count}; ++i)\n"
                    copied += f"            {one}_[i] = ({ctype}){one}[i];\n"
                own = f"{one}_" if one in arrays and one not in whole else one
                passed += f", {integers.get(one, own)}"
            cases += f"    case {bits}: {{\n{copied}"
            cases += f"        return {self.name}_{bits}({passed[2:]});\n    }}\n"
        run = f"static double run_{self.name}(unsigned bits, {listed})\n{{\n    switch (bits) {{\n"
        run += f"{cases}    }}\n    return NAN;\n}}\n"
        declared = copies = added = ""
        shadows: list[str] = []
        for one, given in self.given.items():
            if isinstance(given, int):
                copies += f", {given}"
                continue
            copies += f", {one}"
            count = _count(given)
            if count == 0:
                assert isinstance(given, tuple)
                declared += f"        const double {one} = uniform({given[0]}, {given[1]});\n"
                declared += f"        double d_{one} = 0.0;\n"
                added += f"        g2o_add_rounding(&errors.given_{one}, d_{one}, {one});\n"
                shadows.append(f"&d_{one}")
                continue
            ctype = "int" if one in whole else "double"
            value = given if isinstance(given, str) else f"uniform({given[1]}, {given[-1]})"
            declared += (
                f"        {ctype} {one}[{count}];\n        for (int i = 0; i < {count}; ++i)\n"
            )
            declared += f"            {one}[i] = {value};\n"
            if one in whole:
                continue
            declared += f"        double d_{one}[{count}] = {{0}}, own_{one}[{count}];\n"
            declared += f"        memcpy(own_{one}, {one}, sizeof own_{one});\n"
            copies = copies.removesuffix(one) + f"own_{one}"
            added += f"        g2o_add_roundings(&errors.given_{one}, {one}, d_{one}, {count});\n"
            shadows.append(f"d_{one}")
        marked = ""
        for at, group in enumerate(self.groups):
            names = self._names_of(group)
            tests = " && ".join(f'g2o_may_be_less(&report, less, "{one}")' for one in names)
            marked += f"            bits |= (unsigned)({tests}) << {at};\n"
        text = _CHECK.replace("DECLARED", declared).replace("COPIES", copies[2:])
        text = text.replace("SHADOWS", ", ".join(shadows)).replace("ADDED", added)
        text = text.replace("MARKED", marked).replace("GIVEN", handed)
        names = " ".join(name for group in self.groups for name in self._names_of(group))
        text = text.replace("NAMES", names).replace("NAME", self.name)
        return run + text.replace("GROUPS", str(len(self.groups)))

    def _names_of(self, group: str) -> list[str]:
        """The variables of a group, and the results of the functions that give back its type."""
        back = re.findall(rf"^static real_{group} (\w+)\(", self.text, re.MULTILINE)
        return [*group.split("_"), *(f"{one}_result" for one in back)]

    def _type_in(self, parameter: str, bits: int) -> str:
        found = re.search(rf"\breal_(\w+) \*?{parameter}\b", self.text)
        assert found is not None
        return "float" if bits >> self.groups.index(found[1]) & 1 else "double"


def _count(given: _Given) -> int:
    """How many elements an array has; 0 for numbers."""
    if isinstance(given, str):
        return _NONZEROS
    return given[0] if isinstance(given, tuple) and len(given) == 3 else 0


def _programs() -> list[_Program]:
    text = (PROGRAMS / "programs.c").read_text("utf-8")
    parts = [one for one in re.split(r"^(?=// )", text, flags=re.MULTILINE) if "(" in one]
    found = [(re.search(r"^double (\w+)\(", one, re.MULTILINE), one) for one in parts]
    return [_Program(name[1], one) for name, one in found if name is not None]


def _in_double(path: Path) -> None:
    text = (PROGRAMS / "programs.c").read_text("utf-8")
    path.write_text(_TYPE.sub("double", text), encoding="utf-8")


@pytest.mark.slow
def test_estimates_are_what_is_measured(tmp_path: Path) -> None:
    """Programs with any of their variables in float, against the same in double: the estimate is
    within a factor of 3, the bound holds, and so does that of what is proposed."""
    source = tmp_path / "programs.c"
    _in_double(source)
    programs = _programs()
    assert len(programs) >= 8
    made = translate_c(source, TranslateOptions(errors=("",)), "programs.c")
    assert made.ok, [one.message for one in made.diagnostics]
    functions = "".join(
        one.in_types(bits) for one in programs for bits in range(1 << len(one.groups))
    )
    functions += "".join(one.check() for one in programs)
    calls = "".join(f"    check_{one.name}();\n" for one in programs)
    main = _MAIN.replace("FUNCTIONS", functions).replace("CALLS", calls)
    code = tmp_path / "main.c"
    code.write_text(made.code + main, encoding="utf-8")
    for compiler in ("gcc", "clang-19"):
        words = ("-std=c11", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}")
        program = tmp_path / compiler
        subprocess.run([compiler, *words, code, "-o", program, "-lm"], check=True)
        done = subprocess.run(
            [program], capture_output=True, text=True, check=True, env={"OMP_NUM_THREADS": "2"}
        )
        rows = [line.split() for line in done.stdout.splitlines()]
        assert [row[0] for row in rows] == [one.name for one in programs]
        for name, measured, expected, above, proposals, types, wrong, unknown in rows:
            assert 1 / FACTOR < float(measured) / float(expected) < FACTOR, name
            assert (int(above), int(wrong), int(unknown)) == (0, 0, 0), name
            assert int(types) > int(proposals) / 2, name


def test_page_shows_what_is_printed(tmp_path: Path) -> None:
    section = PAGE.read_text("utf-8").partition("## Error estimates")[2].partition("\n## ")[0]
    source, call, report = re.findall(r"^```c?\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    path = tmp_path / "spread.c"
    path.write_text(source, encoding="utf-8")
    made = translate_c(path, TranslateOptions(errors=("spread(spread)/(scale, x)",)), "spread.c")
    assert made.ok
    assert made.headers == ("g2o_errors.h", "g2o_runtime.h")
    main = "int main(void)\n{\n    const int n = 1000;\n    const double scale = 0.4;\n"
    main += "    double x[1000];\n    for (int i = 0; i < n; ++i)\n"
    main += "        x[i] = 1.0 + i * 7919 % 1000 / 1000.0;\n"
    other = call.replace("text = g2o_error_text", "json = g2o_error_json").partition("char *json")
    main += f"{call}    char *json{other[2].replace('text', 'json')}    return 0;\n}}\n"
    code = tmp_path / "main.c"
    code.write_text(made.code + main, encoding="utf-8")
    for compiler in ("gcc", "clang-19"):
        words = ("-std=c11", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}")
        program = tmp_path / compiler
        subprocess.run([compiler, *words, code, "-o", program, "-lm"], check=True)
        done = subprocess.run([program], capture_output=True, text=True, check=True)
        text, _, rest = done.stdout.partition("{")
        assert text == report
        found = json.loads("{" + rest)
        assert found["may_be_float"] == re.findall(r"may be float: (.*) \(", text)[0].split()
        assert found["roundings"][2]["variable"] == "mean"
