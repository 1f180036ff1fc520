"""Other rule sets in the report: from simple to accurate, from specific to sensitive."""

from __future__ import annotations

import pandas as pd
import pytest
from support.plotting import OPERATING
from support.report_pages import Page, learned, small

from ooa.errors import OptionError
from ooa.report.others import Others
from ooa.report.page import write_report


def test_path_of_rule_sets() -> None:
    rules, table = small()
    frame = pd.DataFrame({"errors": [4, 3, 1], "literals": [0, 3, 5], "patterns": [0, 2, 3]})
    page = Page(write_report(learned(rules, table), table, others=Others(path_frame=frame)))
    assert "path" in [a["id"] for a in page.all("section")]
    assert "5 conditions: 12.5 % wrong" in page.words
    with pytest.raises(OptionError, match="path_frame has no column 'literals'"):
        write_report(learned(rules, table), table, others=Others(path_frame=frame.drop(columns="literals")))


def test_curve_of_rule_sets() -> None:
    rules, table = small()
    page = Page(write_report(learned(rules, table), table, others=Others(curve_frame=OPERATING)))
    assert "curve" in [a["id"] for a in page.all("section")]
    assert "weight 2: 90.0% found, 40.0% false alarms" in page.words
    dots = [a["class"] for a in page.all("circle")]
    assert (dots.count("dot path"), dots.count("dot held-out")) == (3, 3)
    fires = rules.covers(table.as_frame()).any(axis=1)
    (here,) = [a for a in page.all("circle") if a["class"] == "dot here" and "%" in a["cx"]]
    share = float(here["cy"].rstrip("%"))  # of the height of the picture, which is up to 100 %
    assert share == pytest.approx(100 - 100 * fires[table.y].mean())
    plain = Page(
        write_report(
            learned(rules, table), table, others=Others(curve_frame=OPERATING.drop(columns="cv_specificity"))
        )
    )
    assert "dot held-out" not in [a["class"] for a in plain.all("circle")]
    with pytest.raises(OptionError, match="curve_frame has no column 'weight'"):
        write_report(
            learned(rules, table), table, others=Others(curve_frame=OPERATING.drop(columns="weight"))
        )
    with pytest.raises(OptionError, match="curve_frame is about the rows learned from"):
        write_report(learned(rules, table), None, test=table, others=Others(curve_frame=OPERATING))


def test_rows_held_out_and_prices_have_their_columns() -> None:
    rules, table = small()
    tried = {f"cv_{rate}": [0.5, 0.75] for rate in ("accuracy", "sensitivity", "specificity")}
    frame = pd.DataFrame({"errors": [4, 1], "literals": [0, 5], "patterns": [0, 3], **tried})
    frame["cv_accuracy_se"], frame.loc[0, "cv_sensitivity"] = 0.0125, float("nan")
    page = Page(write_report(learned(rules, table), table, others=Others(path_frame=frame)))
    assert "Specificity, held out" in page.words
    assert "75.0 % ± 1.2" in page.words
    assert "–" in page.words
    assert [a["class"] for a in page.all("circle")].count("dot held-out") == 2
    curve = OPERATING.assign(C1=[0.1, 0.1, 0.01], C2=[0.1, 0.2, 0.01], envelope=[False, True, True])
    page = Page(write_report(learned(rules, table), table, others=Others(curve_frame=curve)))
    assert "0.1, 0.2" in page.words
    assert [a["class"] for a in page.all("circle")].count("dot path") == 2
