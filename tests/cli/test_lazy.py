"""Modules that are loaded on use are found by others as if they were loaded."""

from __future__ import annotations

import subprocess
import sys


def test_a_module_of_a_package_is_there_for_others() -> None:
    code = (
        "from g2o.lazy import loaded_on_use\n"
        "loaded_on_use('concurrent.futures')\n"
        "import asyncio, concurrent.futures\n"
        "assert concurrent.futures.FIRST_COMPLETED == asyncio.FIRST_COMPLETED\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
