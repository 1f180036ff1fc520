"""The search over time."""

from __future__ import annotations

from fractions import Fraction

from support.report_pages import Page, learned, small

from ooa.report.page import write_report
from ooa.solving import Progress


def test_search_over_time_is_in_units_of_the_objective() -> None:
    rules, table = small()
    trace = (Progress(0.5, 0.75, 0.125), Progress(1.0, 0.5, 0.375))
    about = {"bound": Fraction(1, 4), "seconds": {"mining": 2.0}, "trace": trace}
    page = Page(write_report(learned(rules, table, **about, backend="highs", version="1"), table))
    score = float(learned(rules, table).certificate.objective)
    labels = [a["aria-label"] for a in page.all("svg") if a.get("class") == "chart"]
    assert labels == [
        f"Score over the seconds of the search: best score found {score:.4f} at the end, "
        "proven bound 0.2500 at the end."
    ]
    dots = [a["cx"] for a in page.all("circle")]
    assert dots == ["100%", "100%"]  # both curves end after two seconds
    # The second bound noted is above that of the certificate, so one step is left: across and up.
    assert [a["class"] for a in page.all("line")].count("curve bound") == 2
    assert "No solver was called" not in page.words
    assert "No solver was called" in Page(write_report(learned(rules, table, **about), table)).words
    lost = Page(write_report(learned(rules, table, **about, feasible=False), table))
    labels = [a["aria-label"] for a in lost.all("svg") if a.get("class") == "chart"]
    assert labels == ["Score over the seconds of the search: proven bound 0.2500 at the end."]
