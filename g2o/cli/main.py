"""The `g2o` command: finds the subcommand, turns faults into exit codes."""

from __future__ import annotations

import codecs
import gc
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Final, final

import click

from g2o.cli.internal_error import described
from g2o.cli.unchanged import Command, command_of, repeated
from g2o.version import VERSION

_TRACEBACK_VARIABLE: Final = "G2O_TRACEBACK"

EXIT_FAULTS: Final = 1
EXIT_INTERRUPTED: Final = 130

# Name -> (module, one line of help). The modules import the translator; this one must not.
_COMMANDS: Final = {
    "translate": ("g2o.cli.translate", "Translate CUDA files to OpenMP C++."),
    "check": ("g2o.cli.check", "Tell whether checked-in translations are current."),
    "analyze": ("g2o.cli.analyze", "Say what each pass did or declined to do, and why."),
    "report": ("g2o.cli.tree_report", "Say what of a tree translates, what does not, and why."),
    "verify": ("g2o.cli.verify", "Run translations against the emulated CUDA source."),
    "cache": ("g2o.cli.cache", "Show or clear what is kept between commands."),
    "explain": ("g2o.cli.explain", "Explain a diagnostic code such as G2O0203."),
}


@final
class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(_COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


def _print_cmake_directory(ctx: click.Context, param: click.Parameter, is_asked: bool) -> None:
    del param
    if is_asked and not ctx.resilient_parsing:
        click.echo(Path(__file__).parents[1] / "cmake")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`g2o COMMAND --help` describes the options of a command.",
)
@click.version_option(VERSION, prog_name="g2o", message="%(prog)s %(version)s")
@click.option(
    "--cmake-dir",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_cmake_directory,
    help="Print where CMake finds g2o: -Dg2o_DIR=$(g2o --cmake-dir).",
)
def g2o() -> None:
    """Translate CUDA C++ to OpenMP C++ that people like to read.

    \b
      g2o translate saxpy.cu              writes saxpy.omp.cpp and g2o_runtime.hpp
      g++ -O2 -fopenmp saxpy.omp.cpp      builds it: nothing else is needed

    \b
    Exit codes: 0  all files were translated
                1  something could not be; the diagnostics say what and where
                2  wrong usage
    """


def run(arguments: Sequence[str], command: Command | None = None) -> int:
    """Run `g2o ARGUMENTS` and return its exit code; never raises what a user could see.

    What the `command` does, if it is given, is remembered.
    """
    try:
        words = list(arguments)
        status = g2o.main(args=words, prog_name="g2o", standalone_mode=False, obj=command)
    except click.ClickException as fault:
        fault.show()
        return fault.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("g2o: interrupted", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of stdout went away (`g2o check ... | head`). Python would report it once more
        # when it flushes at exit, so stdout is pointed elsewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAULTS
    except Exception as fault:  # noqa: BLE001
        # The broad handler of g2o: whatever went wrong is a bug of g2o, and its user is told so
        # in a sentence. Nothing is hidden: the exit code is a failure, and nothing was written.
        if os.environ.get(_TRACEBACK_VARIABLE):
            traceback.print_exc()
        click.echo(_internal_error(fault), err=True)
        return EXIT_FAULTS
    return status if isinstance(status, int) else 0


def _internal_error(fault: Exception) -> str:
    return (
        f"g2o: error: {described(fault)} [G2O0001]\n"
        f"note: this is a bug in g2o, please report it; {_TRACEBACK_VARIABLE}=1 shows where"
    )


def main() -> None:
    """Entry point of the `g2o` script.

    The nodes of a program are many, live until its file is written, and make no cycles: to look
    for garbage among them takes time that grows faster than the program does.

    Where the locale has no names but ASCII's, others are printed byte for byte.
    """
    gc.set_threshold(100_000, 20, 100)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name == "ascii":
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    command = command_of(sys.argv[1:])
    known = None if command is None else repeated(command)
    sys.exit(run(sys.argv[1:], command) if known is None else known)


if __name__ == "__main__":
    main()
