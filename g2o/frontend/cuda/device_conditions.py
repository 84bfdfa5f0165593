"""What only a device compiles is read as the device does.

    __global__ void k(float *x)
    {
    #if __CUDA_ARCH__ >= 700        ->  #if G2O_CUDA_ARCH >= 700
        x[threadIdx.x] = 1.0f;
    #endif
    }

`__CUDA_ARCH__` is not defined while the source is read, nor where the translation is compiled: code
for both sides takes its branch for hosts. Inside of a function that only a device runs, conditions
ask for the architecture that the runtime header describes. That is left where the device would take
instructions of its own, and a host something else.

So they do in all code where the device's branch does what only threads do, which no host can take
the place of: it names positions, waits, exchanges values, adds atomically, or calls a function of
the file that does, or one that is called like that. Hosts that call it do the same, or are told
that they cannot.

    __host__ __device__ void add(int *p, int v)
    {
    #ifdef __CUDA_ARCH__            ->  #ifdef G2O_CUDA_ARCH
        atomicAdd(p, v);
    #else
        *p += v;
    #endif
    }
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from g2o.frontend.cuda.lexer import Directive, LexedFile, Token, lex
from g2o.frontend.cuda.names_device import ATOMICS, LOWERED_NAMES
from g2o.frontend.cuda.taken_branches import (
    DESCRIBED,
    NEWEST,
    NOTHING,
    conditionals,
    is_the_same,
    taken,
)

ARCHITECTURE: Final = "__CUDA_ARCH__"
DEVICE_ARCHITECTURE: Final = "G2O_CUDA_ARCH"  # as long: all places stay what they were
_ENDS: Final = frozenset((";", "{", "}"))
_OF_THREADS: Final = LOWERED_NAMES | ATOMICS | {"__shared__", "cooperative_groups"}
_CALLED_SO: Final = re.compile(r"(?i)^(?!std)\w*(atomic|syncthreads|sync_threads|shfl|ballot)")
_KEYWORDS: Final = frozenset(("if", "for", "while", "switch", "catch", "return", "sizeof", "main"))
_ASSEMBLY: Final = frozenset(("asm", "__asm__", "wmma", "nvcuda"))


@lru_cache(maxsize=64)
def device_conditions(text: str) -> tuple[Token, ...]:
    """Each `__CUDA_ARCH__` of such conditionals, in order."""
    code, found = _of_devices(text)
    named = (one for parts in found if _differs(parts, code) for one in _named(parts))
    return tuple(sorted(named, key=lambda token: token.begin))


def settled_conditions(text: str) -> frozenset[int]:
    """Where conditionals begin of which newer devices, too, take what is read."""
    code, found = _of_devices(text)
    return frozenset(
        parts[0].begin
        for parts in found
        if (is_the_same(parts) and _differs(parts, code))
        or (taken(parts, NEWEST) == taken(parts, None) is not None)
    )


def _of_devices(text: str) -> tuple[Sequence[Token], list[list[Directive]]]:
    """The code, and the conditionals on `__CUDA_ARCH__` in what only a device runs, or can."""
    if ARCHITECTURE not in text:
        return (), []
    lexed = lex(text)
    bodies = list(_device_bodies(lexed.code))
    every = list(conditionals(lexed.directives))
    found = [
        parts
        for parts in every
        if _named(parts)
        and (
            any(first < parts[0].begin and parts[-1].end < last for first, last in bodies)
            or _is_of_threads(parts, every, lexed)
        )
    ]
    return lexed.code, found


def _is_of_threads(
    parts: Sequence[Directive], others: Sequence[Sequence[Directive]], lexed: LexedFile
) -> bool:
    """Does the device take a branch that does what only threads do, or defines what switches such
    code on?"""
    branch = taken(parts, DESCRIBED)
    if branch is None or branch == NOTHING or branch == taken(parts, None):
        return False
    begin, end = parts[branch].line_end, parts[branch + 1].begin
    acting = _acting(lexed)
    if _acts(_words(begin, end, lexed), acting):
        return True
    defined = {
        one.tokens[0].text
        for one in lexed.directives
        if one.name == "define" and begin <= one.begin < end and one.tokens
    }
    return any(
        not defined.isdisjoint(token.text for one in asking for token in one.tokens)
        and _acts(_words(asking[0].line_end, asking[-1].begin, lexed), acting)
        for asking in (others if defined else ())
    )


def _acts(words: Iterable[str], acting: frozenset[str]) -> bool:
    """Is one of the words, or of the functions that they name, of threads?"""
    return any(word in acting or _CALLED_SO.search(word) for word in words)


@lru_cache(maxsize=8)
def _acting(lexed: LexedFile) -> frozenset[str]:
    """What only threads do, and the functions of the file that do it."""
    bodies: list[tuple[str, frozenset[str]]] = []
    opened: list[tuple[str, int]] = []
    head: list[str] = []
    for number, token in enumerate(lexed.code):
        if token.text == "{":
            name = head[head.index("(") - 1] if "(" in head[1:] else ""
            opened.append((name, number))
        elif token.text == "}" and opened:
            name, first = opened.pop()
            if name.isidentifier():
                inside = frozenset(one.text for one in lexed.code[first:number])
                bodies.append((name, inside))
        head = [] if token.text in _ENDS else [*head, token.text]
    found = set(_OF_THREADS)
    while True:
        more = {name for name, inside in bodies if not found.isdisjoint(inside)} - found
        if not more - _KEYWORDS:
            return frozenset(found)
        found |= more - _KEYWORDS


def _words(begin: int, end: int, lexed: LexedFile) -> Iterator[str]:
    """What stands there in the code and in the definitions of macros."""
    yield from (token.text for token in lexed.code if begin <= token.begin < end)
    for one in lexed.directives:
        if one.name == "define" and begin <= one.begin < end:
            yield from (token.text for token in one.tokens)


def _named(parts: Sequence[Directive]) -> list[Token]:
    return [token for one in parts for token in one.tokens if token.text == ARCHITECTURE]


def _differs(parts: Sequence[Directive], code: Sequence[Token]) -> bool:
    """May the device take another branch, which can be translated or that nothing replaces?"""
    host = taken(parts, None)
    if host == NOTHING:
        return True
    device = taken(parts, DESCRIBED)
    if host is None or device is None:
        return not _has_assembly(parts[0].line_end, parts[-1].begin, code)
    if host == device:
        return False
    return device == NOTHING or not _has_assembly(
        parts[device].line_end, parts[device + 1].begin, code
    )


def _has_assembly(begin: int, end: int, code: Sequence[Token]) -> bool:
    return any(begin <= one.begin < end and one.text in _ASSEMBLY for one in code)


def as_device_takes_it(text: str) -> str:
    """The text with the name of the described architecture in these conditions."""
    pieces: list[str] = []
    position = 0
    for token in device_conditions(text):
        pieces += [text[position : token.begin], DEVICE_ARCHITECTURE]
        position = token.end
    return "".join(pieces) + text[position:]


def _device_bodies(code: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where the bodies of functions lie that only a device runs, and those of its lambdas; nothing
    where the branches of a conditional open a bracket twice."""
    found: list[tuple[int, int]] = []
    opened: list[tuple[int, bool]] = []  # where, and is it such a body?
    head: list[str] = []
    for token in code:
        if token.text == "{":
            is_device = "__global__" in head or ("__device__" in head and "__host__" not in head)
            opened.append((token.begin, is_device and ")" in head))
        elif token.text == "}":
            if not opened:
                return
            begin, is_body = opened.pop()
            found += [(begin, token.end)] if is_body else []
        head = [] if token.text in _ENDS else [*head, token.text]
    if not opened:
        yield from found
