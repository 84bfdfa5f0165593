"""`bench/side_by_side.py`: two scripts in place of programs, what is refused, what is printed."""

import json
import re
from pathlib import Path

import pytest

from bench.side_by_side import main
from bench.side_lib.report import SideTimes, speed, table
from bench.side_lib.settings import SettingsError, load_programs
from bench.timing_lib.measuring import PairedTimes

PROGRAM = """\
[programs.{name}]
run = "sh program {{threads}}"
time = '^time: ([0-9.]+)'
unit = "us"
lines = ["^sum"]
[programs.{name}.emitted]
folder = "{{here}}/emitted"
build = ["echo {{cxx}} > compiler", "mv script program"]
[programs.{name}.written]
folder = "{{here}}/written"
build = "mv script program"
time = '^region ([0-9.]+)'
unit = "ms"
"""


def folders(root: Path, emitted: str, written: str, settings: str = PROGRAM) -> Path:
    for name, text in (("emitted", emitted), ("written", written)):
        (root / name).mkdir()
        (root / name / "script").write_text(text)
    file = root / "programs.toml"
    file.write_text(settings.format(name="one"))
    return file


def test_two_programs_are_timed_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emitted = "echo time: 1500; echo other; echo time: 500; echo sum 1.00001; test -s compiler"
    file = folders(tmp_path, emitted, "echo region $1; echo sum 1.00002")
    out = tmp_path / "out.json"
    assert main([str(file), "--rounds", "2", "--json", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "program",
        "hand",
        "ms",
        "g2o",
        "ms",
        "ratio(1)",
        "hand",
        "ms",
        "g2o",
        "ms",
        "ratio(2)",
    ]
    assert lines[1].split() == ["one", "1.00", "2.00", "0.50", "2.00", "2.00", "1.00"]
    assert lines[2:] == [
        "1 programs, 1 thread: geometric mean 0.500, minimum 0.500",
        "1 programs, 2 threads: geometric mean 1.000, minimum 1.000",
    ]
    [row] = json.loads(out.read_text())["programs"]
    assert row["times"]["2"] == {"emitted": [2.0, 2.0], "written": [2.0, 2.0]}


@pytest.mark.parametrize(
    ("emitted", "reason"),
    [
        ("echo time: 1; echo sum 1.1", "they disagree"),
        ("echo time: 1; echo other", "they disagree"),
        ("echo sum 1.0", "run emitted: it prints no line"),
        ("echo time: .; echo sum 1.0", "run emitted: .* finds no number"),
        ("echo time: 0; echo sum 1.0", "run emitted: the time that it prints is 0"),
        ("echo time: 1; echo sum 1.0; exit 3", "run emitted: exit code 3"),
    ],
)
def test_what_does_not_agree_has_no_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], emitted: str, reason: str
) -> None:
    file = folders(tmp_path, emitted, "echo region 1; echo sum 1.0")
    assert main([str(file), "--rounds", "1", "--threads", "1"]) == 1
    assert re.search(reason, capsys.readouterr().out)


def test_build_that_fails_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folders(tmp_path, "", "", PROGRAM.replace("mv script", "mv missing"))
    assert main([str(file)]) == 1
    assert "emitted: `mv missing program`: exit code 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('lines = ["^sum"]\n', "", "nothing is compared"),
        ('unit = "ms"', 'unit = "h"', "'h' is none of s, ms, us, ns"),
        ("([0-9.]+)", "[0-9.]+", "time needs one group"),
        ("build = ", "command = ", "unknown: command"),
        ('folder = "{{here}}/emitted"\n', "", "'folder' is not a string"),
    ],
)
def test_settings_that_say_nothing_are_wrong(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    file = folders(tmp_path, "", "", PROGRAM.replace(old, new))
    with pytest.raises(SettingsError, match=reason):
        load_programs(file)
    assert main([str(file)]) == 2


def test_unknown_program_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folders(tmp_path, "", "")), "--programs", "two"]) == 2
    assert "two" in capsys.readouterr().err


def test_best_of_all_rounds_counts() -> None:
    times = PairedTimes((2.0, 9.0), (4.0, 3.0))
    assert speed(times) == 1.5
    rows = [SideTimes("good", {1: times}), SideTimes("bad", {}, "emitted: no")]
    assert table(rows, (1,)).splitlines()[1] == "bad   emitted: no"
