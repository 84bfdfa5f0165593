"""placeholder"""
from g2o.ir.statements import Block
from g2o.lowering.context import LoweringContext


def lower_blocks(context: LoweringContext, body: Block) -> Block:
    raise NotImplementedError
