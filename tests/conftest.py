"""Property tests draw the same examples on every run (OOA_EXPLORE=1 draws new ones); Ctrl-C always works."""

import os
import signal
import threading

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("support.cli_running", "support.ooa_checking")

settings.register_profile(
    "ooa",
    deadline=None,
    derandomize=not os.environ.get("OOA_EXPLORE"),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ooa")

# A shell starts background jobs with SIGINT ignored, which they and their children would inherit.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)
