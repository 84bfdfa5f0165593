"""Several files at a time, each in a process of its own that begins as a copy of this one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    import multiprocessing
    from concurrent import futures
else:  # one file needs neither
    futures = loaded_on_use("concurrent.futures")
    multiprocessing = loaded_on_use("multiprocessing")

T = TypeVar("T")

_work: Final[list[Callable[[Path], Any]]] = []


def in_order(work: Callable[[Path], T], paths: Sequence[Path], jobs: int) -> Iterator[T]:
    """`work` of every path, in order, `jobs` at a time where processes can be copied."""
    jobs = min(jobs, len(paths))
    if jobs < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, paths)
        return
    context = multiprocessing.get_context("fork")
    with futures.ProcessPoolExecutor(jobs, context, _begin, (work,)) as pool:
        try:
            yield from pool.map(_done, paths)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _begin(work: Callable[[Path], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told, and ends the others
    _work.append(work)


def _done(path: Path) -> Any:
    return _work[-1](path)
