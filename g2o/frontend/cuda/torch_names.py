"""The devices that the host side of an extension of PyTorch names: the CPU in place of CUDA's.

TORCH_CHECK(x.is_cuda(), ...)                    ->  TORCH_CHECK(x.is_cpu(), ...)
torch::TensorOptions().device(torch::kCUDA)      ->  torch::TensorOptions().device(torch::kCPU)
TORCH_LIBRARY_IMPL(ops, CUDA, m)                 ->  TORCH_LIBRARY_IMPL(ops, CPU, m)
at::checkAllSameGPU("f", {x, y})                 ->  at::checkAllSameCPU("f", {x, y})
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.lexer import Token, lex
from g2o.frontend.cuda.macros import streams
from g2o.frontend.cuda.unit_facts import UnitFacts
from g2o.frontend.edits import TextEdit

_SPELLED: Final = re.compile(
    r"(?:\.|->)\s*(?:is_cuda|cuda)\s*\(|\bkCUDA\b|\b(?:DeviceType|DispatchKey|Backend)\s*::\s*CUDA\b"
    r"|\bcheck(?:All)?SameGPU\b"
)
_MEMBERS: Final = {"is_cuda": "is_cpu", "cuda": "cpu"}
_RENAMED: Final = {
    "kCUDA": "kCPU",
    "checkSameGPU": "checkSameCPU",
    "checkAllSameGPU": "checkAllSameCPU",
}
_ENUMERATIONS: Final = ("DeviceType", "DispatchKey", "Backend")
_KEYS: Final = {"CUDA": "CPU", "AutogradCUDA": "AutogradCPU", "AutocastCUDA": "AutocastCPU"}
_REGISTRATION: Final = "TORCH_LIBRARY_IMPL"
_DEVICE: Final = re.compile(r'"cuda(:\d+)?"')


def spells_torch_devices(text: str) -> bool:
    """Does a text ask PyTorch for CUDA's devices?"""
    return _SPELLED.search(text) is not None


def torch_edits(source: SourceFile, facts: UnitFacts) -> tuple[list[TextEdit], list[Diagnostic]]:
    if not facts.reads_torch:
        return [], []
    edits: list[TextEdit] = []
    for stream in streams(lex(source.text)):
        edits += _edits(stream.tokens)
    return edits, []


def _edits(tokens: Sequence[Token]) -> Iterator[TextEdit]:
    texts = [token.text for token in tokens]
    for index, token in enumerate(tokens):
        before, after = texts[max(0, index - 2) : index], texts[index + 1 : index + 2]
        if token.text in _MEMBERS and before[-1:] in (["."], ["->"]) and after == ["("]:
            begin = token.begin
            if texts[max(0, index - 4) : index] == ["type", "(", ")", "."]:
                begin = tokens[index - 4].begin  # the deprecated `x.type().is_cuda()`
            yield TextEdit(begin, token.end, _MEMBERS[token.text])
        elif token.text in _RENAMED:
            yield TextEdit(token.begin, token.end, _RENAMED[token.text])
        elif token.text in _KEYS and (
            (before[-1:] == ["::"] and before[0] in _ENUMERATIONS)
            or texts[max(0, index - 4) : index - 2] == [_REGISTRATION, "("]
        ):
            yield TextEdit(token.begin, token.end, _KEYS[token.text])
        elif _DEVICE.fullmatch(token.text) and "Device" in texts[max(0, index - 3) : index]:
            yield TextEdit(token.begin, token.end, '"cpu"')  # `Device("cuda")`, `Device d("cuda")`
