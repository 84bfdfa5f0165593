"""Libraries of kernels that are kept between processes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from g2o import CompileError, RawKernel, user_cache
from g2o.interop import library
from tests.cli.conftest import G2o

pytest_plugins = ["tests.cli.conftest"]


def kernel(tmp_path: Path) -> RawKernel:
    """A kernel with a header of its own, whose libraries no other test knows."""
    header = tmp_path / "headers" / "by.h"
    header.parent.mkdir()
    header.write_text("#define BY 3\n")
    for one in (header, header.parent):
        os.utime(one, (0, 0))
    source = '#include "by.h"\n__global__ void times(float *x) { x[threadIdx.x] *= BY; }'
    return RawKernel(source, "times", ("-I", str(header.parent)))


def product(one: RawKernel) -> float:
    x = np.full(2, 2, np.float32)
    one(1, 2, (x,))
    return float(x[1])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for libraries alone: what g2o has of headers stays where it is."""
    place = tmp_path / "cache"
    for module in (library, user_cache):
        monkeypatch.setattr(module, "cache_place", lambda: place)
    return place


def test_a_library_is_made_once(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, g2o: G2o
) -> None:
    made: list[str] = []
    translated = library.translated

    def counted(build: library.Build) -> object:
        made.append(build.code)
        return translated(build)

    first = kernel(tmp_path)
    monkeypatch.setattr(library, "translated", counted)
    assert [product(first), product(kernel_again(first)), len(made)] == [6, 6, 1]

    # What was written by half is no library.
    (entry,) = cache.glob("kernel-*")
    (file,) = entry.glob("*.so")
    half = file.read_bytes()[: file.stat().st_size // 2]
    file.unlink()
    file.write_bytes(half)
    assert [product(kernel_again(first)), len(made)] == [6, 2]
    assert g2o("cache", "info").out.count("kernel ") == 1

    # A header that was changed makes it anew, though the source is the same.
    (tmp_path / "headers" / "by.h").write_text("#define BY 5\n")
    assert [product(kernel_again(first)), len(made)] == [10, 3]
    assert g2o("cache", "clear").out.endswith("cleared\n")
    assert not list(cache.iterdir())


def kernel_again(one: RawKernel) -> RawKernel:
    """As another process would make it."""
    return RawKernel(one.code, one.name, one.options)


@pytest.mark.slow
def test_no_place_and_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = kernel(tmp_path)
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(CompileError, match="there is no C\\+\\+ compiler: none of no-such-c"):
        one.compile()
    monkeypatch.delenv("CXX")
    monkeypatch.setattr(library, "cache_place", lambda: tmp_path / "headers" / "by.h")
    monkeypatch.setattr(user_cache, "cache_place", lambda: tmp_path / "headers" / "by.h")
    assert product(one) == 6


def test_entries_appear_whole(cache: Path) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slowly(folder: Path) -> None:
        (folder / "half").write_text("slow")
        begun.set()
        may_end.wait(10)

    thread = threading.Thread(target=user_cache.kept_folder, args=("kernel-a", slowly, 9))
    thread.start()
    begun.wait(10)
    assert not (cache / "kernel-a").exists()
    user_cache.kept_folder("kernel-a", lambda one: (one / "whole").touch(), 9)
    may_end.set()
    thread.join()
    assert [one.name for one in (cache / "kernel-a").iterdir()] == ["whole"]  # the first stays
    assert [one.name for one in cache.iterdir()] == ["kernel-a"]


def test_what_is_old_goes(cache: Path) -> None:
    left = cache / ".making-killed"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))
    for index in range(4):
        made = user_cache.kept_folder(f"kernel-{index}", lambda one: (one / "x").touch(), 2)
        os.utime(made, (index, index))
    user_cache.kept_folder("kernel-4", lambda _: None, 2)
    assert sorted(one.name for one in cache.iterdir()) == ["kernel-3", "kernel-4"]

    def fails(_: Path) -> None:
        raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        user_cache.kept_folder("kernel-5", fails, 2)
    assert sorted(one.name for one in cache.iterdir()) == ["kernel-3", "kernel-4"]
