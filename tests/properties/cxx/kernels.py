"""Random kernels with all that belongs to them, and programs of them.

program(seed, kernels)  ->  a tree whose text is a CUDA program without races and undefined
                            behaviour, which prints what every kernel leaves in memory
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final, final

from tests.properties.cxx import items
from tests.properties.cxx.expressions import Expressions, Function, SharedArray
from tests.properties.cxx.kinds import kinds
from tests.properties.cxx.repair import repaired
from tests.properties.cxx.scope import Scopes, Variable
from tests.properties.cxx.together import BARRIER, Teams, late
from tests.properties.cxx.tree import (
    Arm,
    Block,
    Expr,
    Kind,
    Program,
    Simple,
    Statement,
    Unit,
    lines_of,
)
from tests.properties.cxx.writer import Context, Routine, Writer

HEAD: Final = """\
#include <cstdio>
#include <cuda_runtime.h>

static int zero;

template <typename T> static void show(const char *kernel, const char *what, const T *values, int n)
{
    printf("%s %s:", kernel, what);
    for (int i = 0; i < n; ++i) {
        if (values[i] != values[i])
            printf(" nan");
        else
            printf(" %.17g", double(values[i]));
    }
    printf("\\n");
}

struct Memory {
    unsigned *out, *wide, *in, *sums;
    float *real, *given;
    int n;
    explicit Memory(int threads) : n(threads)
    {
        cudaMallocManaged(&out, n * sizeof(unsigned));
        cudaMallocManaged(&wide, 3 * n * sizeof(unsigned));
        cudaMallocManaged(&in, n * sizeof(unsigned));
        cudaMallocManaged(&sums, 16 * sizeof(unsigned));
        cudaMallocManaged(&real, n * sizeof(float));
        cudaMallocManaged(&given, n * sizeof(float));
        for (int i = 0; i < n; ++i) {
            out[i] = 0;
            in[i] = i * 2654435761u ^ i << 3;
            real[i] = 0;
            given[i] = float(i % 7) * 0.5f - 1.0f;
        }
        for (int i = 0; i < 3 * n; ++i)
            wide[i] = i;
        for (int i = 0; i < 16; ++i)
            sums[i] = i;
    }
    void report(const char *kernel)
    {
        cudaDeviceSynchronize();
        show(kernel, "out", out, n);
        show(kernel, "wide", wide, 3 * n);
        show(kernel, "sums", sums, 16);
        show(kernel, "real", real, n);
        fflush(stdout);
        cudaFree(out);
        cudaFree(wide);
        cudaFree(in);
        cudaFree(sums);
        cudaFree(real);
        cudaFree(given);
    }
};
"""
UNUSUAL_HEAD: Final = """\
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct Links {
    unsigned &r, *p;
};
struct Mixed {
    unsigned &r;
    float *p;
};
"""
TAIL: Final = """\
int main(int argc, char **)
{
    zero = argc - 1;
@main
    return 0;
}
"""


@final
@dataclass(frozen=True, slots=True)
class Size:
    """How large kernels are; of several numbers, any is taken.

    `statements`: at the outermost, each of which may be a loop of many others; `things`: classes,
    as many functions of each kind; `arrays`: shared ones; `deepest`: of blocks in one another;
    `nested`: of expressions.
    """

    statements: tuple[int, ...]
    things: tuple[int, ...]
    arrays: tuple[int, ...]
    deepest: int
    nested: int
    unusual: bool = False


LARGE: Final = Size((2, 3, 3, 4), (0, 0, 1, 1, 2), (1, 2, 2, 3), 3, 4)
SHORT: Final = Size((1,), (0, 0, 0, 0, 0, 1), (1,), 2, 1)
WIDE: Final = Size((2, 3), (0, 0, 1), (1, 1, 2), 2, 1, unusual=True)
_BLOCKS: Final = (
    *((8, 1, 1), (7, 1, 1), (13, 1, 1), (32, 1, 1), (32, 1, 1), (33, 1, 1), (37, 1, 1), (64, 1, 1)),
    *((5, 3, 1), (4, 4, 1), (8, 4, 1), (16, 2, 1), (3, 7, 1), (3, 2, 2), (4, 2, 4), (5, 1, 3)),
)
_PARAMETERS: Final = (
    "unsigned *out, unsigned *wide, const unsigned *in, unsigned *sums, float *real, "
    "const float *given, int n, unsigned m"
)


def unit(random: Random, name: str, of: Size = LARGE) -> Unit:
    """A random kernel without races."""
    while True:
        found = repaired(_any_unit(random, name, of))
        if found is not None:
            return found


def _any_unit(random: Random, name: str, of: Size) -> Unit:
    size = random.choice(_BLOCKS)
    threads, blocks = size[0] * size[1] * size[2], random.choice((1, 1, 2, 3))
    e = Expressions(
        *(random, Scopes()), deepest=of.nested, unusual=of.unusual, total=threads * blocks
    )
    things: list[Statement] = []
    routines: list[Routine] = []
    for number in range(random.choice(of.things)):
        block, made = items.class_of(random, name, number, e)
        things.append(block)
        e.classes[made.name] = made
    if random.random() < 0.5:
        text, called = items.macro(random, name)
        things.append(text)
        e.functions.append(called)
    for number in range(random.choice(of.things)):
        block, called = items.value_function(random, name, number, e)
        things.append(block)
        e.functions.append(called)
    for number in range(random.choice(of.things)):
        block, changing = items.reference_function(random, name, number, e)
        things.append(block)
        routines.append(changing)
    mask = ""
    if threads <= 32:
        mask = "0xffffffffu" if threads == 32 else f"{(1 << threads) - 1:#x}u"
    elif of.unusual and threads % 32 == 0:
        mask = "0xffffffffu"
    teams = Teams(threads, mask, unusual=of.unusual)
    if of.unusual:
        things += items.table(random, name, e)
    if random.random() < 0.5:
        block, teams.swap = items.exchange(random, name)
        things.append(block)
    kernel, launch = _kernel(random, name, size, blocks, e, routines, teams, of)
    things.append(kernel)
    things.append(_run(name, size, blocks, launch))
    return Unit(name, tuple(things), f"run_{name}();")


def _shared(
    random: Random, unit: str, size: tuple[int, int, int], teams: Teams, of: Size
) -> tuple[list[Statement], list[SharedArray], int]:
    """Declarations of shared arrays, the arrays, and the bytes of dynamic shared memory."""
    threads = teams.threads
    types = ("unsigned", "unsigned", "float", "int")
    declared: list[Statement] = []
    arrays: list[SharedArray] = []
    dynamic = 0
    if of.unusual and random.random() < 0.3:
        declared += items.pool(random, unit, threads)
        for kind, name in (("unsigned", "first"), ("float", "second")):
            form = f"{name}[@0 % {threads}u]"
            arrays.append(SharedArray(name, kind, (f"{name}[t]",), form, threads))
        dynamic = 8 * threads
    for number in range(random.choice(of.arrays)):
        kind, name = random.choice(types), f"s{number}"
        choice = random.random()
        if choice < 0.35:
            declared.append(Simple(f"__shared__ {kind} {name}[{threads}];"))
            arrays.append(
                SharedArray(name, kind, (f"{name}[t]",), f"{name}[@0 % {threads}u]", threads)
            )
        elif choice < 0.5:
            declared.append(Simple(f"__shared__ {kind} {name}[{2 * threads}];"))
            own = (f"{name}[t]", f"{name}[t + {threads}u]")
            arrays.append(SharedArray(name, kind, own, f"{name}[@0 % {2 * threads}u]", 2 * threads))
        elif choice < 0.65 and not dynamic:
            name = f"pool_{unit}"
            declared.append(Simple(f"extern __shared__ {kind} {name}[];"))
            arrays.append(
                SharedArray(name, kind, (f"{name}[t]",), f"{name}[@0 % {threads}u]", threads)
            )
            dynamic = 4 * threads
        elif choice < 0.8:
            declared.append(Simple(f"__shared__ {kind} {name}[{threads}][2];"))
            own = (f"{name}[t][0]", f"{name}[t][1]")
            arrays.append(
                SharedArray(name, kind, own, f"{name}[@0 % {threads}u][@1 & 1u]", 2 * threads)
            )
        elif size[1] > 1 and size[2] == 1:
            declared.append(Simple(f"__shared__ {kind} {name}[{size[1]}][{size[0]}];"))
            own = (f"{name}[threadIdx.y][threadIdx.x]",)
            arrays.append(
                SharedArray(name, kind, own, f"{name}[@0 % {size[1]}u][@1 % {size[0]}u]", threads)
            )
        else:
            x, y, z = size
            declared.append(Simple(f"__shared__ {kind} {name}[{z}][{y}][{x}];"))
            own = (f"{name}[threadIdx.z][threadIdx.y][threadIdx.x]",)
            arrays.append(
                SharedArray(name, kind, own, f"{name}[@0 % {z}u][@1 % {y}u][@2 % {x}u]", threads)
            )
    return declared, arrays, dynamic


def _position(random: Random, size: tuple[int, int, int]) -> Simple:
    x, y, z = size
    if y == z == 1:
        return Simple(
            random.choice(["const unsigned t = threadIdx.x;", "unsigned t = threadIdx.x;"])
        )
    if z == 1:
        wide = random.choice([f"{x}u", "blockDim.x"])
        return Simple(f"const unsigned t = threadIdx.y * {wide} + threadIdx.x;")
    wide, high = random.choice([(f"{x}u", f"{y}u"), ("blockDim.x", "blockDim.y")])
    return Simple(
        f"const unsigned t = (threadIdx.z * {high} + threadIdx.y) * {wide} + threadIdx.x;"
    )


def _kernel(
    random: Random,
    name: str,
    size: tuple[int, int, int],
    blocks: int,
    e: Expressions,
    routines: list[Routine],
    teams: Teams,
    of: Size,
) -> tuple[Block, str]:
    threads = teams.threads
    declared, arrays, dynamic = _shared(random, name, size, teams, of)
    w = Writer(
        *(random, e, kinds, routines, Context(together=True)),
        more=teams.statements,
        deepest=of.deepest,
    )
    scopes = w.scopes
    scopes.add(Variable("t", "unsigned", constant=True, bound=threads - 1))
    scopes.add(Variable("n", "int", constant=True, uniform=True))
    scopes.add(Variable("m", "unsigned", constant=True, uniform=True))
    scopes.add(Variable("h", "unsigned"))
    e.functions.append(
        Function("in[@0 % @n]".replace("@n", f"{threads * blocks}u"), "unsigned", ("unsigned",))
    )
    e.functions.append(
        Function("given[@0 % @n]".replace("@n", f"{threads * blocks}u"), "float", ("unsigned",))
    )
    e.shared = arrays
    teams.modes = {one.name: ("own", "all") for one in arrays}
    e.modes = {one.name: "all" for one in arrays}
    counts = (f"{threads}u", "blockDim.x * blockDim.y * blockDim.z")
    body: list[Statement] = [
        *declared,
        _position(random, size),
        Simple(f"const unsigned g = blockIdx.x * {random.choice(counts)} + t;"),
        Simple("unsigned h = in[g] + unsigned(n) + m;"),
    ]
    for array in arrays:
        for form in array.own:
            place = Expr(form, (), array.type, ((array.name, "own"),))
            value = random.choice(["in[g] % 100u", "g * 3u + 1u"])
            body.append(
                Simple("@0 = @1;", (place, Expr(f"{array.type}({value})", type=array.type)))
            )
    body.append(BARRIER)
    scopes.open()
    body += w.body(random.choice(of.statements))
    body += _wide(w, threads * blocks)
    for array in arrays:
        if w.e.modes[array.name] == "all":
            body.append(w.take(w.e.other(array)))
        else:
            body.append(w.take(w.e.own(array)))
    body += [
        Simple("out[g] = h;"),
        Simple("real[g] = @0;", (w.e.scalar("float", 3),)),
        Simple(
            random.choice(["atomicAdd(&sums[@0 % 4u], h);", "atomicAdd(sums + @0 % 4u, h);"]),
            (w.e.scalar("unsigned", 2),),
        ),
        Simple("atomicMax(&sums[4u + @0 % 4u], h & 0xffffu);", (w.e.scalar("unsigned", 1),)),
    ]
    body += _left_by_some(w, arrays, threads)
    scopes.close()
    text = "\n".join(lines_of(body))
    more = {
        "lead": "__shared__ unsigned lead;",
        "chosen": "__shared__ unsigned chosen;",
        "bins": "__shared__ unsigned bins[5];",
        "filled": "__shared__ unsigned filled;",
        "list": f"__shared__ unsigned list[{threads}];",
    }
    body[:0] = [Simple(line) for name, line in more.items() if re.search(rf"\b{name}\b", text)]
    if of.unusual:
        body += late(w)
    template = random.random() < 0.25
    head = f"__global__ void {name}({_PARAMETERS}) {{"
    launch = name
    if template:
        head = f"template <int K, typename T> {head}"
        launch = f"{name}<3, unsigned>"
        loop = "for (int k = 0; k < K; ++k)\n    h = h * T(k + 3) + T(K);"
        text = loop if of.unusual and random.random() < 0.5 else "h += T(K) * h;"
        body.insert(len(body) - 4, Simple(text))
    block = Block(Kind.FUNCTION, (Arm(head, (), tuple(body)),), name=name)
    return block, f"{launch}:{dynamic}"


def _wide(w: Writer, total: int) -> list[Statement]:
    """Loops over more elements than threads."""
    if w.chance(0.5):
        return []
    stride = w.random.choice([f"{total}u", "gridDim.x * blockDim.x * blockDim.y * blockDim.z"])
    with w.inside(together=False, leaves=False, continues=True):
        inner = w.body(2)
        value = w.e.scalar("unsigned", 2)
    store = Simple(f"wide[r] {w.random.choice(['=', '+='])} @0;", (value,))
    return [
        Block(
            Kind.LOOP,
            (
                Arm(
                    f"for (unsigned r = g; r < {3 * total}u; r += {stride}) {{", (), (*inner, store)
                ),
            ),
        )
    ]


def _left_by_some(w: Writer, arrays: list[SharedArray], threads: int) -> list[Statement]:
    """A last loop with barriers, which threads leave one after another."""
    if not arrays or w.chance(0.6):
        return []
    array = w.random.choice(arrays)
    head = w.random.choice(
        [
            f"for (unsigned turn = t; turn < {threads}u + m; turn += {threads}u) {{",
            f"for (int turn = t; turn < {2 * threads - 1}; turn += {threads}) {{",
            f"for (unsigned turn = t; turn < {threads}u + unsigned(n); "
            "turn += blockDim.x * blockDim.y * blockDim.z) {",
        ]
    )
    w.e.modes[array.name] = "own"
    with w.inside(together=False, leaves=False, continues=False):
        inner = w.body(2)
        value = w.e.scalar(array.type, 2)
        store = Simple("@0 = @1;", (w.e.own(array), value))
        w.e.modes[array.name] = "all"
        found = w.take(w.e.other(array))
    w.e.modes[array.name] = "own"  # others are still in the loop
    left = (*inner, store, BARRIER, found, BARRIER)
    return [
        BARRIER,
        Block(Kind.LOOP, (Arm(head, (), left),)),
        Simple("out[g] ^= h;"),
    ]


def _run(name: str, size: tuple[int, int, int], blocks: int, launch: str) -> Block:
    called, _, dynamic = launch.partition(":")
    x, y, z = size
    shape = f"dim3({x}, {y}, {z})" if y * z > 1 else str(x)
    grid = str(blocks)
    if sum(map(ord, name)) % 3 == 0:
        shape, grid = f"dim3({x} + zero, {y}, {z})", f"{blocks} + zero"
    shared = f", {dynamic}" if int(dynamic) else ""
    arguments = "memory.out, memory.wide, memory.in, memory.sums, memory.real, memory.given, 3, 5u"
    return Block(
        Kind.FUNCTION,
        (
            Arm(
                f"static void run_{name}() {{",
                (),
                (
                    Simple(f"Memory memory({x * y * z * blocks});"),
                    Simple(f"{called}<<<{grid}, {shape}{shared}>>>({arguments});"),
                    Simple(f'memory.report("{name}");'),
                ),
            ),
        ),
        kept=True,
    )


def program(seed: int, kernels: int, of: Size = LARGE) -> Program:
    """A program of random kernels `k0`, `k1` and so on; always the same for a seed."""
    units = tuple(unit(Random(f"{seed} {number}"), f"k{number}", of) for number in range(kernels))
    head = UNUSUAL_HEAD + HEAD if of.unusual else HEAD
    return Program(head, units, TAIL)
