"""Old-style declarations: which assignments become declarations, and which must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

HEAD = "__global__ void k(int *x, int n) {\n  __shared__ int s[8];\n"


def translated(tmp_path: Path, body: str) -> str:
    path = tmp_path / "x.cu"
    path.write_text(HEAD + body + "}\n")
    output = tmp_path / "x.omp.cpp"
    result = translate_file(path, TranslateOptions(), "x.cu", Project.alone(path, (), output))
    assert result.ok, result.diagnostics
    return result.code


def test_a_counter_belongs_to_its_loop(tmp_path: Path) -> None:
    code = translated(
        tmp_path,
        """
  int i, j = threadIdx.x;
  for (i = 0; i < n; i++) s[j] += x[i];
  __syncthreads();
  for (i = 0; i < n; i++) x[j] += s[i];
""",
    )
    assert code.count("for (int i = 0; i < n; i++)") == 2
    assert "int i;" not in code


@pytest.mark.parametrize(
    "rest",
    [
        "__syncthreads(); x[j] = s[0] + i;",  # read behind the loop
        "__syncthreads(); if (n > 3) i = 7; x[j] = s[0] + i;",  # and not always overwritten
    ],
)
def test_a_value_that_is_read_later_stays(tmp_path: Path, rest: str) -> None:
    loop = "  int i, j = threadIdx.x;\n  for (i = 0; i < j; i++) s[j] += x[i];\n"
    code = translated(tmp_path, loop + rest)
    assert "int i = 0" not in code


def test_a_second_value_of_a_block_is_a_variable_of_its_own(tmp_path: Path) -> None:
    code = translated(
        tmp_path,
        """
  int j = threadIdx.x, at = x[j];
  s[j] = at++;
  __syncthreads();
  at = s[7 - j];
  x[j] = at + s[at % 8];
""",
    )
    assert "int at = x[" in code
    assert "int at = s[" in code


def test_a_variable_whose_address_is_taken_stays(tmp_path: Path) -> None:
    code = translated(
        tmp_path,
        """
  int j = threadIdx.x, at = 1, *p = &at;
  s[j] = *p;
  __syncthreads();
  at = s[7 - j];
  x[j] = *p;
""",
    )
    assert "at2" not in code


def test_a_value_made_of_the_one_before_is_a_variable_of_its_own(tmp_path: Path) -> None:
    code = translated(
        tmp_path,
        """
  int j = threadIdx.x, west = j - 1;
  west = west < n ? n : west;
  s[j] = x[west];
  __syncthreads();
  x[j] = s[7 - j] + west;
""",
    )
    assert "int west2 = west < n ? n : west;" in code
    assert "west[" not in code
