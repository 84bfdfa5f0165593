"""Objects that do something when they end, or when they are copied, and barriers."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import Translation, translate_file

_CLASSES = """
struct Restore {
    float *p, old;
    __device__ explicit Restore(float *q) : p(q), old(*q) {}
    __device__ ~Restore() { *p = old; }
};
struct Place {
    float *p;
    __device__ explicit Place(float *q) : p(q) {}
    __device__ Place &operator=(const Place &o) { *p = *o.p; return *this; }
};
struct Trace {
    int copies;
    __device__ Trace() : copies(0) {}
    __device__ Trace(const Trace &o) : copies(o.copies + 1) {}
};
struct Ring {
    float kept[4], *at;
    __device__ Ring() : at(kept) {}
    __device__ void put(float v) { *at = v; }
};
struct Waiting { __device__ ~Waiting() { __syncthreads(); } };
struct Flushing {
    float *p;
    __device__ ~Flushing() { p[threadIdx.x] = 1.0f; }
};
struct Shape { __device__ virtual float area() const { return threadIdx.x; } };
__device__ float area(Restore r) { return threadIdx.x; }
struct Pair {
    float first, second[2];
    __device__ Pair() : first(0) { second[0] = second[1] = 0; }
    __device__ Pair(const Pair &o) : first(o.first)
    {
        second[0] = o.second[0];
        second[1] = o.second[1];
    }
    __device__ Pair &operator=(const Pair &o)
    {
        if (this != &o)
            first = o.first;
        for (int i = 0; i < 2; i++)
            second[i] = o.second[i];
        return *this;
    }
    __device__ ~Pair() {}
};
"""
_OF_A_TEMPLATE = """
template <class T> struct Saved {
    T *p, old;
    __device__ explicit Saved(T *q) : p(q), old(*q) {}
    __device__ ~Saved() { *p = old; }
};
template <class T> __global__ void saves(T *x)
{
    __shared__ T s[64];
    Saved<T> guard(s + threadIdx.x);
    __syncthreads();
    x[threadIdx.x] = s[0];
}
"""
_REFUSED = {
    "a destructor across": ("Restore r(s + t); __syncthreads(); x[t] = s[63 - t];", "when it ends"),
    "an assignment": ("Place r(s + t); __syncthreads(); x[t] = *r.p;", "when it is copied"),
    "a copy": ("Trace r; s[t] = 1; __syncthreads(); x[t] = s[63 - t] + r.copies;", "is copied"),
    "into itself": ("Ring r; r.put(t); __syncthreads(); x[t] = r.kept[0];", "is copied"),
    "a barrier": ("Waiting r; x[t] = 1;", "destructor of 'Waiting', which needs the launch"),
    "a position": ("Flushing r{x}; x[t + 64] = 1;", "destructor of 'Flushing', which needs the"),
    "by value": ("Restore r(x); x[t + 64] = area(r);", "for which a 'Restore' is copied"),
    "virtual": ("Shape r; x[t] = r.area();", "virtual function 'area', which needs the launch"),
}


def _translated(tmp_path: Path, body: str, more: str = "") -> Translation:
    path = tmp_path / "x.cu"
    head = "__global__ void k(float *x)\n{\n    __shared__ float s[64];\n    int t = threadIdx.x;\n"
    launch = "\n}\nvoid run(float *x) { k<<<4, 64>>>(x); }\n"
    path.write_text(_CLASSES + more + head + body + launch)
    output = tmp_path / "x.omp.cpp"
    return translate_file(path, TranslateOptions(), "x.cu", Project.alone(path, (), output))


@pytest.mark.parametrize("name", _REFUSED)
def test_what_cannot_stay_what_it_was(name: str, tmp_path: Path) -> None:
    body, message = _REFUSED[name]
    result = _translated(tmp_path, body)
    assert not result.ok
    assert any(message in one.message for one in result.diagnostics), result.diagnostics


def test_objects_of_open_classes(tmp_path: Path) -> None:
    result = _translated(tmp_path, "x[t] = 1;", _OF_A_TEMPLATE)
    assert any("object 'guard' across a" in one.message for one in result.diagnostics)


def test_what_is_copied_member_by_member(tmp_path: Path) -> None:
    body = "Pair r; r.first = t; s[t] = 1; __syncthreads(); x[t] = s[63 - t] + r.first;"
    assert _translated(tmp_path, body).ok


def test_an_object_ends_in_each_thread(tmp_path: Path) -> None:
    result = _translated(tmp_path, "Restore r(x); if (t < 3) x[t] = 1;")
    assert result.ok, result.diagnostics
    loop, _, body = result.code.partition("for (int t = 0;")
    assert "Restore r(" in body
    assert "Restore r" not in loop
