"""Nothing lost, nothing left behind: files are written whole or not at all, SIGTERM waits for the clean-up.

A file is written beside the old one, which makes way when all is there: a full disk, a limit on the size of
files or a crash leaves what was there before.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

__all__ = ["TERMINATED", "clean_end", "forget_ctrl_c", "replacing", "why_not_writable", "write_text"]

AnyPath = str | os.PathLike[str]
#: The exit code of a process that SIGTERM ended, as shells write it.
TERMINATED = 143


@contextmanager
def replacing(path: AnyPath) -> Iterator[Path]:
    """Where to write what is to stand at a path; if the block ends well, it is put there.

    A device, a pipe, or a file in a folder that takes no others is written to directly.

    Parameters
    ----------
    path : the file, or a link to it

    Raises
    ------
    OSError
        What the system says; its `filename` is the path.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder, "rules.txt")
    ...     _ = place.write_text("old")
    ...     with contextlib.suppress(ValueError), replacing(place) as draft:
    ...         _ = draft.write_text("half of the new")
    ...         raise ValueError("something went wrong")
    ...     place.read_text(), len(os.listdir(folder))
    ('old', 1)
    """
    target = Path(os.path.realpath(path))
    special = os.path.exists(path) and not os.path.isfile(path)
    try:
        if special or (target.exists() and not os.access(target.parent, os.W_OK)):
            yield Path(path)
            return
        draft = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")
        try:
            mode = target.stat().st_mode & 0o777 if target.exists() else 0o666
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
            yield draft
            with open(draft, "rb") as written:
                os.fsync(written.fileno())  # what the disk cannot take is said now
            os.replace(draft, target)
        except BaseException:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        if error.errno is None:
            raise
        # Those who read it know the path that they gave, not the draft beside it.
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None


def write_text(path: AnyPath, text: str | Iterable[str], encoding: str = "utf-8") -> None:
    """Write a text, or its pieces, whole or not at all; lines end as they do in the text.

    Parameters
    ----------
    path : the file
    text : what to write
    encoding : of the file
    """
    with replacing(path) as draft, open(draft, "w", encoding=encoding, newline="") as stream:
        stream.writelines([text] if isinstance(text, str) else text)


def why_not_writable(path: AnyPath) -> str | None:
    """Why a file cannot be written, as far as that can be known before; None if nothing speaks against it.

    Examples
    --------
    >>> why_not_writable(os.curdir)
    'is a folder'
    >>> why_not_writable(os.path.join("no", "such", "folder", "file"))
    'there is no such folder'
    """
    target = Path(os.path.realpath(path))
    if os.path.isdir(path):
        return "is a folder"
    if os.path.exists(path):
        return None if os.access(path, os.W_OK) else "may not be written to"
    if not target.parent.is_dir():
        return "there is no such folder"
    return None if os.access(target.parent, os.W_OK | os.X_OK) else "the folder may not be written to"


@contextmanager
def clean_end() -> Iterator[None]:
    """Within the block, SIGTERM is an exit: what has to be cleaned up is, and the process ends.

    Only where SIGTERM would end the process at once: who has a handler of his own keeps it, and threads other
    than the main one cannot have any.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # one is enough; the clean-up is not to be cut short
        raise SystemExit(TERMINATED)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def forget_ctrl_c() -> None:
    """Have the process end as it would without the Ctrl-C that was just handled.

    Python ends with code -2 where a KeyboardInterrupt has passed through text that was executed, as in an
    import that was cut short, even if it was handled. Whatever text is executed next takes that back.
    """
    eval("0")
