"""The package as it is shipped: what the wheel holds, and a fit where it alone is installed."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from ooa.kernels.core_build import system_compiler

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="needs the source tree")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    # Out of tree, so that two runs at a time do not share a build folder.
    copy = tmp_path_factory.mktemp("source") / "ooa"
    copy.mkdir()
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "ooa", "backends"):
        (copy / name).symlink_to(ROOT / name)
    done = subprocess.run(
        [*command, "-w", str(folder), str(copy)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return next(folder.glob("ooa-*.whl"))


def test_the_wheel_holds_every_module(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, package in (("ooa", "ooa"), ("backends", "ooa_backends")):
        for path in (ROOT / folder).rglob("*.py"):
            assert f"{package}/{path.relative_to(ROOT / folder).as_posix()}" in names
        assert f"{package}/py.typed" in names
    for path in (ROOT / "ooa" / "report" / "explorer_files").iterdir():
        assert f"ooa/report/explorer_files/{path.name}" in names
    assert not any(name.startswith(("tests", "benchmarks", "backends")) for name in names)
    assert not any(name.endswith((".h", ".cpp")) for name in names)


@pytest.mark.skipif(system_compiler() is None, reason="there is no C++ compiler")
def test_the_wheel_has_the_compiled_core_for_every_python(wheel: Path) -> None:
    names = [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("ooa/kernels/_core_")]
    assert len(names) in (1, 3)
    python, abi, platform = wheel.stem.split("-")[-3:]
    assert (python, abi) == ("py3", "none")
    if sys.platform == "linux":
        assert platform == sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert platform != "any"


def test_a_fit_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    environment = os.environ | {"PATH": str(tmp_path), "PYTHONPATH": str(target)}  # no compiler there
    environment.pop("OOA_KERNELS", None)
    install = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    code = """
import ooa, ooa_backends
from ooa.datasets import monks
from ooa.kernels.availability import compiled
data = monks(1)
learned = ooa.learn_ooax(ooa.Table.from_any(data.X, data.y), C1=0.001, C2=0.001)
assert learned.certificate.proved
print(ooa.__file__, ooa_backends.__file__, compiled())
"""
    for words in (install, ["-c", code]):
        done = subprocess.run(
            [sys.executable, *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    *places, compiled = done.stdout.split()
    assert all(str(target) in place for place in places)
    assert compiled == str(any((target / "ooa" / "kernels").glob("_core_*")))
