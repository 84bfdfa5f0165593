"""Kernels as large as combustion and seismic codes have them, made here: how translation grows.

python -m bench.large_kernels stencil 2000 300 > stencil.cu     one kernel, unrolled stencils
python -m bench.large_kernels chemistry 40 150 > chemistry.cu   many kernels
python -m bench.large_kernels chain 400 0 > chain.cu            constants, each made from the last
python -m bench.large_kernels species 400 0 > species.cu        places, functions and conditions
"""

from __future__ import annotations

import random
import sys
from typing import Final

_OPERATORS: Final = ("+", "-", "*")
_HEAD: Final = (
    "__global__ void stencil(const double *__restrict__ u, double *__restrict__ v, int n)",
    "{",
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;",
    "    if (i >= n)",
    "        return;",
)
_NEIGHBOURS: Final = ("c", "c - 1", "c + 1", "c - nx", "c + nx")


def stencil(statements: int, variables: int) -> str:
    """A program with one kernel of as many statements over as many local variables."""
    return _kernel("stencil", statements, variables, seed=statements)


def chemistry(kernels: int, statements: int) -> str:
    """A program with as many kernels of as many statements each."""
    variables = max(8, statements // 5)
    parts = [_kernel(f"rate{k}", statements, variables, seed=k) for k in range(kernels)]
    return "\n".join(parts)


def chain(statements: int, _: int = 0) -> str:
    """A program with one kernel of constants, each of which is made from those before it."""
    chosen = random.Random(statements)
    lines = [*_HEAD, "    const double a0 = u[i];"]
    for number in range(1, statements):
        last, other = f"a{number - 1}", f"a{chosen.randrange(max(0, number - 5), number)}"
        factor = f"{chosen.uniform(0.1, 0.5):.3f}"
        values = (
            f"{factor} * {last} + {other}",
            f"exp(-{last}) * {other}",
            f"{last} / (1.0 + {other} * {other})",
        )
        lines.append(f"    const double a{number} = {chosen.choice(values)};")
    lines += [f"    v[i] = a{statements - 1};", "}", ""]
    return "\n".join(lines)


def species(statements: int, _: int = 0) -> str:
    """A program with one kernel of as many statements over a quarter of as many places."""
    chosen, count = random.Random(statements), statements // 4
    lines = list(_HEAD)
    lines += [f"    const double c{k} = u[i + n * {k}];" for k in range(count)]
    for number in range(count):
        one, other = chosen.randrange(count), chosen.randrange(count)
        factor = f"{chosen.uniform(0.1, 0.9):.3f}"
        lines.append(f"    double q{number} = {factor} * exp(-c{one}) * c{other};")
    for number in range(count):
        lines += [f"    if (c{chosen.randrange(count)} > 0.5)", f"        q{number} *= 2.0;"]
    for number in range(count):
        lines.append(f"    v[i + n * {number}] = q{chosen.randrange(count)} - q{number};")
    return "\n".join([*lines, "}", ""])


def _kernel(name: str, statements: int, variables: int, seed: int) -> str:
    chosen = random.Random(seed)
    lines = [
        f"__global__ void {name}(const double *__restrict__ u, double *__restrict__ v,",
        "                        int nx, int ny)",
        "{",
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "    int j = blockIdx.y * blockDim.y + threadIdx.y;",
        "    if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)",
        "        return;",
        "    int c = j * nx + i;",
    ]
    for number in range(variables):
        place = chosen.choice(_NEIGHBOURS)
        lines.append(f"    double q{number} = u[{place}] * {chosen.uniform(0.1, 0.9):.3f};")
    for _ in range(max(0, statements - variables - 8)):
        target, one, other = (chosen.randrange(variables) for _ in range(3))
        factor = f"{chosen.uniform(0.1, 0.5):.3f}"
        match chosen.randrange(4):
            case 0:
                place = chosen.choice(_NEIGHBOURS)
                lines.append(f"    q{target} = {factor} * q{one} + u[{place}] * q{other};")
            case 1:
                lines.append(f"    q{target} += {factor} * q{one} * q{other};")
            case 2:
                lines.append(
                    f"    q{target} = exp(-{factor} * q{one}) / (1.0 + q{other} * q{other});"
                )
            case _:
                operator = chosen.choice(_OPERATORS)
                lines.append(f"    q{target} = {factor} * (q{one} {operator} q{other});")
    total = " + ".join(f"q{number}" for number in range(variables))
    lines += [f"    v[c] = {total};", "}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    kind, first, second = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    kinds = {"stencil": stencil, "chemistry": chemistry, "chain": chain, "species": species}
    print(kinds[kind](first, second), end="")
