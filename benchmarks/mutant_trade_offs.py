"""More mutants: what is handed on between limits, and whether constraints can be met; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

MEETING = ("tests/learning/test_meeting.py",)
TRADE = ("tests/explore/test_trade_off.py",)
GROUPS_OF_ROWS = ("tests/constraints/test_constraints.py", "tests/formulations/test_checking.py")

TRADE_OFFS = [
    *changed(
        "ooa/constraints/base.py",
        TRADE,
        (
            "a limit implies tighter ones",
            "elif sign * self.number(one.name) < sign * other.number(one.name):",
            "elif sign * self.number(one.name) > sign * other.number(one.name):",
        ),
        (
            "a limit implies that of another column",
            "if getattr(self, one.name) != getattr(other, one.name):",
            "if False:",
        ),
    ),
    *changed(
        "ooa/explore/known_frontier.py",
        TRADE,
        (
            "bounds of tighter limits",
            "if self.tighter(limit, other) and",
            "if self.tighter(other, limit) and",
        ),
        ("rule sets that break the limit", "if not problem.violated(rules):", "if True:"),
    ),
    *changed(
        "ooa/explore/trade_off.py",
        TRADE,
        (
            "patterns that other limits require are no candidates",
            "patterns=(*wanted.patterns, *required)",
            "patterns=wanted.patterns",
        ),
        (
            "mined without the constraints",
            "constraints=(*wanted.constraints, *every), start=None",
            "constraints=wanted.constraints, start=None",
        ),
    ),
    *changed(
        "ooa/learning/meeting.py",
        MEETING,
        (
            "not all was gone through",
            "return (False if search.exhausted else None), nothing",
            "return False, nothing",
        ),
        ("a unit too few", "gain = -(stop_at + 1) if", "gain = -stop_at if"),
        ("the sum itself is a limit", "self._others = counted.without(m)", "self._others = counted"),
    ),
    *changed(
        "ooa/constraints/fairness.py",
        GROUPS_OF_ROWS,
        ("a floor for all rows", "if weight.any()]", "if weight.any()][:1]"),
        (
            "a floor that is a ceiling",
            'at_most(-self.number("least"), weighted(f.predicted, weight, -share))',
            'at_most(self.number("least"), weighted(f.predicted, weight, share))',
        ),
    ),
    *changed(
        "ooa/constraints/together.py",
        GROUPS_OF_ROWS,
        (
            "only without",
            "f.uses(self.attribute) - f.uses(self.other) <= 0",
            "f.uses(self.other) - f.uses(self.attribute) <= 0",
        ),
        (
            "one more overlaps",
            '<= float(self.whole_number("most"))',
            '<= float(self.whole_number("most")) + 1',
        ),
    ),
]
