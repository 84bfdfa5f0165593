"""`import g2o` needs no PyTorch, and loads none."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest


def test_g2o_does_not_load_it() -> None:
    code = "import g2o, sys; g2o.RawKernel; sys.exit('torch' in sys.modules)"
    assert subprocess.run((sys.executable, "-c", code), check=False).returncode == 0


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is there")
def test_what_to_install_is_told() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"g2o.torch needs PyTorch: pip install 'g2o\["):
        import_module("g2o.torch")
