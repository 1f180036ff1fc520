"""Which version of a package is installed, read from the name of a folder."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from ooa_backends._versions import PackageNotFoundError, installed_version


@pytest.mark.parametrize("package", ["numpy", "highspy", "pytest"])
def test_it_is_what_its_metadata_say(package: str) -> None:
    assert installed_version(package) == metadata.version(package)


def test_the_first_on_the_path_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name in (("a", "Madeup-2.1.dist-info"), ("b", "madeup-3.0.dist-info")):
        (tmp_path / place / name).mkdir(parents=True)
        monkeypatch.syspath_prepend(tmp_path / place)
    installed_version.cache_clear()
    assert installed_version("madeup") == "3.0"


def test_what_is_not_there_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "madeup_more-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PackageNotFoundError):
        installed_version("madeup-not-there")
