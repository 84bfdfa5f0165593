"""What can be measured: corpus programs that somebody also wrote by hand for OpenMP, and pairs of
programs that were written to be compared."""

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, cast, final

ROOT: Final = Path(__file__).resolve().parents[2]
_CUDA_SUFFIXES: Final = (".cu", ".cuh")

Group = Literal["corpus", "pairs"]


@final
@dataclass(frozen=True, slots=True)
class BenchProgram:
    """A folder of CUDA files, their hand-written form, and the arguments that both are run with.
    `options` are those of `g2o translate` that allow what the hand-written form does."""

    name: str
    folder: Path
    baseline: Path
    arguments: tuple[str, ...]
    options: tuple[str, ...] = ()
    group: Group = "corpus"

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The CUDA files to translate, headers included."""
        return tuple(
            sorted(path for path in self.folder.iterdir() if path.suffix in _CUDA_SUFFIXES)
        )


class UnknownProgram(Exception):
    """A program was asked for that has no hand-written form."""


def bench_programs(
    wanted: Collection[str] = (),
    baselines: Path | None = None,
    corpus: Path | None = None,
    pairs: Path | None = None,
) -> list[BenchProgram]:
    """The programs named in `wanted`, or all; those with options stand behind themselves without.
    Raises UnknownProgram."""
    baselines = baselines or ROOT / "bench" / "baseline"
    corpus = corpus or ROOT / "corpus"
    pairs = pairs or ROOT / "bench" / "pairs"
    known: dict[str, tuple[Path, Path, Group]] = {
        path.stem: (corpus / path.stem, path, "corpus") for path in sorted(baselines.glob("*.cpp"))
    }
    for meta in sorted(pairs.glob("*/meta.toml")):
        folder = meta.parent
        known[folder.name] = (folder, folder / f"{folder.name}.omp.cpp", "pairs")
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise UnknownProgram(
            f"no hand-written form of {', '.join(unknown)} in {baselines}, {pairs}"
        )
    names = [name for name in known if name in wanted or not wanted]
    return [one for name in names for one in _programs(*known[name])]


def _programs(folder: Path, baseline: Path, group: Group) -> Iterator[BenchProgram]:
    meta = tomllib.loads((folder / "meta.toml").read_text())
    arguments = tuple(cast("list[str]", meta["bench_args"]))
    plain = BenchProgram(folder.name, folder, baseline, arguments, group=group)
    yield plain
    options = tuple(cast("list[str]", meta.get("bench_options", [])))
    if options:
        yield replace(plain, name=" ".join((folder.name, *options)), options=options)
