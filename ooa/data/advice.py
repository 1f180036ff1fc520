"""What can be done about odd columns: here in the words of Python, and open to those of other interfaces."""

from __future__ import annotations

from ooa.checks import few_of

from .suspicions import Doubt, Suspicion

__all__ = ["PYTHON", "Advice"]


class Advice:
    """Says what is odd about a column and what can be done: as in Python, unless a subclass differs."""

    def sentence(self, found: Suspicion) -> str:
        """Say it in one sentence.

        Examples
        --------
        >>> print(PYTHON.sentence(Suspicion("day", Doubt.DATES, texts=("31.5.2024",), how=("day-first",))))
        Column 'day' holds dates as text, such as '31.5.2024': read it with pandas.to_datetime(dayfirst=True)
        """
        return f"Column {found.column!r} {self._about(found)}"

    def _about(self, found: Suspicion) -> str:
        example, drop = few_of(map(repr, found.texts), most=3), self.drop(found)
        match found.doubt:
            case Doubt.DISGUISE:
                reach = f"all but {found.count:,} rows" if found.count else "every row"
                return f"alone tells the label of {reach}: if it is not known beforehand, {drop}"
            case Doubt.DECIMALS:
                return (
                    f"holds numbers as text, such as {example}: {self.decimal(found)}{self._besides(found)}"
                )
            case Doubt.DATES:
                return f"holds dates as text, such as {example}: {self.dates(found)}{self._besides(found)}"
            case Doubt.NUMBERS if found.others:
                return f"holds text among its numbers{self._besides(found)}"
            case Doubt.NUMBERS:
                return f"holds numbers as text, such as {example}: {self.numeric(found)}"
            case Doubt.SIGNS:
                return (
                    f"holds numbers with a sign, such as {example}: {self.bare(found)}{self._besides(found)}"
                )
            case Doubt.SENTINEL:
                least, most = found.texts
                rest = f"{found.others[0]} in {found.count:,} rows, and otherwise {least} to {most}"
                return f"has {rest}; if that means missing: {self.missing(found)}"
            case Doubt.UNIQUE:
                return f"has another value in every row, as IDs have: {drop}"
            case Doubt.MANY:
                return f"has {found.count:,} categories, and so few rows for each: group them, or {drop}"
            case Doubt.CODES:
                words = f"holds codes, as the leading zeros of {example} tell"
                return f"{words}; if they are amounts, {self.numeric(found)}"
            case Doubt.SPELLINGS:
                pairs = few_of((" and ".join(map(repr, group)) for group in found.alike), most=3)
                same = f"if they are the same, {self.alike(found)}"
                return f"has categories that are nearly equal ({pairs}); {same}"
        return f"has the same value in every row and so tells nothing: {drop}"

    def _besides(self, found: Suspicion) -> str:
        """What to do about the texts among numbers or dates that are none."""
        if not found.others:
            return ""
        odd = " or ".join(map(repr, found.others[:3]))
        return f"; if {odd} means missing: {self.missing(found)}"

    def drop(self, found: Suspicion) -> str:
        """To do without the column."""
        return "leave it out"

    def decimal(self, found: Suspicion) -> str:
        """To read numbers with another decimal mark, or with a mark between thousands."""
        ways = {".": "thousands=','", ",": "decimal=','"}
        return f"read the data with {' or '.join(ways[mark] for mark in found.how)}"

    def bare(self, found: Suspicion) -> str:
        """To have numbers without their signs."""
        return "take it off and read them with pandas.to_numeric"

    def dates(self, found: Suspicion) -> str:
        """To read dates that are written otherwise."""
        ways = {"day-first": "dayfirst=True", "month-first": "dayfirst=False"}
        options = " or ".join(ways.get(how, f"format={how!r}") for how in found.how)
        return f"read it with pandas.to_datetime({options})"

    def missing(self, found: Suspicion) -> str:
        """To take texts for missing."""
        return f"read the data with na_values={list(found.others[:5])!r}"

    def alike(self, found: Suspicion) -> str:
        """To make one category of several."""
        return "spell them so"

    def numeric(self, found: Suspicion) -> str:
        """To take texts for numbers."""
        return "read it with pandas.to_numeric"


PYTHON = Advice()
