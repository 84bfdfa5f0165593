"""Programs that call CUDA's libraries in C, on libraries of loops that are made for the tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.frontend.output import written
from g2o.runtime.headers import names_of_parts

_HERE = Path(__file__).parent
_STUBS = Path(written.__file__).parent / "headers"
_RUNTIME = Path(written.__file__).parents[2] / "runtime"
_PROGRAMS = sorted(_HERE.glob("programs/*.cu"))
_FLAGS = ("-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Wshadow", "-Wold-style-cast", "-Werror")


def _compiled(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `libreference.a`."""
    folder = tmp_path_factory.mktemp("reference")
    objects: list[str] = []
    for source in sorted(_HERE.glob("reference_*.c")):
        objects.append(str(folder / f"{source.stem}.o"))
        warnings = ("-Wall", "-Wextra", "-Werror")
        _compiled(["gcc", "-O1", *warnings, f"-I{_STUBS}", "-c", str(source), "-o", objects[-1]])
    _compiled(["ar", "rcs", str(folder / "libreference.a"), *objects])
    return folder


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(path, marks=() if path.stem == "blas" else pytest.mark.slow, id=path.stem)
        for path in _PROGRAMS
    ],
)
def test_translations_pass(source: Path, reference: Path, tmp_path: Path) -> None:
    assert run_g2o(["translate", "-q", str(source), "-o", str(tmp_path / "program.cpp")]) == 0
    program = tmp_path / "program"
    where = (f"-I{_STUBS}", str(tmp_path / "program.cpp"), f"-L{reference}", "-lreference", "-lm")
    _compiled(["g++", *_FLAGS, *where, "-o", str(program)])
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("PASS\n", 0)


@pytest.mark.slow
@pytest.mark.parametrize("source", _PROGRAMS, ids=lambda path: path.stem)
def test_emulated_sources_pass(
    source: Path, reference: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / source.name
    program.write_bytes(source.read_bytes())
    words = ["verify", str(program), "--threads", "2", "--", f"-I{_STUBS}", f"-L{reference}"]
    assert run_g2o([*words, "-lreference"]) == 0
    assert "agrees: 1 lines" in capfd.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_every_function_can_be_called(compiler: str, tmp_path: Path) -> None:
    """Its code is made only where it is called: here, for all of them."""
    functions = [name for name in names_of_parts() if name[:6] == "cublas" and name[-2:] != "_t"]
    lines = [f"    taken(g2o::{name});" for name in functions if name not in _TYPES]
    assert len(lines) > 200
    source = tmp_path / "all.cpp"
    source.write_text(
        '#include "g2o_cublaslt.hpp"\n'
        "template <class Of> void taken(const Of &name) { (void)typename Of::Pointer(name); }\n"
        "template <class... A> void taken(g2o::cublasStatus_t (*)(A...)) {}\n"
        "void taken(const char *(*)(g2o::cublasStatus_t)) {}\n"
        "void all()\n{\n" + "\n".join(lines) + "\n}\n"
    )
    where = (f"-I{_RUNTIME}", f"-idirafter{_STUBS}", str(source))
    _compiled([compiler, *_FLAGS, "-fsyntax-only", *where])


_TYPES = ("cublasContext", "cublasLtContext", "cublasStatus")
