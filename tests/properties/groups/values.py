"""What random kernels of groups are made of: types, numbers, names, arrays that are in use."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

REALS: Final = ("float", "double")
NARROW: Final = ("short", "unsigned char")
ALL: Final = "0xffffffffu"


@final
@dataclass(slots=True)
class Value:
    """A variable that can be changed, of which no value is larger; `has` says which threads hold
    what their group combined; `extreme`: threads that had no number may still hold this, the start
    of an extreme of the kind `of` (not to be calculated with), "" if none do."""

    name: str
    bound: int
    has: str = "own"
    extreme: str = ""
    of: str = ""


@final
@dataclass(slots=True)
class Writer:
    random: Random
    shape: tuple[int, int, int]
    type: str
    blocks: int
    smooth: bool = False
    """Is what is written differentiable?"""
    whole: bool = True
    """Do all threads of the block come here?"""
    lanes: bool = True
    """Do all of a warp?"""
    values: list[Value] = field(default_factory=list[Value])
    names: list[tuple[str, Value]] = field(default_factory=list[tuple[str, Value]])
    """Other names of values, as they are spelled where they are used."""
    dirty: set[str] = field(default_factory=set[str])
    shared: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 0
    last: str = "add"
    """How the values that are there last were combined."""
    loops: int = 0
    """Loops around, whose arrays others may still read."""

    # -- what is asked ----------------------------------------------------------------------------

    @property
    def threads(self) -> int:
        x, y, z = self.shape
        return x * y * z

    @property
    def has_warps(self) -> bool:
        return self.threads % 32 == 0

    @property
    def limit(self) -> int:
        if self.smooth:
            return 6400
        return 1_000_000 if self.type in REALS else 200_000_000

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def wide(self) -> str:
        """The number of threads of the block, spelled."""
        plain = self.shape[1] == self.shape[2] == 1
        return self.random.choice([str(self.threads), "blockDim.x" if plain else str(self.threads)])

    def number(self, *choices: str) -> str:
        return self.random.choice(choices)

    def array(self, name: str, extent: int, kind: str = "") -> tuple[str, str]:
        """A shared array, and the barrier in front of its use."""
        kind = kind or self.type
        name = f"{name}_{kind.split()[0][0]}{'l' if ' ' in kind else ''}"
        self.shared[name] = f"__shared__ {kind} {name}[{extent}];"
        before = (
            "__syncthreads();\n" if self.loops or name in self.dirty or self.chance(0.1) else ""
        )
        if before:
            self.dirty.clear()
        self.dirty.add(name)
        return name, before

    # -- values -----------------------------------------------------------------------------------

    def start(self, kind: str, *, all_have: bool = False) -> tuple[str, int, str]:
        """What values of this kind begin with, how large that is, and what of it stays in threads
        without numbers and is not to be calculated with; `all_have`: there are none."""
        spelled = self.type
        if kind == "add":
            zero = f"{spelled}(0)" if " " not in spelled else "0"
            return self.number(zero, "0", "0", "1"), 1, ""
        sign = "-" if kind == "max" else ""
        plain = [("x[0]", 50), ("3", 3)]
        if self.smooth and not all_have:
            chosen = [(f"{sign}3", 3)]
        elif spelled == "float":
            chosen = [(f"{sign}INFINITY", 0), (f"{sign}FLT_MAX", 0), (f"{sign}1e30f", 0)]
        elif spelled == "double":
            chosen = [(f"{sign}INFINITY", 0), (f"{sign}DBL_MAX", 0), (f"{sign}1e30", 0)]
        elif spelled == "int":
            chosen = [("INT_MIN" if kind == "max" else "INT_MAX", 0), (f"{sign}1000", 1000)]
        elif spelled == "long long":
            chosen = [("LLONG_MIN" if kind == "max" else "LLONG_MAX", 0)]
        elif spelled == "unsigned":
            chosen = [
                ("0u" if kind == "max" else "UINT_MAX", 0),
                ("0" if kind == "max" else "~0u", 0),
            ]
        elif spelled == "short":
            chosen = [("SHRT_MIN" if kind == "max" else "SHRT_MAX", 0)]
        else:
            chosen = [("0" if kind == "max" else "255", 0)]
        text, bound = self.random.choice([*chosen, *chosen, *plain])
        wraps = spelled in NARROW or "unsigned" in spelled
        return text, bound, "" if bound or all_have or wraps else text

    def element(self, index: str) -> tuple[str, int]:
        """A number of an array, and how large it may be."""
        shift = self.number("", "", " + 7", " + blockIdx.x * 50", f" + blockIdx.x * {self.threads}")
        load = f"x[{index}{shift}]"
        known = [one for one in self.values if one.bound < 2000 and not one.extreme]
        if known and self.chance(0.3):
            other = self.random.choice(known)
            return f"{load} - {other.name}", 20 + other.bound
        if self.type in NARROW:
            return load, 255
        return self.random.choice(
            [(load, 41), (load, 41), (f"{load} * 2", 82), (f"{load} * {load}", 1681)]
        )

    def combined(self, kind: str, target: str, other: str) -> str:
        """A statement that joins the other value to the target; `other` is named once or twice."""
        if kind == "add":
            return self.random.choice(
                [
                    f"{target} += {other};",
                    f"{target} += {other};",
                    f"{target} = {target} + {other};",
                    f"{target} = {other} + {target};",
                ]
            )
        sign = ">" if kind == "max" else "<"
        forms = [
            f"{target} = {target} {sign} {other} ? {target} : {other};",
            f"{target} = {other} {sign} {target} ? {other} : {target};",
            f"if ({other} {sign} {target}) {target} = {other};",
        ]
        if self.type not in NARROW:
            function = {"float": f"f{kind}f", "double": f"f{kind}"}.get(self.type, kind)
            forms += [f"{target} = {function}({target}, {other});"] * 3
            forms += [f"{target} = {function}({other}, {target});"]
        return self.random.choice(forms)

    def kind(self) -> str:
        """Mostly what the last value was made by."""
        if self.chance(0.25):
            self.last = self.random.choice(["add", "add", "max", "min"])
        return self.last

    def value(self) -> Value:
        return self.values[-1] if self.chance(0.7) else self.random.choice(self.values)

    def grown(self, value: Value, kind: str, count: int, *, everywhere: bool = False) -> None:
        """The values of `count` threads are combined; `everywhere`: of the whole block, among which
        one has a number."""
        value.bound *= count if kind == "add" else 1
        if value.extreme and kind != value.of:
            value.of = "any"
        elif everywhere:
            value.extreme = ""

    def small(self, value: Value, most: int | None = None, kind: str = "add") -> str:
        """Text that makes a value small where it is not, for what is done with it next."""
        name, text = value.name, ""
        if value.extreme and kind == "add":
            text = self.random.choice(
                [
                    f"if ({name} == {value.extreme})\n    {name} = 0;\n",
                    f"{name} = {name} == {value.extreme} ? 1 : {name};\n",
                ]
            )
            value.extreme = ""
        return text + self._less(value, most)

    def _less(self, value: Value, most: int | None) -> str:
        if value.bound <= min(self.limit, self.limit // self.threads if most is None else most):
            return ""
        name = value.name
        value.bound, value.has = 64, "own"
        if self.smooth:
            value.bound = 2
            return f"{name} = 2 * sin({name} / 16);\n"
        match self.type:
            case "float":
                return f"{name} = {name} - 16 * floorf({name} / 16);\n"
            case "double":
                return f"{name} = {name} - 16 * floor({name} / 16);\n"
            case _:
                return f"{name} = {name} % 61;\n"

    @contextmanager
    def inside(self, *, whole: bool) -> Generator[None]:
        """A loop or condition; `whole`: all threads of the block come there."""
        held, kept, names = self.whole, list(self.values), list(self.names)
        extremes = [(one, one.extreme) for one in self.values if one.extreme]
        self.loops += 1
        self.whole = held and whole
        self.dirty |= self.shared.keys()
        for one in self.values:
            one.bound = max(one.bound, self.limit)  # what an iteration leaves is not known
        yield
        self.loops -= 1
        self.whole = held
        self.values, self.names = kept, names
        self.dirty |= self.shared.keys()
        for one, extreme in extremes:
            one.extreme, one.of = extreme, "any"  # of threads that did not come here
        for one in self.values:
            one.bound = max(one.bound, self.limit)
