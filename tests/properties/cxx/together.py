"""Random statements that all threads of a block run together: barriers and what needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, final

from tests.properties.cxx.control import absorb, loop, scope, switch
from tests.properties.cxx.declarations import scalar
from tests.properties.cxx.expressions import SharedArray
from tests.properties.cxx.scope import Variable
from tests.properties.cxx.tree import Arm, Block, Does, Expr, Kind, Simple, Statement
from tests.properties.cxx.writer import Writer

BARRIER: Final = Simple("__syncthreads();", (), Does.BARRIER)


@final
@dataclass(slots=True)
class Teams:
    """What kernels have that functions have not. `mask`: of all lanes of the only warp, or ""."""

    threads: int
    mask: str
    swap: str = ""
    unusual: bool = False
    modes: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def statements(self, w: Writer) -> list[Callable[[Writer], list[Statement]]]:
        kinds = [
            self.barrier,
            self.publish,
            self.publish,
            self.publish,
            self.votes,
            self.scalar_for_all,
        ]
        if w.context.depth < w.deepest:
            kinds += [
                self.branch,
                self.branch,
                self.repeat,
                self.repeat,
                self.repeat,
                self.switch,
                self.scope,
            ]
        if self.mask:
            kinds += [self.shuffle] * 2
        if self.swap:
            kinds += [self.exchange] * 2
        if w.context.all_leave:
            kinds.append(self.leave)
        kinds += [self.tree, self.append, self.count]
        if self.unusual:
            kinds += [exchanged, ordered]
            kinds += [self.tile] * 2 if self.threads % 8 == 0 else []
        return kinds

    def tile(self, w: Writer) -> list[Statement]:
        """Tiles of a few threads."""
        name = w.name()
        kind = w.random.choice(("unsigned", "int", "float", "unsigned"))
        widths = [one for one in (4, 8, 16, 32) if self.threads % one == 0]
        width, value, tile = w.random.choice(widths), w.e.scalar(kind, 2), f"tile{w.lambdas}"
        w.lambdas += 1
        made = f"auto {tile} = cg::tiled_partition<{width}>(cg::this_thread_block());\n"
        form = w.random.choice(
            [
                f"{tile}.shfl(@0, {w.random.randrange(width)})",
                f"{tile}.shfl_xor(@0, {width // 2})",
                f"{tile}.shfl_down(@0, 1)",
                f"{tile}.shfl_up(@0, {width // 4})",
                f"{kind}({tile}.ballot(@0 > {kind}(3)))",
                f"{kind}({tile}.any(@0 > {kind}(7)) + {tile}.thread_rank())",
            ]
        )
        w.scopes.add(Variable(name, kind, level=w.scopes.level))
        return [Simple(f"{made}{kind} {name} = {form};", (value,))]

    def barrier(self, w: Writer) -> list[Statement]:
        """A barrier, behind which threads do other things with the shared arrays."""
        for name, modes in self.modes.items():
            w.e.modes[name] = w.random.choice(modes)
        return [BARRIER]

    def _arrays(self, w: Writer) -> list[SharedArray]:
        return [one for one in w.e.shared if "own" in self.modes[one.name]]

    def publish(self, w: Writer) -> list[Statement]:
        """Own elements are written, and others read behind a barrier."""
        arrays = self._arrays(w)
        if not arrays:
            return self.barrier(w)
        array = w.random.choice(arrays)
        found: list[Statement] = []
        if w.e.modes.get(array.name) != "own":
            found += self.barrier(w)
            w.e.modes[array.name] = "own"
        value = w.e.scalar(array.type, 2)
        ops = ["=", "+=", "^="] if array.type == "unsigned" else ["="]
        found.append(
            Simple(
                f"@0 {w.random.choice(ops)} @1;",
                (w.e.own(array), value),
            )
        )
        if w.chance(0.3):
            found += w.statement()
        found += self.barrier(w)
        w.e.modes[array.name] = "all"
        name = w.name()
        other = w.e.other(array)
        w.scopes.add(Variable(name, array.type, level=w.scopes.level))
        return [*found, Simple(f"{array.type} {name} = @0;", (other,))]

    def votes(self, w: Writer) -> list[Statement]:
        name = w.name()
        test = w.e.condition(2)
        form = w.random.choice(
            ["__syncthreads_count(@0)", "__syncthreads_or(@0)", "__syncthreads_and(@0)"]
        )
        bound = self.threads
        w.scopes.add(
            Variable(name, "int", uniform=True, constant=True, bound=bound, level=w.scopes.level)
        )
        for array, modes in self.modes.items():
            w.e.modes[array] = w.random.choice(modes)
        return [Simple(f"const int {name} = {form};", (test,), Does.BARRIER)]

    def scalar_for_all(self, w: Writer) -> list[Statement]:
        """One thread writes what all read behind a barrier."""
        name = w.random.choice(["lead", "lead", "chosen"])
        touched = Expr(name, (), "unsigned", ((name, "own"),))
        value = w.e.scalar("unsigned", 2)
        who = (
            w.random.choice(["t == 0u", f"t == {self.threads - 1}u"])
            if w.chance(0.8)
            else "t == 0u"
        )
        write = Simple("@0 = @1;", (touched, value))
        found: list[Statement] = [BARRIER] if w.chance(0.6) else []
        w.e.modes.update({one: w.e.modes.get(one, "own") for one in self.modes})
        found.append(Block(Kind.BRANCH, (Arm(f"if ({who}) {{", (), (write,)),)))
        found += self.barrier(w)
        new = w.name()
        read = Expr(name, (), "unsigned", ((name, "all"),), uniform=True)
        w.scopes.add(Variable(new, "unsigned", uniform=True, constant=True, level=w.scopes.level))
        return [*found, Simple(f"const unsigned {new} = @0;", (read,)), BARRIER]

    def branch(self, w: Writer) -> list[Statement]:
        test = w.e.condition(2, uniform=True)
        with w.inside(together=True):
            arms = [Arm("if (@0) {", (test,), w.body(2))]
        if w.chance(0.4):
            with w.inside(together=True):
                arms.append(Arm("} else {", (), w.body(2)))
        return [Block(Kind.BRANCH, tuple(arms), together=True)]

    def repeat(self, w: Writer) -> list[Statement]:
        return _together(loop(w, together=True))

    def switch(self, w: Writer) -> list[Statement]:
        return _together(switch(w, together=True))

    def scope(self, w: Writer) -> list[Statement]:
        return _together(scope(w, together=True))

    def leave(self, w: Writer) -> list[Statement]:
        """All threads leave the loop."""
        test = w.e.condition(2, uniform=True)
        inner: tuple[Statement, ...] = (Simple("break;", (), Does.BREAK),)
        if w.chance(0.5):
            inner = (absorb(w)[0], *inner)
        return [Block(Kind.BRANCH, (Arm("if (@0) {", (test,), inner),), together=True)]

    def shuffle(self, w: Writer) -> list[Statement]:
        name = w.name()
        kind = w.random.choice(("unsigned", "int", "float", "unsigned"))
        value = w.e.scalar(kind, 2)
        lane = w.random.choice(
            ["t ^ 1u", f"(t + 1u) % {self.threads}u", "0", f"{self.threads - 1} - int(t)"]
        )
        if "^" in lane and self.threads % 2:
            lane = "0"
        forms = [f"__shfl_sync({self.mask}, @0, {lane})"] * 2
        if self.threads % 32 == 0:
            forms += [
                f"__shfl_xor_sync({self.mask}, @0, {w.random.choice([1, 2, 8, 16])})",
                f"__shfl_down_sync({self.mask}, @0, {w.random.choice([1, 3, 16])})",
                f"__shfl_up_sync({self.mask}, @0, {w.random.choice([1, 2, 5])})",
            ]
        if w.chance(0.3):
            test = w.e.condition(2)
            vote = w.random.choice(
                [
                    f"__ballot_sync({self.mask}, @0)",
                    f"unsigned(__any_sync({self.mask}, @0))",
                    f"unsigned(__all_sync({self.mask}, @0))",
                ]
            )
            same, level = self.threads <= 32, w.scopes.level
            w.scopes.add(Variable(name, "unsigned", uniform=same, constant=True, level=level))
            return [Simple(f"const unsigned {name} = {vote};", (test,))]
        w.scopes.add(Variable(name, kind, level=w.scopes.level))
        return [Simple(f"{kind} {name} = {w.random.choice(forms)};", (value,))]

    def exchange(self, w: Writer) -> list[Statement]:
        """A device function with barriers is called."""
        arrays = [
            one
            for one in self._arrays(w)
            if one.type == "unsigned" and one.own[0] == f"{one.name}[t]"
        ]
        if not arrays:
            return scalar(w)
        array = w.random.choice(arrays)
        name = w.name()
        value = w.e.scalar("unsigned", 2)
        for one, modes in self.modes.items():
            w.e.modes[one] = w.random.choice(modes)
        w.e.modes[array.name] = "all"
        w.scopes.add(Variable(name, "unsigned", level=w.scopes.level))
        form = f"unsigned {name} = {self.swap}({array.name}, t, {self.threads}u, @0);"
        return [Simple(form, (value,), calls=self.swap, given=(("buffer", array.name),))]

    def tree(self, w: Writer) -> list[Statement]:
        """A sum, a maximum or a minimum of all threads by halving."""
        arrays = [
            one
            for one in self._arrays(w)
            if one.own[0] == f"{one.name}[t]" and one.type in ("unsigned", "int", "float")
        ]
        if not arrays:
            return self.barrier(w)
        array = w.random.choice(arrays)
        name, kind = array.name, array.type
        w.e.modes[name] = "own"
        value = w.e.scalar("unsigned", 2)
        first = 1
        while first * 2 < self.threads:
            first *= 2
        own = Expr(f"{name}[t]", (), kind, ((name, "own"),))
        there = Expr(f"{name}[t + step]", (), kind, ((name, "own"),))
        op = "max(@0, @1)" if kind != "unsigned" or w.chance(0.4) else "@0 + @1"
        if kind == "float":
            op = "fmaxf(@0, @1)"
        step = Simple(f"@0 = {op.replace('@1', '@2').replace('@0', '@1')};", (own, own, there))
        guard = (
            f"t < step && t + step < {self.threads}u" if self.threads != 2 * first else "t < step"
        )
        inner: tuple[Statement, ...] = (
            Block(Kind.BRANCH, (Arm(f"if ({guard}) {{", (), (step,)),)),
            BARRIER,
        )
        halved = w.random.choice([">>= 1", "/= 2u"])
        new = w.name()
        all_read = Expr(f"{name}[0]", (), kind, ((name, "all"),), uniform=True)
        w.scopes.add(Variable(new, kind, uniform=True, constant=True, level=w.scopes.level))
        w.e.modes[name] = "all"
        return [
            BARRIER,
            Simple("@0 = @1;", (own, w.e.cast(kind, w.e.op("(@0 & 1023u)", "unsigned", value)))),
            BARRIER,
            Block(
                Kind.LOOP,
                (
                    Arm(
                        f"for (unsigned step = {first}u; step > 0u; step {halved}) {{",
                        (),
                        inner,
                    ),
                ),
                together=True,
                kept=True,
            ),
            Simple(f"const {kind} {new} = @0;", (all_read,)),
            BARRIER,
        ]

    def append(self, w: Writer) -> list[Statement]:
        """Threads append to a list in any order; its sum does not depend on it."""
        value, test = w.e.scalar("unsigned", 2), w.e.condition(2)
        slot = Expr("atomicAdd(&filled, 1u)", (), "unsigned", (("filled", "add"),))
        place = Expr("list[place]", (), "unsigned", (("list", "slot"),))
        inner: tuple[Statement, ...] = (
            Simple("const unsigned place = @0;", (slot,)),
            Simple("@0 = @1;", (place, value)),
        )
        new = w.name()
        each = Expr("list[r]", (), "unsigned", (("list", "all"),))
        count = Expr("filled", (), "unsigned", (("filled", "all"),), uniform=True)
        w.scopes.add(Variable(new, "unsigned", level=w.scopes.level))
        fresh = Expr("filled", (), "unsigned", (("filled", "own"),))
        return [
            BARRIER,
            Block(Kind.BRANCH, (Arm("if (t == 0u) {", (), (Simple("@0 = 0u;", (fresh,)),)),)),
            BARRIER,
            Block(Kind.BRANCH, (Arm("if (@0) {", (test,), inner),)),
            BARRIER,
            Simple(f"unsigned {new} = 0u;"),
            Block(
                Kind.LOOP,
                (
                    Arm(
                        "for (unsigned r = 0u; r < @0; ++r) {",
                        (count,),
                        (Simple(f"{new} += @0;", (each,)),),
                    ),
                ),
            ),
            BARRIER,
        ]

    def count(self, w: Writer) -> list[Statement]:
        """Atomics on shared memory, whose results nobody takes."""
        op, function = w.random.choice(
            [
                ("add", "atomicAdd"),
                ("max", "atomicMax"),
                ("xor", "atomicXor"),
                ("min", "atomicMin"),
                ("or", "atomicOr"),
            ]
        )
        value, slot, test = w.e.scalar("unsigned", 2), w.e.scalar("unsigned", 1), w.e.condition(2)
        into = Expr("bins[@0 % 5u]", (slot,), "unsigned", (("bins", op),))
        new = w.name()
        read = Expr("bins[@0 % 5u]", (w.e.scalar("unsigned", 1),), "unsigned", (("bins", "all"),))
        fresh = Expr("bins[r]", (), "unsigned", (("bins", "own"),))
        w.scopes.add(Variable(new, "unsigned", level=w.scopes.level))
        atomic: Statement = Simple(f"{function}(&@0, @1);", (into, value))
        if w.chance(0.5):
            atomic = Block(Kind.BRANCH, (Arm("if (@0) {", (test,), (atomic,)),))
        return [
            BARRIER,
            Block(
                Kind.LOOP,
                (
                    Arm(
                        f"for (unsigned r = t; r < 5u; r += {self.threads}u) {{",
                        (),
                        (Simple("@0 = r;", (fresh,)),),
                    ),
                ),
            ),
            BARRIER,
            atomic,
            BARRIER,
            Simple(f"unsigned {new} = @0;", (read,)),
            BARRIER,
        ]


def exchanged(w: Writer) -> list[Statement]:
    """A number is added by compare-and-swap."""
    number = w.lambdas
    w.lambdas += 1
    value, slot = w.e.scalar("unsigned", 2), w.random.choice(["8u", "8u + t % 3u"])
    seen, old = f"seen{number}", f"old{number}"
    join = w.random.choice([f"{seen} + @0", f"{seen} ^ @0"])
    if join.endswith("^ @0"):
        slot = slot.replace("8u", "11u")
    elif w.chance(0.3):
        join = f"{seen} + 3u * @0"
    form = (
        f"unsigned *cell{number} = &sums[{slot}];\n"
        f"unsigned {old} = *cell{number}, {seen};\ndo {{\n    {seen} = {old};\n"
        f"    {old} = atomicCAS(cell{number}, {seen}, {join});\n}} while ({old} != {seen});"
    )
    return [Simple(form, (value,))]


def ordered(w: Writer) -> list[Statement]:
    """The least or largest number of a list that each thread has of its own."""
    name, k = w.name(), f"k{w.lambdas}"
    w.lambdas += 1
    first, step = w.e.scalar("unsigned", 2), w.random.choice(["7u", "t", "13u"])
    count = w.random.choice(["4", "unsigned(n)", "t % 5u + 1u"])
    w.scopes.add(Variable(name, "unsigned", level=w.scopes.level))
    form = (
        f"unsigned {name} = @0;\nfor (unsigned {k} = 0; {k} < {count}; ++{k}) {{\n"
        f"    const unsigned next = ({name} * 5u + {k} * {step}) % 1024u;\n"
        f"    if (next < {name} % 1024u)\n        {name} = next;\n    else\n"
        f"        {name} += next;\n}}"
    )
    return [Simple(form, (first,))]


def late(w: Writer) -> list[Statement]:
    """Behind the last barrier, some threads leave before others are done."""
    if w.chance(0.5):
        return []
    test = w.e.condition(2)
    inner: tuple[Statement, ...] = (Simple("return;", (), Does.RETURN),)
    return [
        Block(Kind.BRANCH, (Arm("if (@0) {", (test,), inner),)),
        Simple("wide[g] ^= h;"),
    ]


def _together(statements: list[Statement]) -> list[Statement]:
    """The blocks among them are run by all threads together."""
    return [replace(one, together=True) if isinstance(one, Block) else one for one in statements]
