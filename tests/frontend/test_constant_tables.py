"""Bounds of the elements of constant arrays."""

from __future__ import annotations

import pytest

from g2o.frontend.cuda.constant_tables import constant_tables

_READ = "__global__ void k(int *y) { y[threadIdx.x] = C[threadIdx.x] + D[1][threadIdx.x]; }\n"


@pytest.mark.parametrize(
    ("definition", "bounds"),
    [
        ("__constant__ int C[3] = {1, -2, 3};", (-2, 3)),
        ("static __constant__ int C[] = {4, 5};", (0, 5)),
        ("__device__ const int C[2] = { 7 };", (0, 7)),
        ("constexpr __device__ int C[2] = {-1, -1,};", (-1, 0)),
    ],
)
def test_bounds_of_the_elements(definition: str, bounds: tuple[int, int]) -> None:
    assert constant_tables([definition + "\n" + _READ])["C"] == bounds


def test_tables_of_two_dimensions() -> None:
    found = constant_tables(["__constant__ int D[2][2] = {{1, 2}, {3, -4}};\n" + _READ])
    assert found == {"D": (-4, 3)}


@pytest.mark.parametrize(
    "text",
    [
        "__constant__ int C[3];",
        "__device__ int C[3] = {1, 2, 3};",
        "extern __constant__ int C[3] = {1, 2, 3};",
        "__constant__ int C[3] = {1, N, 3};",
        "__constant__ int C[3] = {1, 2 + 3, 3};",
        "__constant__ int C[3] = {1, 0x7, 3};",
        "__constant__ int C[1] = {1};\n__constant__ int C[2] = {1, 2};",
        "__constant__ int C[1] = {1}; void f() { cudaMemcpyToSymbol(C, p, 4); }",
        "__constant__ int C[1] = {1}; void f() { g(&C[0]); }",
        "__constant__ int C[1] = {1}; void f() { C[0] = 2; }",
        "__constant__ int C[1] = {1}; void f() { ++C[0]; C[0]++; }",
        "__constant__ int C[1] = {1};\n#define UPLOAD(p) cudaMemcpyToSymbol(C, p, 4)",
        "__constant__ int C[1] = {1};\n#define UPLOAD(n, p) cudaMemcpyToSymbol(n##C, p, 4)",
        "__constant__ int D[1][1] = {{1}}; void f() { g(D[0]); }",
    ],
)
def test_tables_that_may_hold_anything(text: str) -> None:
    assert not constant_tables([text + "\n"])
