"""No comment of the source is lost, whatever becomes of the statements around it.

Device functions may leave the file with their comments, as they have been inlined.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import pytest

from tests.corpus.programs import PROGRAMS, CorpusProgram

_TOKEN: Final = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<open>\{)|(?P<close>\})|(?P<device>\b__device__\b)
      |(?P<end>;)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\w+|.""",
    re.DOTALL | re.VERBOSE,
)


def comments(text: str, device_functions: bool) -> Counter[str]:
    """The words of the comments in a file, with or without those of device functions."""
    found: list[str] = []
    depth, device_depth = 0, -1
    pending: list[str] = []  # since the last statement or definition ended
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind == "comment" and (device_functions or device_depth < 0):
            pending.append(match.group())
        elif kind == "device" and device_depth < 0 and not device_functions:
            device_depth = depth
            pending.clear()
        elif kind in ("end", "close") and depth <= device_depth:
            device_depth = -1
        elif kind in ("end", "close", "open"):
            found.extend(pending)
            pending.clear()
    joined = "\n".join([*found, *pending])
    return Counter(re.findall(r"\w+", re.sub(r"//|/\*|\*/", " ", joined)))


def test_comments_of_device_functions_are_told_apart() -> None:
    text = "// a\nint f;\n// b\n__device__ int g() { // c\n return 1; }\n// d\nvoid h() { /* e */ }"
    assert comments(text, device_functions=False) == Counter("ade")
    assert comments(text, device_functions=True) == Counter("abcde")


# Comments on statements that are gone, since others do what they did.
_GONE: Final = {
    "histogram": (  # the block's own bins, which are zeroed and added up
        "There are more bins than threads.",
        "Empty bins are common when a block sees few samples.",
    ),
    "scan_blelloch": (  # one loop adds up what a tree did
        "The root holds the total; it is set to the identity for the way down.",
        "Down-sweep: a left child gets what its parent has, a right child that plus the left sum.",
    ),
    "scan_warp": ("The first warp scans the totals; its upper lanes have none.",),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_comment_is_lost(program: CorpusProgram) -> None:
    for source, output in zip(program.inputs, program.outputs, strict=True):
        before = comments((program.directory / source).read_text("latin-1"), False)
        after = comments((program.directory / "expected" / output).read_text("latin-1"), True)
        gone = " ".join(_GONE.get(program.name, ()))
        assert before - after - Counter(re.findall(r"\w+", gone)) == Counter()
