"""Offload translations do what the CUDA source does, on a device with memory of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from g2o.cli.main import run as run_g2o
from g2o.verify.run import Run, RunOptions, run
from tests.corpus.execution import build, reference_runs, translate
from tests.corpus.programs import PROGRAMS, CorpusProgram
from tests.offload.device import (
    AMDGCN,
    NVPTX,
    ON_DEVICES,
    SHAPES,
    X86_DEVICE,
    assert_device_agrees,
    assert_host_agrees,
    needs_clang,
    needs_ptxas,
)

_FOLDER: Final = Path(__file__).parent / "programs"
_CASES: Final = Path(__file__).parents[1] / "ad" / "cases"
_CORPUS: Final = Path(__file__).parents[2] / "corpus"
OWN: Final = [
    pytest.param(CorpusProgram(path.stem, _FOLDER, (path.name,), ()), id=path.stem)
    for path in sorted(_FOLDER.glob("*.cu"))
]
SOME: Final = [one for one in OWN if one.id in ("lambdas", "large_blocks")]
OTHERS: Final = [one for one in OWN if one not in SOME]
# A symbol, and a warp: what the whole corpus has, in seconds.
_FEW: Final = ("conv2d_constant", "scan_warp")
FEW: Final = [case for case in PROGRAMS if case.id in _FEW]
# Derivatives that are refused for CPUs as well: of sums in memory that holds integers, too, and of
# a minimum that is taken by comparing bits.
_REFUSED: Final = ("kmeans", "sssp_atomic_min")
DIFFERENTIABLE: Final = [case for case in ON_DEVICES if case.id not in _REFUSED]


def _translated(program: CorpusProgram, output: Path) -> list[Path]:
    translate(program, output, "--target", "offload")
    return [output / name for name in program.outputs if name.endswith(".cpp")]


@needs_clang
@pytest.mark.parametrize("program", [*SOME, *FEW])
def test_device_does_what_the_source_does(program: CorpusProgram, tmp_path: Path) -> None:
    sources = _translated(program, tmp_path / "translation")
    references = reference_runs(program, tmp_path)
    assert_device_agrees(sources, tmp_path / "device", references, program.arguments)


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("program", OTHERS)
def test_devices_do_what_others_do(program: CorpusProgram, tmp_path: Path) -> None:
    test_device_does_what_the_source_does(program, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("program", OWN)
def test_host_fallback_does_what_the_source_does(program: CorpusProgram, tmp_path: Path) -> None:
    sources = _translated(program, tmp_path / "translation")
    references = reference_runs(program, tmp_path)
    assert_host_agrees(sources, tmp_path / "fallback", references, program.arguments)


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("program", ON_DEVICES)
def test_corpus_on_device_and_host(program: CorpusProgram, tmp_path: Path) -> None:
    sources = _translated(program, tmp_path / "translation")
    references = reference_runs(program, tmp_path)
    assert_device_agrees(sources, tmp_path / "device", references, program.arguments)
    assert_host_agrees(sources, tmp_path / "fallback", references, program.arguments)


@needs_clang
@needs_ptxas
@pytest.mark.slow
@pytest.mark.parametrize("program", [*OWN, *ON_DEVICES])
def test_graphics_processors_compile(program: CorpusProgram, tmp_path: Path) -> None:
    sources = _translated(program, tmp_path / "translation")
    build(sources, tmp_path / "nvptx", NVPTX)
    for source in sources:
        build([source], tmp_path / "amdgcn.o", AMDGCN)


@needs_clang
@pytest.mark.parametrize(
    "extra", [(), pytest.param(("--grad",), marks=pytest.mark.slow)], ids=["program", "gradient"]
)
def test_verify_on_a_device(
    extra: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = _CASES / "block_sum.cu" if extra else _CORPUS / "block_sum" / "block_sum.cu"
    device = ("--device", "x86_64-pc-linux-gnu", "--compiler", X86_DEVICE.compiler)
    words = ["verify", str(source), "--target", "offload", *device, "--threads", "2", *extra]
    assert run_g2o(words) == 0
    assert "agrees" in capsys.readouterr().out


def test_a_device_needs_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    source = _CORPUS / "saxpy" / "saxpy.cu"
    assert run_g2o(["verify", str(source), "--device", "x86_64-pc-linux-gnu"]) == 2
    assert "--device needs --target offload" in capsys.readouterr().err


_DERIVATIVES: Final = CorpusProgram(
    "derivatives", Path(__file__).parent / "gradients", ("derivatives.cu",), ()
)


@needs_clang
def test_derivatives_on_the_device(tmp_path: Path) -> None:
    """The program compares with derivatives that it knows."""
    sources = _translated(_DERIVATIVES, tmp_path / "translation")
    built = build(sources, tmp_path / "device", X86_DEVICE)
    for shape in SHAPES:
        options = RunOptions(threads=shape.threads, environment=shape.environment)
        finished = run(built, options)
        assert isinstance(finished, Run), "the program does not end"
        assert finished.exit_code == 0, f"{shape}: {finished.stdout}{finished.stderr}"


# GCC 12 has no memory that host and device share.
_MANAGED: Final = CorpusProgram("managed", Path(__file__).parent / "unified", ("managed.cu",), ())


@needs_clang
def test_host_and_device_share_managed_variables(tmp_path: Path) -> None:
    sources = _translated(_MANAGED, tmp_path / "translation")
    assert_device_agrees(sources, tmp_path / "device", reference_runs(_MANAGED, tmp_path))


@needs_clang
@needs_ptxas
@pytest.mark.slow
def test_graphics_processors_may_share_variables(tmp_path: Path) -> None:
    sources = _translated(_MANAGED, tmp_path / "translation")
    build(sources, tmp_path / "nvptx", NVPTX)


def test_thrust_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = _CORPUS / "particle_cells" / "particle_cells.cu"
    words = ["translate", str(source), "--target", "offload", "--out-root", str(tmp_path)]
    assert run_g2o(words) == 1
    assert "Thrust is translated for --target cpu only [G2O0206]" in capsys.readouterr().err


@needs_clang
@needs_ptxas
@pytest.mark.slow
@pytest.mark.parametrize("program", DIFFERENTIABLE)
def test_derivatives_link_for_graphics_processors(program: CorpusProgram, tmp_path: Path) -> None:
    """Adjoints and tangents of the kernels that have them, in the whole program."""
    options = ("--target", "offload", "--grad", "--jvp")
    translate(program, tmp_path / "translation", *options)
    outputs = [name for name in program.outputs if name.endswith(".cpp")]
    sources = [tmp_path / "translation" / name for name in outputs]
    build(sources, tmp_path / "nvptx", NVPTX)
    for source in sources:
        build([source], tmp_path / "amdgcn.o", AMDGCN)
