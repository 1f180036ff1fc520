"""One command is run, and whatever happens becomes one sentence and an exit code."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TextIO

from ooa.errors import OOAError, OOAWarning, OptionError, shortened
from ooa.keeping import clean_end, forget_ctrl_c

from .ctrl_c import begin
from .output import aside, be_silent, note, prepare_streams
from .parser import build_parser
from .places import check_places

__all__ = ["run"]

#: Exit codes, as `ooa --help` documents them; argparse itself ends with 2.
FINE, WRONG, USAGE, UNFIT, INTERRUPTED, UNREAD = 0, 1, 2, 3, 130, 141


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; see `ooa.cli.main`."""
    prepare_streams()
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.print_help()
        return FINE
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        warnings.simplefilter("always", OOAWarning)
        try:
            with clean_end():
                check_places(arguments)
                command = _command(arguments.run)
                begin()
                code = command(arguments)
                sys.stdout.flush()
            return code
        except BrokenPipeError:
            be_silent(sys.stdout)  # the reader has gone: nothing more can be said
            return UNREAD
        except KeyboardInterrupt:
            aside("ooa: interrupted")
            forget_ctrl_c()
            return INTERRUPTED
        except Exception as error:
            if arguments.debug:
                aside(traceback.format_exc())
            aside(f"ooa: {shortened(_sentence(error))}")
            if isinstance(error, OSError) and error.filename is None:
                be_silent(sys.stdout)  # what it could not take is not tried once more at the end
            return WRONG


def _command(where: str) -> Callable[[Any], int]:
    """Import a command only now that it is wanted: `ooa --help` need not wait for numpy."""
    module, _, function = where.partition(":")
    found: Callable[[Any], int] = getattr(import_module(module), function)
    return found


def _sentence(error: Exception) -> str:
    """What went wrong, on one line and without a traceback."""
    if isinstance(error, OptionError) and error.option is not None:
        from .wording import Typed

        return " ".join(f"{Typed().option(error.option, error.value)} {error.words}".split())
    if isinstance(error, OOAError):
        return " ".join(str(error).split())
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.filename or 'the output cannot be written'}: {error.strerror}"
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    words = " ".join(str(error).split())
    return f"unexpected {type(error).__name__}: {words} (a fault of ooa; --debug shows where)"


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show the library's own warnings as notes; others are no business of a user of the command."""
    if issubclass(category, OOAWarning):
        note(str(message))
