"""How wide random searches are."""

from __future__ import annotations

from hypothesis import settings


def few(count: int, many: int = 1000) -> settings:
    """So many examples by default, and many in `make test-slow`: for tests whose examples take long."""
    return settings(max_examples=many if settings.get_current_profile_name() == "long" else count)
