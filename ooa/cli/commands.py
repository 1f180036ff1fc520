"""What all commands have in common: options in full, help that keeps its lines, errors that propose."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ooa.checks import nearest
from ooa.errors import shortened

__all__ = ["HELP_WIDTH", "CommandParser", "add_command"]

#: Of the lines of help that keep their breaks: a terminal has 80 columns at least.
HELP_WIDTH = 78


class CommandParser(argparse.ArgumentParser):
    """A parser whose options are written in full, and whose help keeps its lines.

    `appendix` makes the end of the help when help is asked for, as it may take an import.
    """

    appendix: Callable[[], str] | None = None

    def __init__(self, **options: Any) -> None:
        settled = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(**options | settled)

    def format_help(self) -> str:
        """The help, then the appendix."""
        text = super().format_help()
        return f"{text}\n{self.appendix()}" if self.appendix is not None else text

    def error(self, message: str) -> NoReturn:
        """One sentence and where to look, rather than the whole usage."""
        self.exit(2, f"ooa: {shortened(' '.join(message.split()))} (see {self.prog} --help)\n")

    # argparse leaves what a command does not know to the parser above it, whose help is about something else.
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and say of an option that this command does not have which one it may have meant."""
        if args is not None and self._subparsers is None:
            self._refuse_unknown(args)
        return super().parse_known_args(args, namespace)

    def _refuse_unknown(self, args: Sequence[str]) -> None:
        known = self._option_string_actions
        for word in args[: args.index("--") if "--" in args else len(args)]:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in known:
                close = nearest(name, [option for option in known if option.startswith("--")])
                self.error(f"there is no option {name}" + (f"; did you mean {close}?" if close else ""))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            close = nearest(value, action.choices)
            hint = f"did you mean `ooa {close}`?" if close else f"there are {', '.join(action.choices)}"
            if value == "report":
                hint = "a report is written by `ooa fit ... --report page.html`"
            if "." in str(value):  # a file, most likely
                hint = f"to learn from a table: ooa fit {value} --target COLUMN"
            self.error(f"there is no command {value!r}; {hint}")
        super()._check_value(action, value)


def add_command(
    commands: Any, name: str, words: str, run: str, arguments: str = "", notes: str = ""
) -> CommandParser:
    """A command with the options that all have.

    Parameters
    ----------
    commands : where to add it
    name, words : what it is called, and what it is for
    run : the function that does it, as module:function within `ooa.cli`
    arguments : what its usage begins with
    notes : the end of its help: examples, and the keys of its JSON
    """
    about = f"{words[0].upper()}{words[1:]}"
    about += "" if words.endswith("?") else "."
    about = textwrap.fill(about, HELP_WIDTH)
    usage = f"ooa {name} {arguments}[options]"
    made: CommandParser = commands.add_parser(
        name, usage=usage, help=words, description=about, epilog=notes, prog=f"ooa {name}"
    )
    made.set_defaults(run=f"ooa.cli.{run}")
    if name != "completion":
        made.add_argument("--json", action="store_true", help="one JSON document instead of text")
    made.add_argument("--debug", action="store_true", help="show where an error comes from")
    return made
