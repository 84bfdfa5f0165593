"""`g2o verify`, with a translator that is right, wrong, or writes what does not compile."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from g2o.cli import session
from g2o.frontend.cuda.project import Project
from tests.cli import fake_pipeline
from tests.cli.conftest import G2o

SOURCE: Final = """\
#include <cstdio>
#include <fstream>
#include <cuda_runtime.h>
__global__ void twice(int *x) { x[threadIdx.x] *= FACTOR; }
int main(int argc, char **argv)
{
    int host[4] = {1, 2, 3, argc}, *x;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<1, 4>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("%d %d %d %d\\n", host[0], host[1], host[2], host[3]);
    std::ofstream("out.txt") << host[3] << "\\n";
}
"""

TRANSLATION: Final = """\
#include <cstdio>
#include <fstream>
int main(int argc, char **argv)
{
    int host[4] = {1, 2, 3, argc};
    for (int &x : host)
        x *= FACTOR;
    printf("%d %d %d %d\\n", host[0], host[1], host[2], host[3]);
    std::ofstream("out.txt") << host[3] << "\\n";
}
"""


@pytest.fixture
def translating_to(monkeypatch: pytest.MonkeyPatch, in_tmp: Path) -> pytest.MonkeyPatch:
    (in_tmp / "a.cu").write_text(SOURCE)
    return monkeypatch


def use(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let every file be "translated" to `code`."""

    def translate(
        path: Path,
        options: fake_pipeline.TranslateOptions,
        shown_as: str,
        project: Project,
    ) -> fake_pipeline.Translation:
        made = fake_pipeline.translate_file(path, options, shown_as, project)
        return replace(made, code=code)

    monkeypatch.setattr(session, "translate_file", translate)


def test_agreement(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, TRANSLATION)
    Path("out.txt").write_text("mine")
    words = ("a.cu", "-DFACTOR=2", "--args", "x 'y z'", "--threads", "1,3")
    done = g2o("verify", *words, "--output-file", "out.txt")
    assert done.err == ""
    assert done.exit_code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert [[row[0], row[1], row[3]] for row in rows[1:]] == [
        ["emulation", "-", "ran"],
        ["translation", "1", "agrees:"],
        ["translation", "3", "agrees:"],
    ]
    assert rows[2][3:] == ["agrees:", "2", "lines,", "4", "numbers"]
    assert Path("out.txt").read_text() == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["a.cu", "out.txt"]


def test_wrong_result(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, TRANSLATION.replace("FACTOR", "3"))
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--threads", "2")
    assert done.exit_code == 1
    assert "a.cu: error: with 2 threads: line 1 of the output: 3 instead of 2\n" in done.err
    assert "[G2O0601]\n1 error.\n" in done.err
    assert done.out.splitlines()[-1].endswith("  differs")


def test_translation_that_does_not_build(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, "int main() { return nothing; }\n")
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--diagnostics-format", "json")
    assert done.exit_code == 1
    (found,) = json.loads(done.out)["diagnostics"]
    assert found["code"] == "G2O0603"
    assert "error: " in found["message"]


def test_source_that_does_not_build(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, "int main() {}\n")
    done = g2o("verify", "a.cu")
    assert done.exit_code == 1
    assert "a.cu: error: the emulated source does not build: " in done.err


def test_silence_is_a_warning(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, "int main() {}\n")
    Path("a.cu").write_text("int main() {}\n")
    done = g2o("verify", "a.cu", "--threads", "1")
    assert done.exit_code == 0
    assert "the program printed nothing; only its exit code was compared [G2O0605]" in done.err


def test_program_that_does_not_end(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, "int main() { for (volatile int x = 1; x;); }\n")
    Path("a.cu").write_text("int main() {}\n")
    done = g2o("verify", "a.cu", "--threads", "1", "--timeout", "0.5")
    assert done.exit_code == 1
    assert "a.cu: error: with 1 threads: no end within 0.5 s [G2O0601]" in done.err


def test_faults_of_the_translation_are_shown_and_nothing_is_run(g2o_fake: G2o) -> None:
    Path("a.cu").write_text("BAD")
    done = g2o_fake("verify", "a.cu")
    assert (done.exit_code, done.out) == (1, "")
    assert "bad thing [G2O0201]" in done.err


def test_missing_compiler_and_wrong_threads(g2o_fake: G2o) -> None:
    Path("a.cu").write_text("")
    done = g2o_fake("verify", "a.cu", "--compiler", "no-such-compiler")
    assert done.exit_code == 1
    assert done.err == "g2o: error: there is no compiler 'no-such-compiler' [G2O0604]\n1 error.\n"
    assert g2o_fake("verify", "a.cu", "--threads", "0").exit_code == 2


def test_what_differs_is_said(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    use(translating_to, TRANSLATION.replace("x *= FACTOR", "x = &x == host + 2 ? 7 : 2 * x"))
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--threads", "1")
    assert done.exit_code == 1
    assert (
        "with 1 threads: line 1 of the output: 7 instead of 6\n"
        "  expected: 2 4 6 2\n"
        "  found:    2 4 7 2\n"
        "  where:    number 3 of 4 in the line [G2O0601]\n"
    ) in done.err


def test_what_a_program_with_another_end_printed(
    g2o: G2o, translating_to: pytest.MonkeyPatch
) -> None:
    use(translating_to, TRANSLATION.replace("FACTOR", "5").replace("std::of", "return 3; std::of"))
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--threads", "1")
    assert done.exit_code == 1
    assert "exit code 3 instead of exit code 0: \n  output:   line 1: 5 instead of 2\n" in done.err


def test_every_main_is_a_program(g2o: G2o) -> None:
    text = '#include <cstdio>\nint twice(int x);\nint main() { printf("%d\\n", twice(NUMBER)); }\n'
    Path("one.cu").write_text(text.replace("NUMBER", "1"))
    Path("two.cu").write_text(text.replace("NUMBER", "2"))
    Path("twice.cu").write_text(
        "int twice(int x) { return 2 * x; }\n#ifdef TEST\nint main() {}\n#endif\n"
    )
    done = g2o("verify", "one.cu", "two.cu", "twice.cu", "--threads", "1")
    assert (done.exit_code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line for line in lines if line.endswith(":")] == ["one.cu:", "two.cu:"]
    assert sum("agrees: 1 lines" in line for line in lines) == 2


def test_order_of_threads(g2o: G2o, translating_to: pytest.MonkeyPatch) -> None:
    """What is handed on from thread to thread is there only if they come in order."""
    chain = "if (threadIdx.x) x[threadIdx.x] = x[threadIdx.x - 1] + FACTOR"
    Path("a.cu").write_text(SOURCE.replace("x[threadIdx.x] *= FACTOR", chain))
    use(translating_to, TRANSLATION.replace("x *= FACTOR", "x = host[0] + (&x - host) * FACTOR"))
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--threads", "1")
    assert done.exit_code == 0
    assert "a.cu: warning: the result depends on the order of the threads: line 1" in done.err
    assert "[G2O0609]\n1 warning.\n" in done.err
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[2][3:] == ["differs", "in", "another", "order"]
    use(translating_to, TRANSLATION.replace("FACTOR", "7"))  # in another order yet
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--threads", "1")
    assert done.exit_code == 1
    assert "note: the source's own result depends on the order of its threads there" in done.err
    assert "G2O0601" not in done.err


def test_a_device_that_nobody_asks_for_is_not_built_for(g2o: G2o) -> None:
    Path("a.cu").write_text(SOURCE)
    done = g2o("verify", "a.cu", "-DFACTOR=2", "--target", "offload", "--threads", "1")
    assert done.exit_code == 0, done.err
