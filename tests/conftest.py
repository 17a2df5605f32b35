"""Settings that all tests share: how long and how repeatably Hypothesis searches."""

import os

from hypothesis import HealthCheck, settings

# Times on a shared machine vary too much for a deadline per example to mean anything.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples in every run, so that a change cannot fail by another's bad luck.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None, print_blob=True)
# For `make test-slow`: many more examples than a developer would wait for.
settings.register_profile("long", settings.get_profile("default"), max_examples=2000)

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))
