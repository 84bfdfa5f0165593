"""Several files at a time, each in a process of its own that begins as a copy of this one.

A process that crashes, or takes too long, costs its own file alone; memory goes with it.
"""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

from g2o.lazy import loaded_on_use

if TYPE_CHECKING:
    import multiprocessing
    from multiprocessing import connection
    from multiprocessing.process import BaseProcess
else:  # one file needs neither
    multiprocessing = loaded_on_use("multiprocessing")
    connection = loaded_on_use("multiprocessing.connection")

T = TypeVar("T")

_SECOND: Final = 1.0


@final
@dataclass(frozen=True, slots=True)
class Isolation:
    """Every file has its own process, even one alone, for `limit` seconds at most."""

    limit: float


def in_order(
    work: Callable[[Path], T],
    paths: Sequence[Path],
    jobs: int,
    lost: Callable[[Path, str], T],
    isolation: Isolation | None = None,
) -> Iterator[T]:
    """`work` of every path, in order, `jobs` at a time where processes can be copied.

    `lost` is what there is of a path whose process ended, or was ended, before it was done, and
    why. What `work` raises is raised here.
    """
    jobs = min(jobs, len(paths))
    can_copy = "fork" in multiprocessing.get_all_start_methods()
    if not can_copy or (jobs < 2 and isolation is None):
        yield from map(work, paths)
        return
    limit = None if isolation is None else isolation.limit
    waiting = deque(enumerate(paths))
    running: dict[Any, _Running] = {}
    done: dict[int, T] = {}
    try:
        for place in range(len(paths)):
            while place not in done:
                while waiting and len(running) < jobs:
                    number, path = waiting.popleft()
                    started = _Running.of(work, number, path, limit)
                    running[started.results] = started
                ready = connection.wait(running, _SECOND)
                for one in [running[results] for results in ready]:
                    del running[one.results]
                    done[one.number] = one.result(lost)
                for one in [one for one in running.values() if one.is_late()]:
                    del running[one.results]
                    one.stop()
                    done[one.number] = lost(one.path, f"took more than {limit:g} seconds")
            yield done.pop(place)
    finally:
        for one in running.values():
            one.stop()


@final
@dataclass(frozen=True, slots=True)
class _Running:
    """The process of `path`, which is number `number`; it is late from `deadline` on."""

    number: int
    path: Path
    process: BaseProcess
    results: Any  # a connection, of which there is one type for each system
    deadline: float | None

    @staticmethod
    def of(work: Callable[[Path], Any], number: int, path: Path, limit: float | None) -> _Running:
        context = multiprocessing.get_context("fork")
        results, sent = context.Pipe(duplex=False)
        process = context.Process(target=_do, args=(work, path, sent), daemon=True)
        process.start()
        sent.close()
        deadline = None if limit is None else time.monotonic() + limit
        return _Running(number, path, process, results, deadline)

    def is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def result(self, lost: Callable[[Path, str], T]) -> T:
        try:
            raised, result = self.results.recv()
        except (EOFError, OSError):  # nothing, or a part
            self.process.join()
            return lost(self.path, _end_of(self.process.exitcode))
        self.process.join()
        self.results.close()
        if raised:
            raise result
        return result

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.results.close()


def _do(work: Callable[[Path], Any], path: Path, sent: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told, and ends the others
    try:
        done = (False, work(path))
    except Exception as fault:  # noqa: BLE001 - it is raised again where it is waited for
        done = (True, fault)
    sent.send(done)


def _end_of(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended with exit code {code}"
    return f"ended by {signal.Signals(-code).name}"
