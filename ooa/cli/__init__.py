"""The command `ooa`: learn, use and export rule sets without writing Python; see `ooa --help`.

It is built on argparse, so that it is there, whole, with the core alone. Next to nothing is imported here:
a Ctrl-C that comes while the rest is imported has to be caught, too.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; by default those of the process, which then is the command's own: so is Ctrl-C.

    Examples
    --------
    >>> main(["explain", "no-such-file.json", "data.csv", "--row", "0"])
    1
    """
    try:
        from . import ctrl_c

        if argv is None:
            ctrl_c.end_at_once()
        from .running import run

        try:
            return run(argv)
        finally:
            if argv is None:
                ctrl_c.end_in_silence()
    except KeyboardInterrupt:
        import sys

        if sys.stderr is not None:
            sys.stderr.write("ooa: interrupted\n")
        eval("0")  # else Python ends with -2; see `ooa.keeping.forget_ctrl_c`
        return 130
