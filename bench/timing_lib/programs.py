"""What can be measured: corpus programs that somebody also wrote by hand for OpenMP."""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

ROOT: Final = Path(__file__).resolve().parents[2]
_CUDA_SUFFIXES: Final = (".cu", ".cuh")


@final
@dataclass(frozen=True, slots=True)
class BenchProgram:
    """A corpus folder, its hand-written form, and the arguments that both are run with."""

    name: str
    folder: Path
    baseline: Path
    arguments: tuple[str, ...]

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The CUDA files to translate, headers included."""
        return tuple(
            sorted(path for path in self.folder.iterdir() if path.suffix in _CUDA_SUFFIXES)
        )


class UnknownProgram(Exception):
    """A program was asked for that has no hand-written form."""


def bench_programs(
    wanted: Collection[str] = (), baselines: Path | None = None, corpus: Path | None = None
) -> list[BenchProgram]:
    """The programs named in `wanted`, or all; raises UnknownProgram."""
    baselines = baselines or ROOT / "bench" / "baseline"
    corpus = corpus or ROOT / "corpus"
    known = {path.stem: path for path in sorted(baselines.glob("*.cpp"))}
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise UnknownProgram(f"no hand-written form of {', '.join(unknown)} in {baselines}")
    return [_program(corpus / name, known[name]) for name in known if name in wanted or not wanted]


def _program(folder: Path, baseline: Path) -> BenchProgram:
    meta = tomllib.loads((folder / "meta.toml").read_text())
    arguments = cast("list[str]", meta["bench_args"])
    return BenchProgram(folder.name, folder, baseline, tuple(arguments))
