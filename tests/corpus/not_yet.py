"""Corpus programs that g2o refuses today: a list that shrinks, as one that passes fails."""

from __future__ import annotations

from typing import Final

import pytest

from tests.corpus.programs import corpus_programs

_BARRIERS: Final = "kernels with barriers"

NOT_YET: Final[dict[str, str]] = dict.fromkeys(
    (
        "attention_head",
        "block_sum",
        "conv2d_constant",
        "dot_product",
        "histogram",
        "kmeans",
        "layer_forward",
        "layernorm",
        "lu_decompose",
        "matmul_rect_dynamic",
        "matmul_tiled",
        "monte_carlo_pi",
        "multi_file",
        "nbody",
        "needleman",
        "pagerank_csr",
        "radix_sort_block",
        "reduce_multi_device_fn",
        "reduce_shfl",
        "scan_blelloch",
        "scan_warp",
        "softmax_rows",
        "spmv_warp",
        "stencil1d_shared",
        "transpose_shared",
    ),
    _BARRIERS,
)


# All programs as parameters of a test; those of `NOT_YET` are expected to fail.
PROGRAMS: Final = [
    pytest.param(
        program,
        id=program.name,
        marks=pytest.mark.xfail(strict=True, reason=NOT_YET[program.name])
        if program.name in NOT_YET
        else (),
    )
    for program in corpus_programs()
]
