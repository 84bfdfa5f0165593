"""Delta debugging over the tree that a generator has made a program from.

A program that fails is made smaller for as long as what is left still fails (`smallest`, for trees
of any kind). A `Tree` is text with holes, one for each of its parts: statements go, many at once at
first; statements with a body give way to the body; expressions give way to one of their operands or
to a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, TypeVar, final

T = TypeVar("T")
HOLE: Final = "@"


@final
@dataclass(frozen=True, slots=True)
class Tree:
    """`text` with a hole for each of the `parts`. `is_list`: any of the parts may go. `others` are
    texts that may stand in its place; a part may if it `lifts` them."""

    text: str
    parts: tuple[Tree, ...] = ()
    is_list: bool = False
    lifts: bool = True
    others: tuple[str, ...] = ()


def sequence(parts: list[Tree]) -> Tree:
    """Statements one after the other."""
    return Tree("", tuple(parts), is_list=True)


def rendered(tree: Tree) -> str:
    """The text of the whole tree."""
    if tree.is_list:
        return "".join(rendered(one) for one in tree.parts)
    pieces = tree.text.split(HOLE)
    assert len(pieces) == len(tree.parts) + 1, tree.text
    result = pieces[0]
    for part, piece in zip(tree.parts, pieces[1:], strict=True):
        result += rendered(part) + piece
    return result


def indented(text: str) -> str:
    """C++ text with each line as far to the right as its braces say."""
    depth, lines = 0, list[str]()
    for line in (one.strip() for one in text.splitlines()):
        closing = line.startswith("}")
        is_case = line.startswith(("case ", "default:"))
        lines.append("    " * (depth - closing - is_case) + line if line else "")
        depth += line.count("{") - line.count("}")
    return "\n".join(lines) + "\n"


def smallest(
    whole: T,
    smaller: Callable[[T], Iterator[T]],
    fails: Callable[[T], bool],
    text: Callable[[T], str],
    most: int = 4000,
) -> T:
    """What is left of `whole`, which fails, once nothing that `smaller` makes of it fails, or
    `most` programs were tried. It goes on from the place of what was last taken away; no text is
    tried twice."""
    seen = {text(whole)}
    place = 0

    def is_smaller(one: T) -> bool:
        shown = text(one)
        if shown in seen or len(seen) > most:
            return False
        seen.add(shown)
        return fails(one)

    while True:
        candidates = islice(enumerate(smaller(whole)), place, None)
        found = next(((number, one) for number, one in candidates if is_smaller(one)), None)
        if found is not None:
            place, whole = found
        elif place:
            place = 0
        else:
            return whole


def reduced(tree: Tree, fails: Callable[[Tree], bool]) -> Tree:
    """A smaller tree that `fails` still holds for, of which no single step is smaller."""
    return smallest(tree, _smaller, fails, rendered)


def _smaller(tree: Tree) -> Iterator[Tree]:
    for path in _paths(tree):
        for node in _steps(_at(tree, path)):
            yield _put(tree, path, node)


def _steps(node: Tree) -> Iterator[Tree]:
    if node.is_list:
        size = len(node.parts)
        while size:
            for begin in range(0, len(node.parts), size):
                left = node.parts[:begin] + node.parts[begin + size :]
                yield replace(node, parts=left)
            size //= 2
        return
    if node.lifts:
        yield from node.parts
    yield from (Tree(text) for text in node.others if text != node.text or node.parts)


def _paths(tree: Tree, above: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield above
    for number, part in enumerate(tree.parts):
        yield from _paths(part, (*above, number))


def _at(tree: Tree, path: tuple[int, ...]) -> Tree:
    for number in path:
        tree = tree.parts[number]
    return tree


def _put(tree: Tree, path: tuple[int, ...], new: Tree) -> Tree:
    if not path:
        return new
    first, rest = path[0], path[1:]
    parts = list(tree.parts)
    parts[first] = _put(parts[first], rest, new)
    return replace(tree, parts=tuple(parts))
