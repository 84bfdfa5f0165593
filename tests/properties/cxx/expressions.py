"""Random expressions without undefined behaviour.

Sums and products are formed of unsigned numbers, or of signed ones whose bounds are known; divisors
are odd or positive constants, shifts are masked, indices are taken modulo extents, and real numbers
become integers only within a range. Nothing here has side effects.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

from tests.properties.cxx.scope import (
    BITS,
    NARROW,
    REALS,
    SIGNED,
    UNSIGNED,
    VECTORS,
    Class,
    Scopes,
    Variable,
    named,
)
from tests.properties.cxx.tree import Expr, Touch

_LIMIT: Final = {"int": 2**31 - 1, "long long": 2**62}
_SUFFIX: Final = {"unsigned": "u", "unsigned long long": "ull", "long long": "ll", "float": "f"}


@final
@dataclass(frozen=True, slots=True)
class SharedArray:
    """`own` are elements that no other thread has; `other` has holes for any unsigned numbers."""

    name: str
    type: str
    own: tuple[str, ...]
    other: str
    size: int


@final
@dataclass(frozen=True, slots=True)
class Function:
    """Something to call without side effects: a function, a lambda, a macro."""

    form: str
    result: str
    arguments: tuple[str, ...]
    touches: tuple[Touch, ...] = ()
    level: int = 0


@final
@dataclass(slots=True)
class Expressions:
    """`modes`: what all threads do with each shared array at the moment."""

    random: Random
    scopes: Scopes
    classes: dict[str, Class] = field(default_factory=dict[str, Class])
    shared: list[SharedArray] = field(default_factory=list[SharedArray])
    modes: dict[str, str] = field(default_factory=dict[str, str])
    functions: list[Function] = field(default_factory=list[Function])
    deepest: int = 4
    nested: int = 0
    unusual: bool = False
    """Is what few programs have written, too?"""
    total: int = 1
    """Threads of all blocks: elements of the arrays that a kernel is given."""

    # -- choices --------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def may(self, touches: tuple[Touch, ...]) -> bool:
        """Whether accesses with `touches` go with what other threads do."""
        return all(self.modes.get(array, mode) == mode for array, mode in touches)

    # -- scalars --------------------------------------------------------------------------------

    def scalar(self, kind: str, depth: int = 2, *, uniform: bool = False) -> Expr:
        """A value of the type `kind`; the same in all threads where `uniform` asks for it."""
        if self.nested > self.deepest:
            return self.literal(kind)
        self.nested += 1
        value = self._scalar(kind, depth, uniform=uniform)
        self.nested -= 1
        return value

    def _scalar(self, kind: str, depth: int, *, uniform: bool) -> Expr:
        if depth <= 0 or self.chance(0.15):
            return self.leaf(kind, uniform=uniform)
        if self.functions and not uniform and self.chance(0.2):
            called = self.call(kind, depth)
            if called is not None:
                return called
        if self.chance(0.08):
            return self._choice(kind, depth, uniform=uniform)
        if kind in UNSIGNED:
            return self._unsigned(kind, depth, uniform=uniform)
        if kind in SIGNED:
            return self._signed(kind, depth, uniform=uniform)
        if kind in NARROW:
            return self.cast(kind, self.scalar("int", depth - 1, uniform=uniform))
        if kind in REALS:
            return self._real(kind, depth, uniform=uniform)
        return self.condition(depth, uniform=uniform)

    def leaf(self, kind: str, *, uniform: bool = False) -> Expr:
        """A variable, an element or a number."""
        if self.chance(0.85):
            found = self.readable(kind, uniform=uniform)
            if found:
                return self.random.choice(found)()
        other = [one for one in BITS if one not in (kind, "bool")]
        if self.chance(0.7) and kind != "bool" and kind not in REALS:
            for source in (self.random.choice(other), "unsigned", "int"):
                found = self.readable(source, uniform=uniform)
                if found:
                    return self.cast(kind, self.random.choice(found)())
        return self.literal(kind)

    def literal(self, kind: str) -> Expr:
        if kind == "bool":
            return Expr(self.pick("true", "false"), type=kind, uniform=True)
        if kind in REALS:
            text = self.pick("0.5", "1.0", "2.0", "0.25", "3.0", "1.5", "0.125")
            return Expr(text + _SUFFIX.get(kind, ""), type=kind, uniform=True)
        value = self.random.choice([0, 1, 2, 3, 5, 7, 8, 13, 31, 100, 255, 1000])
        if kind in NARROW:
            value %= 128
            return Expr(f"{kind_cast(kind)}({value})", type=kind, bound=value, uniform=True)
        if kind == "unsigned" and self.chance(0.1):
            text = self.pick("0x9e3779b9u", "0xffffffffu", "0x80000000u")
            return Expr(text, type=kind, uniform=True)
        text = f"{value}{_SUFFIX.get(kind, '')}"
        return Expr(text, type=kind, bound=value, uniform=True)

    def cast(self, kind: str, value: Expr) -> Expr:
        if value.type == kind:
            return value
        bound = value.bound
        if bound is not None and kind in BITS and bound >= 2 ** (BITS[kind] - 1):
            bound = None
        if bound is None and value.type in ("unsigned char", "unsigned short"):
            bound = 2 ** BITS[value.type] - 1 if BITS[kind] > BITS[value.type] else None
        if bound is None and value.type in NARROW and BITS[kind] >= 32:
            bound = 2 ** BITS[value.type]
        if value.type in REALS and kind not in REALS:
            lowest, highest = ("0", "1000") if kind in UNSIGNED else ("-1000", "1000")
            suffix = ".0f" if value.type == "float" else ".0"
            near = "fminf(fmaxf(@0, @l), @h)" if suffix == ".0f" else "fmin(fmax(@0, @l), @h)"
            near = near.replace("@l", lowest + suffix).replace("@h", highest + suffix)
            inner = Expr(near, (value,), value.type, uniform=value.uniform)
            target = kind if kind not in NARROW else "int"
            value = Expr(f"{kind_cast(target)}(@0)", (inner,), target, uniform=value.uniform)
            if target == kind:
                return Expr(value.form, value.parts, kind, bound=1000, uniform=value.uniform)
            return self.cast(kind, value)
        cast = kind_cast(kind)
        if value.form.endswith("(@0)"):  # `(unsigned(short(x)))` could be a type
            cast = f"static_cast<{kind}>"
        return Expr(f"{cast}(@0)", (value,), kind, bound=bound, uniform=value.uniform)

    def op(self, form: str, kind: str, *parts: Expr, bound: int | None = None) -> Expr:
        return Expr(form, parts, kind, bound=bound, uniform=all(part.uniform for part in parts))

    def _choice(self, kind: str, depth: int, *, uniform: bool) -> Expr:
        first, second = (self.scalar(kind, depth - 1, uniform=uniform) for _ in range(2))
        bound = None
        if first.bound is not None and second.bound is not None:
            bound = max(first.bound, second.bound)
        test = self.condition(depth - 1, uniform=uniform)
        return self.op("(@0 ? @1 : @2)", kind, test, first, second, bound=bound)

    def _unsigned(self, kind: str, depth: int, *, uniform: bool) -> Expr:
        if self.unusual and self.chance(0.12):
            return self._bits(kind, depth, uniform=uniform)
        choice = self.random.random()
        first = self.scalar(kind, depth - 1, uniform=uniform)
        if choice < 0.08:
            return self.op("(~@0)", kind, first)
        if choice < 0.16:
            source = self.pick("int", "short", "unsigned char", "long long", "float")
            return self.cast(kind, self.scalar(source, depth - 1, uniform=uniform))
        if choice < 0.24:
            mask = self.random.choice([1, 3, 7, 15, 255, 1023])
            form = f"(@0 & {mask}{_SUFFIX[kind]})"
            return self.op(form, kind, first, bound=mask)
        second = self.scalar(kind, depth - 1, uniform=uniform)
        if choice < 0.32:
            shift = self.pick("<<", ">>")
            return self.op(f"(@0 {shift} (@1 & {BITS[kind] - 1}u))", kind, first, second)
        if choice < 0.4:
            return self.op(f"(@0 {self.pick('/', '%')} (@1 | 1u))", kind, first, second)
        if choice < 0.48:
            return self.op(f"{self.pick('min', 'max')}(@0, @1)", kind, first, second)
        if choice < 0.52 and kind == "unsigned":
            form = self.pick("__brev(@0)", "unsigned(__popc(@0))", "unsigned(__clz(int(@0)))")
            return self.op(form, kind, first)
        op = self.pick("+", "-", "*", "^", "|", "+", "+", "*", "&")
        return self.op(f"(@0 {op} @1)", kind, first, second)

    def _bits(self, kind: str, depth: int, *, uniform: bool) -> Expr:
        """What devices have functions for."""
        first, second = (self.scalar(kind, depth - 1, uniform=uniform) for _ in range(2))
        if kind != "unsigned":
            form = self.pick("__brevll(@0)", f"({kind})(__popcll(@0))", f"({kind})(__clzll(@0))")
            return self.op(form, kind, first)
        shift = self.random.choice([0, 1, 7, 13, 31])
        form = self.pick(
            f"__funnelshift_l(@0, @1, {shift}u)",
            "__funnelshift_r(@0, @1, @0 & 31u)",
            "__byte_perm(@0, @1, 0x5140u)",
            "__umulhi(@0, @1)",
            "unsigned(__ffs(int(@0)))",
            "unsigned(__clz(int(@0 | @1)))",
            "unsigned(__popc(@0 ^ @1))",
            "(@0 & (0u - @0))",
            "((@0 << 5u | @0 >> 27u) ^ @1)",
            "__float_as_uint(__uint_as_float(@0 & 0x3fffffffu))",
        )
        return self.op(form, kind, first, second)

    def bounded(self, kind: str, depth: int, most: int, *, uniform: bool = False) -> Expr:
        """A signed value of at most `most` in magnitude."""
        value = self.scalar(kind, depth, uniform=uniform)
        if value.bound is not None and value.bound <= most:
            return value
        width = 2 ** (most.bit_length() - 1) - 1
        form = self.pick(f"(@0 & {width})", f"(@0 % {width})")
        return self.op(form, kind, value, bound=width)

    def _signed(self, kind: str, depth: int, *, uniform: bool) -> Expr:
        choice = self.random.random()
        if choice < 0.25:
            source = self.pick("unsigned", "short", "unsigned char", "bool", "unsigned long long")
            return self.cast(kind, self.scalar(source, depth - 1, uniform=uniform))
        if choice < 0.4:
            first = self.bounded(kind, depth - 1, 4095, uniform=uniform)
            second = self.bounded(kind, depth - 1, 4095, uniform=uniform)
            assert first.bound is not None
            assert second.bound is not None
            return self.op("(@0 * @1)", kind, first, second, bound=first.bound * second.bound)
        if choice < 0.5:
            value = self.scalar(kind, depth - 1, uniform=uniform)
            number = self.random.choice([2, 3, 5, 7, 16, 17])
            bound = number if self.chance(0.5) else None
            op = "/" if bound is None else "%"
            return self.op(f"(@0 {op} {number})", kind, value, bound=bound or value.bound)
        if choice < 0.56:
            value = self.scalar(kind, depth - 1, uniform=uniform)
            return self.op(f"(@0 >> {self.pick('1', '3', '7')})", kind, value, bound=value.bound)
        if choice < 0.62:
            first, second = (self.scalar(kind, depth - 1, uniform=uniform) for _ in range(2))
            return self.op(f"{self.pick('min', 'max')}(@0, @1)", kind, first, second)
        first = self.bounded(kind, depth - 1, _LIMIT[kind] // 4, uniform=uniform)
        second = self.bounded(kind, depth - 1, _LIMIT[kind] // 4, uniform=uniform)
        assert first.bound is not None
        assert second.bound is not None
        bound = first.bound + second.bound
        op = self.pick("+", "-", "+", "-", "^", "|")
        if op in "^|":
            bound = 2 ** bound.bit_length()
        return self.op(f"(@0 {op} @1)", kind, first, second, bound=bound)

    def _real(self, kind: str, depth: int, *, uniform: bool) -> Expr:
        choice = self.random.random()
        suffix = "f" if kind == "float" else ""
        if choice < 0.25:
            source = self.pick("int", "unsigned", "short", "unsigned char")
            value = self.scalar(source, depth - 1, uniform=uniform)
            if source in ("int", "unsigned"):
                value = self.op("(@0 & 1023)" if source == "int" else "(@0 & 1023u)", source, value)
            return self.op(f"{kind}(@0)", kind, value)
        if choice < 0.3:
            other = "double" if kind == "float" else "float"
            return self.op(f"{kind}(@0)", kind, self.scalar(other, depth - 1, uniform=uniform))
        first = self.scalar(kind, depth - 1, uniform=uniform)
        if choice < 0.4:
            form = self.pick(
                f"fabs{suffix}(@0)",
                f"floor{suffix}(@0)",
                f"sqrt{suffix}(fabs{suffix}(@0))",
                "(-@0)",
            )
            return self.op(form, kind, first)
        second = self.scalar(kind, depth - 1, uniform=uniform)
        if choice < 0.5:
            form = self.pick(f"fmin{suffix}(@0, @1)", f"fmax{suffix}(@0, @1)")
            return self.op(form, kind, first, second)
        if choice < 0.56:
            return self.op(f"(@0 / (fabs{suffix}(@1) + 1.0{suffix}))", kind, first, second)
        if choice < 0.7:
            return self.op(f"(@0 * 0.5{suffix} + @1 * 0.25{suffix})", kind, first, second)
        return self.op(f"(@0 {self.pick('+', '-')} @1)", kind, first, second)

    def condition(self, depth: int = 2, *, uniform: bool = False) -> Expr:
        """True or false."""
        choice = self.random.random()
        if depth > 1 and choice < 0.2:
            first, second = (self.condition(depth - 1, uniform=uniform) for _ in range(2))
            return self.op(f"(@0 {self.pick('&&', '||')} @1)", "bool", first, second)
        if depth > 1 and choice < 0.26:
            return self.op("(!@0)", "bool", self.condition(depth - 1, uniform=uniform))
        kind = self.pick(
            "unsigned",
            "int",
            "unsigned",
            "int",
            "float",
            "long long",
            "double",
            "unsigned long long",
        )
        if choice < 0.45 and kind not in REALS:
            first = self.scalar(kind, depth - 1, uniform=uniform)
            number = self.random.choice([2, 3, 4])
            suffix = _SUFFIX.get(kind, "")
            if first.form.rstrip("ulf").isdigit():
                first = (
                    self.op("int(t + @0)" if kind == "int" else "(t + @0)", kind, first)
                    if self.modes and not uniform
                    else first
                )
            return self.op(
                f"(@0 % {number}{suffix} == {self.pick('0', '1')}{suffix})", "bool", first
            )
        for other in (self.pick("unsigned", "int", "float"), "unsigned"):
            if self.readable(kind, uniform=uniform):
                break
            kind = other
        found = self.readable(kind, uniform=uniform)
        first = self.random.choice(found)() if found else self.scalar(kind, depth, uniform=uniform)
        second = self.scalar(kind, depth - 1, uniform=uniform)
        if kind in ("unsigned", "unsigned long long") and self.chance(0.12):
            return self.op("(@0 + @1 < @0)", "bool", first, second)  # has the sum wrapped round?
        ops = ["<", ">", "<=", ">="] + ([] if kind in REALS else ["==", "!="])
        return self.op(f"(@0 {self.random.choice(ops)} @1)", "bool", first, second)

    def call(self, kind: str, depth: int) -> Expr | None:
        """A call without side effects, where one has this type."""
        fitting = [one for one in self.functions if one.result == kind and self.may(one.touches)]
        if not fitting:
            return None
        function = self.random.choice(fitting)
        arguments = tuple(self.scalar(one, depth - 1) for one in function.arguments)
        return Expr(function.form, arguments, kind, function.touches)

    # -- places ---------------------------------------------------------------------------------

    def index(self, extent: int, *, uniform: bool = False) -> Expr:
        """An unsigned or counted index below `extent`."""
        counters = [
            one
            for one in self.scopes.visible()
            if one.constant and one.bound is not None and one.bound < extent
            if one.type in ("int", "unsigned") and not one.extent
            if one.uniform or not uniform
        ]
        if counters and self.chance(0.5):
            return named(self.random.choice(counters))
        if self.chance(0.4):
            number = self.random.randrange(extent)
            return Expr(self.pick(f"{number}", f"{number}u"), type="index", uniform=True)
        inner = self.near(uniform=uniform)
        if extent & (extent - 1) == 0 and self.chance(0.5):
            return self.op(f"(@0 & {extent - 1}u)", "index", inner)
        return self.op(f"(@0 % {extent}u)", "index", inner)

    def near(self, *, uniform: bool = False) -> Expr:
        """What an index is taken from: mostly the thread, a counter, a variable, near by."""
        here = [
            one
            for one in self.scopes.visible()
            if one.type == "unsigned" and not one.extent and not one.touches and not one.pointer
            if one.uniform or not uniform
        ]
        if not here or self.chance(0.15):
            return self.scalar("unsigned", 1, uniform=uniform)
        first = (
            Expr("t", type="unsigned")
            if self.modes and self.chance(0.5) and not uniform
            else named(self.random.choice(here))
        )
        if self.chance(0.4):
            return first
        return self.op(f"(@0 + {self.random.randint(1, 9)}u)", "unsigned", first)

    def elements(self, variable: Variable) -> list[tuple[str, Callable[[bool], Expr]]]:
        """Scalars inside what `variable` names: their types and what writes them."""
        kind, touches, uniform = variable.type, variable.touches, variable.uniform
        name = variable.name

        def inner(form: str, extents: tuple[int, ...], result: str) -> Callable[[bool], Expr]:
            def write(same: bool) -> Expr:
                parts = tuple(self.index(extent, uniform=same) for extent in extents)
                flat = uniform and all(part.uniform for part in parts)
                return Expr(form, parts, result, touches, uniform=flat)

            return write

        base, extents = base_of(variable)
        if kind in BITS or kind in REALS:
            if base == name:
                return [(kind, lambda _: named(variable))]
            return [(kind, inner(base, extents, kind))]
        if kind in VECTORS:
            scalar, members = VECTORS[kind]
            return [(scalar, inner(f"{base}.{one}", extents, scalar)) for one in members]
        found: list[tuple[str, Callable[[bool], Expr]]] = []
        for member, type_ in self.classes[kind].members if kind in self.classes else ():
            if type_.endswith("]"):
                scalar, _, extent = type_[:-1].partition("[")
                hole = f"@{len(extents)}"
                form = f"{base}.{member}[{hole}]"
                found.append((scalar, inner(form, (*extents, int(extent)), scalar)))
            elif type_ in VECTORS:
                scalar, members = VECTORS[type_]
                found += [
                    (scalar, inner(f"{base}.{member}.{one}", extents, scalar)) for one in members
                ]
            else:
                found.append((type_, inner(f"{base}.{member}", extents, type_)))
        return found

    def readable(self, kind: str, *, uniform: bool = False) -> list[Callable[[], Expr]]:
        """What writes the expressions for variables and elements of the type `kind`."""
        found: list[Callable[[], Expr]] = []
        for variable in self.scopes.visible():
            if (uniform and not variable.uniform) or not self.may(variable.touches):
                continue
            for type_, write in self.elements(variable):
                if type_ == kind:
                    found.append(lambda write=write: write(uniform))
            if variable.type in self.classes and not uniform:
                for form, result, arguments in self.classes[variable.type].values:
                    if result == kind:
                        found.append(
                            lambda v=variable, f=form, a=arguments: self.method(v, f, kind, a)
                        )
        for array in self.shared:
            mode = self.modes.get(array.name)
            if array.type == kind and mode == "all":
                found += [lambda array=array: self.other(array, uniform=uniform)] * 2
            if array.type == kind and mode == "own" and not uniform:
                found += [lambda array=array: self.own(array)] * 2
        return found

    def method(self, variable: Variable, form: str, kind: str, arguments: tuple[str, ...]) -> Expr:
        """A call of the method of the object, or of an element, that `variable` names."""
        base, extents = base_of(variable)
        parts = [self.index(extent) for extent in extents]
        holes = {f"@{number}": f"@{number + len(parts)}" for number in range(len(arguments))}
        for old in sorted(holes, reverse=True):
            form = form.replace(old, holes[old])
        parts += [self.scalar(one, 1) for one in arguments]
        return Expr(f"{base}.{form}", tuple(parts), kind, variable.touches)

    def own(self, array: SharedArray) -> Expr:
        form = self.random.choice(array.own)
        return Expr(form, (), array.type, ((array.name, "own"),))

    def other(self, array: SharedArray, *, uniform: bool = False) -> Expr:
        holes = array.other.count("@")
        parts = tuple(self.near(uniform=uniform) for _ in range(holes))
        same = all(part.uniform for part in parts)
        return Expr(array.other, parts, array.type, ((array.name, "all"),), uniform=same)

    def writable(self, kind: str, *, uniform: bool = False) -> list[Callable[[], Expr]]:
        """Places of the type `kind` that may be assigned to; uniform ones only if `uniform`."""
        found: list[Callable[[], Expr]] = []
        for variable in self.scopes.visible():
            if variable.constant or variable.uniform != uniform or not self.may(variable.touches):
                continue
            for type_, write in self.elements(variable):
                if type_ == kind:
                    found.append(lambda write=write: write(uniform))
        if not uniform:
            for array in self.shared:
                if array.type == kind and self.modes.get(array.name) == "own":
                    found.append(lambda array=array: self.own(array))
        return found


def base_of(variable: Variable) -> tuple[str, tuple[int, ...]]:
    """The form that names one object of `variable`, and the extents of its holes."""
    name = variable.name
    if variable.pointer and variable.extent <= 1:
        return f"(*{name})", ()
    if variable.rows:
        return f"{name}[@0][@1]", (variable.rows, variable.extent)
    if variable.extent:
        return f"{name}[@0]", (variable.extent,)
    return name, ()


def kind_cast(kind: str) -> str:
    """How a value is cast to `kind`, in front of parentheses."""
    return f"({kind})" if " " in kind else kind
