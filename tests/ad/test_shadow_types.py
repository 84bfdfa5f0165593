"""How the types of shadows are spelled."""

from g2o.ad.shadows import shadow_type
from g2o.ir.types import CType, TypeKind, declarator

_DOUBLE = CType("const double", TypeKind.FLOATING, 64, is_const=True)


def test_a_pointer_to_rows_stays_one() -> None:
    row = CType("const double[8]", TypeKind.ARRAY, element=_DOUBLE, extent=8)
    rows = CType("const double (*)[8]", TypeKind.POINTER, 64, element=row)
    assert declarator(shadow_type(rows).spelling, "d_u") == "double (*d_u)[8]"


def test_what_a_shadow_points_to_can_be_written() -> None:
    spelled = "const double *__restrict__"
    pointer = CType(spelled, TypeKind.POINTER, 64, element=_DOUBLE, is_restrict=True)
    assert shadow_type(pointer).spelling == "double *__restrict__"
