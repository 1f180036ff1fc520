"""The section of the report on rule sets that are nearly as good."""

from __future__ import annotations

import re
from dataclasses import replace

from ooa.data.table import Table
from ooa.estimators import OOAxClassifier
from ooa.explore.enumerate import enumerate_optimal
from ooa.report.near_optimal import near_section


def test_what_they_rely_on_and_what_is_attained():
    data = {"x": [1, 2, 3, 4, 5, 6], "<y>": [1, 2, 4, 3, 5, 6]}
    table = Table.from_any(data, [0, 0, 0, 1, 1, 1])
    near = enumerate_optimal(table, within="1/6", C1="1/50", C2="1/50", max_length=1)
    text = near_section(near)
    cells = re.findall(r'<th scope="row">(.*?)</th><td class="n">(.*?)</td><td class="n">(.*?)</td>', text)
    assert ("x", "60 %", "0.1667") in cells
    assert ("&lt;y&gt;", "40 %", "0.0000") in cells
    assert f"{100 * near.rows()['ambiguous'].mean():.1f} % of the rows" in text
    rate = near.ranges().set_index("figure").loc["sensitivity"]
    assert ("sensitivity", f"{100 * rate['optimum']:.1f} %", f"{100 * rate['least']:.1f} %") in cells
    assert "among those listed" not in text
    assert "among those listed" in near_section(replace(near, complete=False))


def test_a_report_has_the_section_if_there_is_a_list(tmp_path):
    model = OOAxClassifier(C1=0.02, C2=0.02).fit({"x": [1, 2, 3, 4, 5, 6]}, [0, 0, 0, 1, 1, 1])
    place = tmp_path / "report.html"
    model.report(place)
    assert 'id="near"' not in place.read_text(encoding="utf-8")
    model.report(place, near=model.near_optimal(0.1))
    assert 'id="near"' in place.read_text(encoding="utf-8")
