"""Cases that do not pass yet, and why. What passes leaves the list.

`make test` stays green while the differentiation grows, and the list shows what is left to do.
Written by `python -m tests.ad.harness --pending`.
"""

from typing import Final

PENDING: Final[dict[str, str]] = {}
