"""Property tests draw the same examples on every run; OOA_EXPLORE=1 draws new ones."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ooa",
    deadline=None,
    derandomize=not os.environ.get("OOA_EXPLORE"),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ooa")
