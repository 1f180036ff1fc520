"""Files that are written whole or not at all, and SIGTERM while something has to be cleaned up."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ooa.keeping import TERMINATED, clean_end, replacing, why_not_writable, write_text

POSIX = pytest.mark.skipif(os.name != "posix", reason="about files as POSIX has them")


def test_a_file_is_written_and_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "new.txt", ["one\n", "two ≤\n"])
    assert (tmp_path / "new.txt").read_bytes() == "one\ntwo ≤\n".encode()
    write_text(str(tmp_path / "new.txt"), "three", encoding="ascii")
    assert (tmp_path / "new.txt").read_text() == "three"
    assert os.listdir(tmp_path) == ["new.txt"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_whatever_goes_wrong_leaves_the_old_file(tmp_path: Path, failure: type[BaseException]) -> None:
    place = tmp_path / "model.json"
    place.write_text("old")

    def pieces():
        yield "half"
        raise failure

    with pytest.raises(failure):
        write_text(place, pieces())
    assert place.read_text() == "old"
    assert os.listdir(tmp_path) == ["model.json"]


def test_a_text_that_the_encoding_lacks_leaves_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "model.lp"
    place.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(place, "≤", encoding="ascii")
    assert place.read_text() == "old"


@POSIX
def test_who_may_read_stays_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "secret.json"
    place.write_text("old")
    place.chmod(0o600)
    write_text(place, "new")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "fresh.json", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fresh.json").stat().st_mode) == 0o640


@POSIX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_text(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


@POSIX
def test_devices_and_pipes_are_written_to(tmp_path: Path) -> None:
    write_text(os.devnull, "anything")
    assert Path(os.devnull).is_char_device()
    done = subprocess.run(
        [sys.executable, "-c", "from ooa.keeping import write_text; write_text('/dev/stdout', 'through')"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "through"


@POSIX
def test_the_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    place = tmp_path / "nowhere" / "model.json"
    with pytest.raises(FileNotFoundError) as raised:
        write_text(place, "new")
    assert raised.value.filename == str(place)
    with pytest.raises(IsADirectoryError) as found, replacing(tmp_path) as draft:
        draft.write_text("new")
    assert (found.value.filename, found.value.errno) == (str(tmp_path), errno.EISDIR)


@POSIX
def test_a_limit_on_the_size_of_files_leaves_the_old_one(tmp_path: Path) -> None:
    """As a full disk would: the write fails half way."""
    place = tmp_path / "model.json"
    place.write_text("old")
    script = (
        "import resource, sys; from ooa.keeping import write_text\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        f"try: write_text({str(place)!r}, 'x' * 100_000)\n"
        "except OSError as error: print(error.filename, error.errno)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(place), str(errno.EFBIG)]
    assert place.read_text() == "old"
    assert os.listdir(tmp_path) == ["model.json"]


def test_what_can_be_known_before(tmp_path: Path) -> None:
    assert why_not_writable(tmp_path / "new.json") is None
    assert why_not_writable(tmp_path) == "is a folder"
    assert why_not_writable(tmp_path / "no" / "new.json") == "there is no such folder"
    (tmp_path / "file").write_text("")
    assert why_not_writable(tmp_path / "file") is None
    assert why_not_writable(tmp_path / "file" / "new.json") == "there is no such folder"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written_is_known_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o400)
    assert why_not_writable(tmp_path / "file") == "may not be written to"
    tmp_path.chmod(0o500)
    try:
        assert why_not_writable(tmp_path / "new") == "the folder may not be written to"
    finally:
        tmp_path.chmod(0o700)


@POSIX
def test_sigterm_is_an_exit_with_clean_up() -> None:
    cleaned = []

    @contextmanager
    def cleaning() -> Iterator[None]:
        try:
            yield
        finally:
            signal.raise_signal(signal.SIGTERM)  # a second one does not cut the clean-up short
            cleaned.append(True)

    with pytest.raises(SystemExit) as ended, clean_end(), cleaning():
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == TERMINATED
    assert cleaned == [True]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@POSIX
def test_a_handler_of_the_users_own_stays() -> None:
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with clean_end():
            signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


@POSIX
def test_blocks_within_blocks_and_other_threads_are_fine() -> None:
    def elsewhere() -> None:
        with clean_end():
            reached.append(signal.getsignal(signal.SIGTERM))

    reached: list[object] = []
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert reached == [signal.SIG_DFL]
    with pytest.raises(SystemExit), clean_end(), clean_end():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@POSIX
def test_a_process_ends_well_after_a_ctrl_c_that_was_handled() -> None:
    script = """
from ooa.keeping import forget_ctrl_c
try:
    exec("raise KeyboardInterrupt")
except KeyboardInterrupt:
    forget_ctrl_c()  # without it some versions of Python end with -2
print("end")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
