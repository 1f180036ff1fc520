"""Which version of a package is installed, looked up once: reading its metadata takes milliseconds."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache


class PackageNotFoundError(Exception):
    """There is no such package."""


@cache  # errors are not kept, so that a package installed meanwhile is found
def installed_version(package: str) -> str:
    """The version of an installed package; raises PackageNotFoundError if there is none.

    The folder of what an installer wrote is called by name and version. What reads more of it than that takes
    longer to import than a small fit takes, and is asked where there is no such folder.
    """
    for place in sys.path:
        with suppress(OSError):
            for name in os.listdir(place or "."):
                stem, _, end = name.rpartition(".")
                found, _, version = stem.partition("-")
                if end == "dist-info" and found.lower() == package and version:
                    return version
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise PackageNotFoundError(package) from None
