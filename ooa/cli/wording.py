"""What the options of a fit are called by those who type them."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields

from ooa.data.advice import Advice
from ooa.data.columns import Category
from ooa.data.suspicions import Suspicion
from ooa.learning.settings import OOAxSettings
from ooa.learning.wording import Wording

__all__ = ["SPELLED", "Typed", "TypedAdvice"]

#: Settings that are typed otherwise than they are called.
SPELLED = {"C1": "c1", "C2": "c2", "relative_gap": "gap"}
#: Settings as notes name them: no other word has an underscore and the name of one.
_UNDERSCORED = re.compile(rf"\b(?:{'|'.join(one.name for one in fields(OOAxSettings) if '_' in one.name)})\b")


class Typed(Wording):
    """As on the command line.

    Parameters
    ----------
    against_rest : whether the negative label stands for several values, so that it cannot be typed
    """

    def __init__(self, against_rest: bool = False) -> None:
        self._against_rest = against_rest

    def option(self, name: str, value: object) -> str:
        """An option with a value, as it is typed."""
        return f"--{SPELLED.get(name, name).replace('_', '-')} {value}"

    def prices(self, C1: str, C2: str) -> str:
        """The prices as two options."""
        return f"--c1 {C1} --c2 {C2}"

    def cheaper(self, price: str) -> str:
        """Both options below some number."""
        return f"--c1 and --c2 below {price}"

    def note(self, words: str) -> str:
        """A note of a fit, in which settings have names as they are typed.

        Examples
        --------
        >>> Typed().note("raise time_limit or min_support")
        'raise --time-limit or --min-support'
        """
        return _UNDERSCORED.sub(lambda name: f"--{SPELLED.get(name[0], name[0]).replace('_', '-')}", words)

    def predict(self, label: Category) -> str | None:
        """The option that names the class, as a shell reads it."""
        return None if self._against_rest else f"--positive {shlex.quote(str(label))}"

    def heavier(self, label: Category) -> str:
        """The option that weighs rows by their label."""
        return f"--class-weight balanced gives the rows labelled {label!r} more weight"

    def sensitive(self, share: float) -> str:
        """The constraint that a share of the positive rows is found."""
        return f"--constraint min_sensitivity={share:g} asks for rules that find {100 * share:.0f} % of them"


class TypedAdvice(Advice):
    """What can be done about odd columns on the command line."""

    def drop(self, found: Suspicion) -> str:
        """The option that leaves columns out."""
        return f"--drop {_listed(found.column)}"

    def decimal(self, found: Suspicion) -> str:
        """The option that names the decimal mark; the other mark may group thousands then."""
        if len(found.how) == 1:
            return f"--decimal {found.how[0]}"
        return "--decimal . if the comma groups thousands, else --decimal ,"

    def bare(self, found: Suspicion) -> str:
        """There is no option for it."""
        return "take it off in the file"

    def dates(self, found: Suspicion) -> str:
        """The option that says how dates are written."""
        return " or ".join(f"--dates {shlex.quote(how)}" for how in found.how)

    def missing(self, found: Suspicion) -> str:
        """The option that names texts."""
        return f"--na {_listed(*(text.strip() for text in found.others[:5]))}"

    def alike(self, found: Suspicion) -> str:
        """The option that takes blanks away, where these make the difference; else there is none."""
        left = [{text.strip() for text in group} for group in found.alike]
        if all(len(texts) == 1 for texts in left):
            return "--strip"
        blanks = any(len(texts) < len(group) for texts, group in zip(left, found.alike))
        return "spell them so in the file" + (" (--strip does away with blanks)" if blanks else "")

    def numeric(self, found: Suspicion) -> str:
        """The option that makes numbers of texts."""
        return f"--numeric {_listed(found.column)}"


def _listed(*names: str) -> str:
    """Names as an option takes them, and as a shell reads them."""
    quoted = (f'"{name}"' if "," in name else name for name in names)
    return shlex.quote(",".join(quoted))
