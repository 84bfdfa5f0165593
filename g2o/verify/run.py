"""Runs a built program with a time limit, a number of threads and a seed for the emulator.

The program never outlives g2o: it is killed with its children when the run is interrupted, and the
kernel kills it when g2o itself is killed (Linux, where util-linux is there).
"""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import final

from g2o.verify.build import Executable


class EmulatorFault(Enum):
    """Why the emulator ended a program; the values are its exit codes."""

    STACK_OVERFLOW = 86
    DEADLOCK = 87
    UNSUPPORTED = 88
    UNDEFINED_BEHAVIOR = 89


@final
@dataclass(frozen=True, slots=True)
class RunOptions:
    """`seed`, `poison`: see cuda_emulator.hpp. `threads`: OMP_NUM_THREADS of a translation."""

    arguments: tuple[str, ...] = ()
    directory: Path | None = None
    timeout: float = 60.0
    threads: int | None = None
    seed: int = 0
    poison: int | None = None
    stdin: bytes = b""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A run that ended. A negative exit code is the signal that killed it."""

    exit_code: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def fault(self) -> EmulatorFault | None:
        """Set when the emulator, not the program, decided to end."""
        if "g2o emulator: " not in self.stderr:
            return None
        return next((fault for fault in EmulatorFault if fault.value == self.exit_code), None)


@final
@dataclass(frozen=True, slots=True)
class TimedOut:
    """A run that was killed after `seconds`; what it had written by then."""

    seconds: float
    stdout: str
    stderr: str


def run(program: Executable, options: RunOptions | None = None) -> Run | TimedOut:
    """Run `program`; raises OSError when it cannot be started."""
    options = options or RunOptions()
    environment = _environment(program, options)
    path = str(program.path.resolve())
    command = (*_ending_with_us(), path, *options.arguments)
    begin = time.monotonic()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=options.directory,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            stdout, stderr = process.communicate(options.stdin, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            _kill(process)
            stdout, stderr = process.communicate()
            return TimedOut(options.timeout, _text(stdout, path), _text(stderr, path))
        except BaseException:
            _kill(process)
            raise
    seconds = time.monotonic() - begin
    return Run(process.returncode, _text(stdout, path), _text(stderr, path), seconds)


@functools.cache
def _ending_with_us() -> tuple[str, ...]:
    """What, in front of a command, has it killed when the process that started it dies."""
    if not sys.platform.startswith("linux") or shutil.which("setpriv") is None:
        return ()
    return ("setpriv", "--pdeathsig", "KILL", "--")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children, which have a session of their own."""
    os.killpg(process.pid, signal.SIGKILL)


def _environment(program: Executable, options: RunOptions) -> dict[str, str]:
    environment = {**os.environ, "G2O_SEED": str(options.seed)}
    if options.poison is not None:
        environment["G2O_POISON"] = str(options.poison)
    if options.threads is not None:
        environment["OMP_NUM_THREADS"] = str(options.threads)
    if program.library_path:
        environment["LD_LIBRARY_PATH"] = program.library_path
    environment.update(options.environment)
    return environment


def _text(data: bytes, path: str) -> str:
    """What a program has written; its own path, with which usages begin, under a common name."""
    return data.decode("utf-8", "replace").replace(path, "./program")
