"""`ooa completion`: a script that completes commands, options and their values in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from .output import say
from .parser import build_parser

__all__ = ["run"]

_BASH = """\
_ooa() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands} --help --version"; else
    case "${{COMP_WORDS[1]}} $before" in
{values}
      *) case "${{COMP_WORDS[1]}}" in
{options}
      esac;;
    esac
    [[ $word == -* || $words != -* ]] || words=""
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o bashdefault -o default -F _ooa ooa"""


def run(arguments: argparse.Namespace) -> int:
    """Print the script for a shell."""
    if arguments.shell == "fish":
        say("\n".join(_fish()))
    else:
        opening = "autoload -U +X bashcompinit && bashcompinit\n" if arguments.shell == "zsh" else ""
        say(opening + _bash())
    return 0


def _bash() -> str:
    """For bash, and for zsh through its own emulation."""
    options, values = [], []
    for command, parser in _commands().items():
        spelled = [name for action in parser._actions for name in action.option_strings]
        positional = [c for a in parser._actions if not a.option_strings for c in a.choices or ()]
        options.append(f'        {command}) words="{" ".join(positional or spelled)}";;')
        for action, chosen in _choices(parser):
            typed = "|".join(f'"{command} {name}"' for name in action.option_strings)
            values.append(f'      {typed}) words="{" ".join(chosen)}";;')
    return _BASH.format(commands=" ".join(_commands()), values="\n".join(values), options="\n".join(options))


def _fish() -> Iterator[str]:
    """For fish, which shows the help as well."""
    yield 'complete -c ooa -n __fish_use_subcommand -f -a "{}"'.format(" ".join(_commands()))
    for command, parser in _commands().items():
        chosen_of = {action.dest: chosen for action, chosen in _choices(parser)}
        for action in parser._actions:
            where = f"complete -c ooa -n '__fish_seen_subcommand_from {command}'"
            if not action.option_strings:
                if action.choices:
                    yield f"{where} -f -a '{' '.join(action.choices)}'"
                continue
            spelled = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in action.option_strings
            )
            values = f" -x -a '{' '.join(chosen_of[action.dest])}'" if action.dest in chosen_of else ""
            needs = " -r" if action.nargs != 0 and not values else ""
            about = (action.help or "").replace("\\", "").replace("'", "")
            yield f"{where} {spelled}{needs}{values} -d '{about}'"


def _commands() -> dict[str, argparse.ArgumentParser]:
    """The parsers of the commands, by name."""
    group = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(group.choices)


def _choices(parser: argparse.ArgumentParser) -> Iterator[tuple[argparse.Action, list[str]]]:
    """The options whose values are known, and these."""
    from ooa.solving.registry import backend_names

    from .constraint_texts import NAMES

    known = {
        "backend": backend_names(),
        "backends": backend_names(),
        "constraint": [f"{name}=" for name in NAMES],
    }
    if parser.prog.endswith("export"):
        from ooa.export import FORMATS

        known["to"] = list(FORMATS)
    for action in parser._actions:
        chosen = known.get(action.dest) or list(action.choices or ())
        if action.option_strings and chosen:
            yield action, [str(value) for value in chosen]
