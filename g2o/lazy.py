"""Modules that are loaded when something in them is first used.

For libraries that take long to load and that most commands do without.
"""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType


def loaded_on_use(name: str) -> ModuleType:
    """The module `name`, which runs on the first access to one of its attributes.

    Raises ModuleNotFoundError at once where there is none.
    """
    if name in sys.modules:
        return sys.modules[name]
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"no module named {name!r}", name=name)
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    package, _, own = name.rpartition(".")
    if package:  # as importing it does: whoever imports it now finds it loaded, and looks there
        setattr(sys.modules[package], own, module)
    return module
