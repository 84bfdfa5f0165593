"""What can be measured: corpus programs that somebody also wrote by hand for OpenMP."""

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast, final

ROOT: Final = Path(__file__).resolve().parents[2]
_CUDA_SUFFIXES: Final = (".cu", ".cuh")


@final
@dataclass(frozen=True, slots=True)
class BenchProgram:
    """A corpus folder, its hand-written form, and the arguments that both are run with. `options`
    are those of `g2o translate` that allow what the hand-written form does."""

    name: str
    folder: Path
    baseline: Path
    arguments: tuple[str, ...]
    options: tuple[str, ...] = ()

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
    """The programs named in `wanted`, or all; those with options stand behind themselves without.
    Raises UnknownProgram."""
    baselines = baselines or ROOT / "bench" / "baseline"
    corpus = corpus or ROOT / "corpus"
    known = {path.stem: path for path in sorted(baselines.glob("*.cpp"))}
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise UnknownProgram(f"no hand-written form of {', '.join(unknown)} in {baselines}")
    names = [name for name in known if name in wanted or not wanted]
    return [one for name in names for one in _programs(corpus / name, known[name])]


def _programs(folder: Path, baseline: Path) -> Iterator[BenchProgram]:
    meta = tomllib.loads((folder / "meta.toml").read_text())
    plain = BenchProgram(
        folder.name, folder, baseline, tuple(cast("list[str]", meta["bench_args"]))
    )
    yield plain
    options = tuple(cast("list[str]", meta.get("bench_options", [])))
    if options:
        yield replace(plain, name=" ".join((folder.name, *options)), options=options)
