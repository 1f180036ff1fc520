"""Which version of a package is installed, looked up once: reading its metadata takes milliseconds."""

from __future__ import annotations

from functools import cache
from importlib import metadata

PackageNotFoundError = metadata.PackageNotFoundError


@cache  # errors are not kept, so that a package installed meanwhile is found
def installed_version(package: str) -> str:
    """The version of an installed package; raises PackageNotFoundError if there is none."""
    return metadata.version(package)
