"""The text of IR, what the verifier finds, and the options that ask for both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from g2o.analysis.functions import FunctionTable
from g2o.cli.main import run
from g2o.diagnostics.diagnostic import Refusal
from g2o.frontend.cuda.program import read_program
from g2o.frontend.cuda.project import Project
from g2o.ir.dump import dump_function, dump_lowered
from g2o.ir.expressions import Assign, Cast, InitList, Literal, Paren, VarRef
from g2o.ir.kernel import Kernel
from g2o.ir.statements import Barrier, Block, CountedLoop, ExprStatement, Scope
from g2o.ir.types import INT, CType, TypeKind
from g2o.ir.verify import verify_function, verify_lowered
from g2o.ir.watch import PassWatch
from g2o.lowering.kernel import lower_kernel
from g2o.passes import PASSES

SOURCE = """\
__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"""
DUMP = """\
kernel scale(x%1: float *, n%2: int)
=   2  block
=   3    declare i%3: int = ((blockIdx.x * blockDim.x) + threadIdx.x)
=   4    if (i%3 < n%2)
=   5      (x%1[i%3] *= 2)
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    path = tmp_path / "x.cu"
    path.write_text(SOURCE)
    project = Project.alone(path, (), path.with_suffix(".cpp"))
    program = read_program(path, (), "x.cu", project, "g2o_runtime.hpp")
    function = program.kernels[0].function
    assert function is not None
    return Kernel(function)


def test_kernel_as_text(kernel: Kernel) -> None:
    assert dump_function(kernel.function) == DUMP
    assert verify_function(kernel.function) == ()


def test_variables_are_declared_before_and_around_their_uses(kernel: Kernel) -> None:
    first, *rest = kernel.body.statements
    without = replace(kernel.function, body=Block(tuple(rest)))
    assert verify_function(without) == ("'i%3' is not declared",)
    late = replace(kernel.function, body=Block((*rest, first)))
    assert set(verify_function(late)) == {"'i%3' is used outside its scope"}
    inner = replace(kernel.function, body=Block((Block((first,)), *rest)))
    assert set(verify_function(inner)) == {"'i%3' is used outside its scope"}


def test_text_of_a_part_is_inside_the_text_of_the_whole(kernel: Kernel) -> None:
    declared, conditional = kernel.body.statements
    swapped = replace(conditional, span=declared.span)
    wrong = replace(kernel.function, body=Block((declared, swapped)))
    assert any("is not inside the text of" in fault for fault in verify_function(wrong))


def test_a_number_is_that_of_one_variable(kernel: Kernel) -> None:
    index = kernel.function.parameters[0]
    other = ExprStatement(VarRef(replace(index, name="other")))
    wrong = replace(kernel.function, body=Block((*kernel.body.statements, other)))
    assert verify_function(wrong) == ("'x%1' and 'other%1' are two variables of one number",)


def test_values_go_to_places(kernel: Kernel) -> None:
    whole = CType("Hit", TypeKind.RECORD)
    made = Cast(InitList((VarRef(kernel.function.parameters[1]),), whole), whole)
    for target in (made, Paren(made), Literal("1", 1, INT)):
        lost = ExprStatement(Assign("=", target, made, whole))
        wrong = replace(kernel.function, body=Block((*kernel.body.statements, lost)))
        (fault,) = verify_function(wrong)
        assert fault.endswith("sets what is no place")
        with pytest.raises(Refusal):
            PassWatch().see("structures", replace(kernel, function=wrong))


def test_lowered_kernels_are_loops_and_nothing_else(kernel: Kernel) -> None:
    functions = FunctionTable(lambda key: None)
    lowered = lower_kernel(kernel, functions, False, 2)
    assert verify_lowered(lowered) == ()
    assert dump_lowered(lowered).startswith("lowered scale(grid%")
    assert any(isinstance(statement, CountedLoop) for statement in lowered.body)
    left = replace(lowered, body=(*lowered.body, Barrier(Scope.BLOCK)))
    assert verify_lowered(left) == ("'barrier block' is left after lowering",)
    index = next(s.index for s in lowered.body if isinstance(s, CountedLoop))
    behind = replace(lowered, body=(*lowered.body, ExprStatement(VarRef(index))))
    assert verify_lowered(behind) == (f"'{index.name}%{index.id}' is used outside its scope",)


def test_options_print_and_verify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.cu").write_text(SOURCE)
    asked = [word for name in PASSES for word in ("--print-after", name)]
    assert run(["translate", "x.cu", "--verify-each", "--grad", "--jvp", "--hvp", *asked]) == 0
    err = capfd.readouterr().err
    seen = [line[9:] for line in err.splitlines() if line.startswith("-- after")]
    assert set(seen) == set(PASSES)
    primal = seen[: seen.index("butterfly-reductions")]
    assert primal == [name for name in PASSES if name in primal]
    assert {name for name in PASSES if name not in primal} == {
        *("butterfly-reductions", "halves", "updates", "turns-in-step", "jvp", "grad", "hvp"),
        *("hoist-increments", "plain-increments", "join-increments"),
    }
    assert f"-- after read\n{DUMP}" in err
    assert run(["translate", "x.cu", "--print-after", "nothing"]) == 2


def test_translation_never_uses_what_is_not_declared(kernel: Kernel) -> None:
    watch = PassWatch()
    watch.see("read", kernel)
    first, *rest = kernel.body.statements
    broken = replace(kernel.function, body=Block((Block((first,)), *rest)))
    with pytest.raises(Refusal) as raised:
        watch.see("copies", replace(kernel, function=broken))
    (fault,) = raised.value.diagnostics
    assert fault.code == "G2O0218"
    assert fault.message.startswith("after the pass 'copies' 'i%3' is used outside its scope")
