"""The build backend of this package: that of setuptools, which also compiles the core.

pyproject.toml names it. Libraries are loaded by ctypes and know nothing of Python's own interface, so a wheel
fits every Python of a platform: ``py3-none-<platform>``; without a library in it, any platform.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

from .core_build import MACOS, build, system_compiler
from .core_files import LEVELS, is_current, library_file

__all__ = [
    "BuildPackage",
    "PlatformWheel",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

#: Where there are wheels of ziglang: elsewhere asking for it would end the installation.
_ZIG_MACHINES = {
    "linux": {"x86_64", "aarch64"},
    "darwin": {"x86_64", "arm64"},
    "win32": {"amd64", "arm64"},
}


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What has to be installed to build a wheel."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_compilers()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """What has to be installed for an installation in editable form."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_compilers()]


def _compilers() -> list[str]:
    """The compiler that pip can install, if there is no other."""
    able = platform.machine().lower() in _ZIG_MACHINES.get(sys.platform, set())
    return ["ziglang"] if able and system_compiler() is None else []


class BuildPackage(build_py):
    """Collects the modules and compiles the core: beside its sources for an installation in editable form."""

    def run(self) -> None:
        """Do it."""
        super().run()
        if self.editable_mode:
            build()
            return
        folder = Path(self.build_lib, "ooa", "kernels")
        if not any(os.environ.get(name) for name in ("CXX", "CXXFLAGS")):
            _take_over(folder)
        build(folder)


def _take_over(folder: Path) -> None:
    """Copy the libraries that were built from these very sources already; only the others are compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    for level in LEVELS:
        if is_current(library_file(level)):
            shutil.copyfile(library_file(level), library_file(level, folder))


class PlatformWheel(bdist_wheel):
    """A wheel for this platform and every Python, if the core could be compiled."""

    def run(self) -> None:
        """Do it."""
        self.run_command("build")
        folder = Path(self.get_finalized_command("build").build_lib, "ooa", "kernels")
        if any(folder.glob("_core_*")):
            # Such a wheel goes where the platform's files go; setuptools asks whether there are extensions.
            self.distribution.has_ext_modules = lambda: True
            self.root_is_pure = False
        super().run()

    def get_tag(self) -> tuple[str, str, str]:
        """Any Python; the platform of the libraries, if there are some."""
        _, _, where = super().get_tag()
        if self.root_is_pure:
            return "py3", "none", where
        if sys.platform == "darwin":  # a Python for two kinds of processors builds for the one it runs on
            where = f"macosx_{MACOS.replace('.', '_')}_{platform.machine()}"
        return "py3", "none", where
