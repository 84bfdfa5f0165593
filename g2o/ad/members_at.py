"""Members that are reached by an index from the address of one of them, or of the whole.

    float &operator[](int i) { return (&x)[i]; }       (&v.x)[1], ((float *)&v)[1]   ->   v.y

Legal where the index is a constant and the members are numbers of one type, one behind the other.
"""

from __future__ import annotations

from g2o.ad.reals import fields_of, is_real, real_parts
from g2o.analysis.lvalues import object_at
from g2o.analysis.value_types import value_type
from g2o.ir.expressions import Expr, Form, Index, Member, Unary, integer_value, strip_parens
from g2o.ir.statements import Block, Node
from g2o.ir.traverse import rewrite
from g2o.ir.types import CType, TypeKind, number_name


def with_members_named(body: Block) -> Block:
    """`body` with such members under their names."""

    def named(node: Node) -> Node | None:
        match node:
            case Index(base=base, index=index):
                position = integer_value(index)
            case Unary(op="*", operand=base):
                position = 0
            case _:
                return None
        whole = object_at(base)
        element = value_type(base).element
        if whole is None or element is None or position is None or not is_real(element):
            return None
        return _number_at(rewrite(whole, named), position, element)

    return rewrite(body, named)


def _number_at(whole: Expr, position: int, element: CType) -> Expr | None:
    """The number at a position behind the beginning of an object."""
    place = strip_parens(whole)
    ctype = value_type(place)
    if not is_real(ctype):
        parts = real_parts(place)
        types = {number_name(value_type(part)) for part in parts}
        full = ctype.kind is TypeKind.ARRAY or ctype.bits == element.bits * len(parts)
        if types != {number_name(element)} or not full or not 0 <= position < len(parts):
            return None
        return parts[position]
    if number_name(ctype) != number_name(element):
        return None
    if position == 0:
        return place
    if not isinstance(place, Member) or place.arrow:
        return None
    fields = fields_of(value_type(place.base))
    names = [name for name, _ in fields]
    if names.count(place.name) != 1 or position < 0:
        return None
    behind = fields[names.index(place.name) :][: position + 1]
    if len(behind) <= position or any(
        number_name(one) != number_name(element) for _, one in behind
    ):
        return None
    return Member(place.base, behind[-1][0], type=behind[-1][1], form=Form.BUILT)
