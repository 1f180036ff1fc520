"""What a session checks, one by one."""

from __future__ import annotations
