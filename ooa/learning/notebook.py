"""Certificates as HTML for notebooks: the headline, beside a colour that follows what is proved."""

from __future__ import annotations

from ooa.rules.markup import join, tag
from ooa.rules.notebook import notice

from .certificate import Certificate, Standing

__all__ = ["certificate_html"]

#: Green for what is proved and nothing else, amber for what is open, red for what must not be used. All are
#: seen on white and on black.
_GREEN, _AMBER, _RED = "#2e9e62", "#cf8a00", "#d64545"
COLOURS = {
    Standing.PROVED: _GREEN,
    Standing.PROVED_WITHIN: _GREEN,
    Standing.CLAIMED: _AMBER,
    Standing.POOL: _AMBER,
    Standing.OPEN: _AMBER,
    Standing.INFEASIBLE: _RED,
}


def certificate_html(found: Certificate) -> str:
    """Write a certificate.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.learning.ooax import learn_ooax
    >>> learned = learn_ooax(Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1]), C1=0.1, C2=0.1)
    >>> page = certificate_html(learned.certificate)
    >>> "<b>Proved optimal</b>" in page, "0 errors of 4" in page
    (True, True)
    """
    said = str(found).splitlines()
    known = next((line for line in said if line.startswith(found.headline)), found.headline)
    rest = [line for line in said if line != known]
    headline = tag("b", f"{found.headline[:1].upper()}{found.headline[1:]}")
    first = join(headline, known.removeprefix(found.headline))
    return notice("ooa-certificate", COLOURS[found.standing], [first, *rest])
