"""What the options of a fit are called in a sentence: whoever words facts asks here for names."""

from __future__ import annotations

from ooa.data.columns import Category

__all__ = ["PYTHON", "Wording"]


class Wording:
    """The names of options as in Python; the command line has its own.

    Examples
    --------
    >>> PYTHON.option("max_patterns", 12), PYTHON.cheaper("0.01")
    ('max_patterns=12', 'C1 = C2 below 0.01')
    """

    def option(self, name: str, value: object) -> str:
        """An option with a value, as it is given."""
        return f"{name}={value!r}"

    def prices(self, C1: str, C2: str) -> str:
        """The prices that there were."""
        return f"C1 = {C1}, C2 = {C2}"

    def cheaper(self, price: str) -> str:
        """Both prices below some number."""
        return f"C1 = C2 below {price}"

    def note(self, words: str) -> str:
        """A note of a fit, in which settings have their names as in Python."""
        return words

    def predict(self, label: Category) -> str | None:
        """To learn patterns of this class; None if that cannot be asked for."""
        return f"positive={label!r}"

    def heavier(self, label: Category) -> str:
        """That the rows of a class can be given more weight."""
        return f"class_weight='balanced' gives the rows labelled {label!r} more weight"

    def sensitive(self, share: float) -> str:
        """That a share of the positive rows can be asked for."""
        return (
            f"constraints=[min_sensitivity({share:g})] asks for rules that find {100 * share:.0f} % of them"
        )


#: For whoever calls from Python.
PYTHON = Wording()
