"""Which member or element each value of a list is for, with and without inner braces."""

from __future__ import annotations

from g2o.analysis.braces import initialised, with_braces
from g2o.ir.expressions import Expr, InitList, Literal, VarRef
from g2o.ir.symbols import Storage, SymbolTable
from g2o.ir.types import FLOAT, INT, CType, TypeKind

_BYTE = CType("unsigned char", TypeKind.INTEGER, 8, is_signed=False)
_BYTES = CType("unsigned char[2]", TypeKind.ARRAY, element=_BYTE, extent=2)
_PAIR = CType("float2", TypeKind.RECORD, 64)
_INNER = CType("P", TypeKind.RECORD, fields=(("a", INT), ("c", _BYTES), ("f", _PAIR)))
_OUTER = CType("Q", TypeKind.RECORD, fields=(("p", _INNER), ("n", INT)))
_MADE = CType("M", TypeKind.RECORD, fields=(("a", INT), ("b", INT)), constructs=True)


def _numbers(count: int) -> tuple[Expr, ...]:
    return tuple(Literal(str(value), value, INT) for value in range(count))


def _types(braces: InitList) -> list[str]:
    return [ctype.spelling for _, ctype in initialised(braces)]


def test_values_are_for_the_members_of_members() -> None:
    told = _types(InitList(_numbers(6), _OUTER))
    assert told == ["int", "unsigned char", "unsigned char", "float", "float", "int"]
    assert _types(InitList(_numbers(2), _OUTER)) == ["int", "unsigned char"]


def test_inner_braces_and_whole_objects_are_one_value() -> None:
    inner = InitList(_numbers(1), _INNER)
    assert _types(InitList((inner, *_numbers(1)), _OUTER)) == ["P", "int"]
    whole = VarRef(SymbolTable().declare("p", _INNER, Storage.LOCAL))
    assert _types(InitList((whole, *_numbers(1)), _OUTER)) == ["P", "int"]


def test_constructors_take_their_values_themselves() -> None:
    assert _types(InitList(_numbers(2), _MADE)) == []
    array = CType("M[2]", TypeKind.ARRAY, element=_MADE, extent=2)
    assert _types(InitList(_numbers(2), array)) == ["M", "M"]


def test_arrays_without_extent_have_as_many_elements_as_values() -> None:
    assert (
        _types(InitList(_numbers(3), CType("float[]", TypeKind.ARRAY, element=FLOAT)))
        == ["float"] * 3
    )


def test_braces_that_were_left_out() -> None:
    first, second = with_braces(_numbers(4), (_BYTES, _BYTES))
    assert isinstance(first, InitList)
    assert isinstance(second, InitList)
    assert (first.elements, second.elements) == (_numbers(2), _numbers(4)[2:])
    (short,) = with_braces(_numbers(1), (_BYTES, _BYTES))
    assert isinstance(short, InitList)
    assert short.elements == _numbers(1)
