"""What an enumeration is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ooa.learning.settings import OOAxSettings

__all__ = ["Wanted"]


@dataclass(frozen=True)
class Wanted:
    """What is to be listed: at most `n` rule sets, up to `within` above the best, by prediction or not.

    With `lean`, those that only add a redundant pattern are left out.
    """

    settings: OOAxSettings
    n: int | None
    within: Fraction | None
    distinct: bool
    lean: bool
