"""Room for deep recursion: sources nest expressions and `else if` deeper than Python expects."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, final

T = TypeVar("T")

# Bytes of address space, not of memory: pages are taken as they are touched. A level of recursion
# through libclang's visitor takes about 10 KiB, so Python's limit is met before the stack ends.
_STACK_BYTES: Final = 512 * 1024 * 1024
_RECURSION_LIMIT: Final = 20_000


@final
@dataclass(slots=True)
class _Outcome(Generic[T]):
    values: list[T]
    fault: BaseException | None = None


def with_deep_stack(function: Callable[[], T]) -> T:
    """The result of `function`, run in a thread with a large stack; raises what it raises."""
    outcome: _Outcome[T] = _Outcome([])

    def work() -> None:
        try:
            outcome.values.append(function())
        except BaseException as fault:  # noqa: BLE001 - carried to the caller's thread
            outcome.fault = fault

    usual_size = threading.stack_size(_STACK_BYTES)
    usual_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual_limit, _RECURSION_LIMIT))
    try:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(usual_limit)
        threading.stack_size(usual_size)
    if outcome.fault is not None:
        raise outcome.fault
    return outcome.values[0]
