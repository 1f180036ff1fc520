"""Counts, weights and shares of rows, written for people."""

from __future__ import annotations

__all__ = ["amount", "percent"]


def amount(number: float) -> str:
    """Write a count or weight for people.

    Examples
    --------
    >>> amount(1922.0), amount(0.125), amount(12345.678), amount(-0.0)
    ('1,922', '0.125', '12,345.7', '0')
    """
    if number == int(number) and abs(number) < 1e15:
        return f"{int(number):,}"
    return f"{number:,.1f}" if 1000 <= abs(number) < 1e9 else f"{number:.4g}"


def percent(part: float, whole: float) -> str:
    """Write a share for people, never rounding to all or nothing what is not.

    Examples
    --------
    >>> percent(1, 3), percent(1, 1), percent(9999, 10000), percent(1, 100000), percent(0, 0)
    ('33.3 %', '100 %', '> 99.9 %', '< 0.1 %', '–')
    """
    if whole <= 0:
        return "–"
    share = 100 * part / whole
    if part in (0, whole):
        return f"{share:.0f} %"
    if abs(share) < 0.1:
        return "< 0.1 %"
    return "> 99.9 %" if 99.9 < share < 100 else f"{share:.1f} %"
