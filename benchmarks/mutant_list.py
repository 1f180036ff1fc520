"""The mutants: one broken copy of the library each, by a piece of text, and the tests that notice it.

A row family that is dropped is handed to nobody. Families that only break symmetries leave the optimum
alone; what notices those is the size of the model in the docstrings' examples.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A piece of text that occurs once in a file, what takes its place, and who notices."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def compiled(self) -> bool:
        """Whether it is of the compiled core, which has to be built for it."""
        return self.file.endswith((".h", ".cpp"))


FAMILIES = "tests/formulations/test_row_families.py"
FORMS = (FAMILIES, "tests/whole/test_differential.py", "-k", "row_families or (every_formulation and highs)")
BOXES = ("tests/formulations/test_ooa.py", "-k", "not other_backends")
WORDS = (FAMILIES, "tests/constraints/test_constraints.py", "-k", "not other_backends")
EXAMPLE = "ooa/formulations/{}.py"
SEARCH = ("tests/search/test_branch_and_bound.py", "tests/search/test_pair_bound.py")
PAIRS = ("tests/search/test_pair_bound.py", "-k", "not backend")


def dropped(file: str, tests: tuple[str, ...], *families: str, call: str = "model.add_rows(") -> list[Mutant]:
    """One mutant per family of rows: without it."""
    return [
        Mutant(f"{family}: dropped", file, f'{call}"{family}"', f'(lambda *_: None)("{family}"', tests)
        for family in families
    ]


def changed(file: str, tests: tuple[str, ...], *texts: tuple[str, str, str]) -> list[Mutant]:
    """One mutant per name, old and new text."""
    return [Mutant(name, file, old, new, tests) for name, old, new in texts]


_OOAX = "ooa/formulations/ooax_layout.py"
_COMPACT = "ooa/formulations/ooa_compact.py"
_PAPER = "ooa/formulations/ooa_paper.py"
_LAYOUT = "ooa/formulations/box_layout.py"
_TERMS = "ooa/formulations/box_terms.py"

FORMULATIONS = [
    # -- OOAx --------------------------------------------------------------------------------------
    *dropped(_OOAX, FORMS, "cover", "size"),
    *dropped(
        _OOAX,
        WORDS,
        "cover exactly",
        "uncover exactly",
        call="self._model.add_rows(",
    ),
    *changed(
        _OOAX,
        WORDS,
        *(
            (
                f"flag {words}: dropped",
                f'self._model.add_rows(f"{{name}} {words}"',
                f'(lambda *_: None)(f"{{name}} {words}"',
            )
            for words in ("if covered", "only if covered")
        ),
    ),
    *changed(
        _OOAX,
        FORMS,
        (
            "uncover: dropped, disaggregated",
            'model.add_rows("uncover", self._wrong[pairs',
            '(lambda *_: None)("uncover", self._wrong[pairs',
        ),
        (
            "uncover: dropped, aggregated",
            'self._model.add_rows("uncover", self._most',
            '(lambda *_: None)("uncover", self._most',
        ),
        ("cover: right-hand side", "@ self._used + self._missed >= 1)", "@ self._used + self._missed >= 0)"),
        ("cover: sense", "@ self._used + self._missed >= 1)", "@ self._used + self._missed <= 1)"),
        ("uncover: coefficient", "self._most(W) * self._wrong - W", "1.0 * self._wrong - W"),
        ("uncover: sense", "self._wrong - W @ self._used >= 0)", "self._wrong - W @ self._used <= 0)"),
        (
            "size: right-hand side",
            "self._used.sum() <= problem.max_patterns)",
            "self._used.sum() <= problem.max_patterns + 1)",
        ),
        ("errors for good: dropped", "float(problem.positive[~problem.covered].sum())", "0.0"),
        ("missed: cost", "cost=problem.positive[missed]", "cost=problem.negative[missed]"),
        ("wrong: bound", '"wrong", len(wrong), upper=1.0', '"wrong", len(wrong), upper=0.5'),
    ),
    *changed(
        _OOAX,
        WORDS,
        ("cover exactly: right-hand side", "+ self._used[pairs.col] <= 1", "+ self._used[pairs.col] <= 2"),
    ),
    *changed(
        "ooa/formulations/candidate_words.py",
        WORDS,
        (
            "bounded: side",
            'literal.low if side == "below" else literal.high',
            'literal.high if side == "below" else literal.low',
        ),
        ("length: coefficient", "self.candidates.length.astype(float)", "(self.candidates.length + 1.0)"),
    ),
    # -- OOA, compact ------------------------------------------------------------------------------
    *dropped(
        _COMPACT,
        FORMS,
        "threshold_order",
        "nonempty",
        "literal_by_range",
        "literal_needs_range",
        "literal_is_category",
        "literal_by_category",
        "literal_needs_category",
        "categories",
        "missed",
        "wrong",
        "used_needs_literal",
    ),
    *dropped(_COMPACT, WORDS, "used_by_literal"),
    *dropped(_COMPACT, WORDS, "covers exactly", call="self._model.add_rows("),
    *changed(
        _COMPACT,
        FORMS,
        ("covers_used: dropped", 'self._model.add_rows(f"{name}_used"', '(lambda *_: None)(f"{name}_used"'),
        (
            "covers_inside: dropped",
            'self._model.add_rows(f"{name}_inside"',
            '(lambda *_: None)(f"{name}_inside"',
        ),
        ("covers_inside: right-hand side", "+ outside <= 1)", "+ outside <= 2)"),
        ("nonempty: right-hand side", "rows(apart) <= 1)", "rows(apart) <= 0)"),
        ("threshold_order: sense", "rows(order) >= 0)", "rows(order) <= 0)"),
        (
            "missed: right-hand side",
            '.sum(axis=1) >= 1)\n        model.add_rows("wrong"',
            '.sum(axis=1) >= 0)\n        model.add_rows("wrong"',
        ),
        ("wrong: sense", "self.surely(problem.wrong) >= 0)", "self.surely(problem.wrong) <= 0)"),
        (
            "literal_by_range: coefficient",
            'key: -1.0, ("missing", j, 0): -1.0} for key in ends]',
            "key: -1.0} for key in ends]",
        ),
        ("literal: price", "cost=problem.literal_price", "cost=problem.pattern_price"),
    ),
    *changed(
        _TERMS,
        FORMS,
        ("left out below: rank", "self.begins_by(j, rank + 1): 1.0", "self.begins_by(j, rank): 1.0"),
        ("left out above: rank", "self.ends_by(j, rank): 1.0", "self.ends_by(j, rank + 1): 1.0"),
        (
            "left out by is missing: dropped",
            "self.ends_by(j, rank): 1.0, missing: 1.0}",
            "self.ends_by(j, rank): 1.0}",
        ),
        (
            "left out where missing: sign",
            "lines.append({literal: 1.0, missing: -1.0})",
            "lines.append({literal: 1.0})",
        ),
        ("left out by category: dropped", '{literal: 1.0, ("category", j, rank): -1.0}', "{literal: 1.0}"),
    ),
    # -- OOA as in the paper -----------------------------------------------------------------------
    *dropped(
        _PAPER,
        FORMS,
        "uhat_is_1",
        "uhat_is_0",
        "lhat_is_1",
        "lhat_is_0",
        "uhat_missing",
        "lhat_missing",
        "delta_is_1_by_u",
        "delta_is_1_by_l",
        "range",
        "ohat_is_0",
        "ohat_is_1",
        "ohat_missing",
        "categories",
        "delta_is_0_without_o",
        "delta_is_1_by_o",
        "omega_is_1",
        "omega_is_0",
        "positive_error",
        "negative_error",
        "zeta_is_1",
        "zeta_is_0",
    ),
    *changed(
        _PAPER,
        FORMS,
        (
            "delta_is_0: dropped",
            'model.add_rows(\n            "delta_is_0"',
            '(lambda *_: None)(\n            "delta_is_0"',
        ),
        ("uhat_is_1: epsilon", "u[k, j] - M * uhat <= X - 1)", "u[k, j] - M * uhat <= X)"),
        ("lhat_is_1: epsilon", "low[k, j] + M * lhat >= X + 1)", "low[k, j] + M * lhat >= X)"),
        ("uhat_is_0: big M", "u[k, j] - M * uhat >= X - M)", "u[k, j] - M * uhat >= X - M + 1)"),
        ("lhat_is_0: big M", "low[k, j] + M * lhat <= X + M)", "low[k, j] + M * lhat <= X + M - 1)"),
        ("omega_is_1: right-hand side", "zeta + held - omega <= terms)", "zeta + held - omega <= terms + 1)"),
        ("omega_is_0: coefficient", "(terms + 1) * omega", "terms * omega"),
        ("negative_error: coefficient", 'self.K * v["wrong"]', '(self.K - 0.5) * v["wrong"]'),
        ("delta_is_0: right-hand side", "(M + top - 1)[full]", "(M + top)[full]"),
        ("range: sense", "u - low - top * is_missing >= 0)", "u - low - top * is_missing <= 0)"),
        ("is missing, with a value: dropped", 'held = held - (v["mu"]', 'held = held - 0 * (v["mu"]'),
    ),
    # -- what both share ---------------------------------------------------------------------------
    *dropped(
        _LAYOUT, (EXAMPLE.format("ooa_compact"),), "used_first", "box_order", call="self._model.add_rows("
    ),
    *dropped(
        _LAYOUT,
        WORDS,
        "fires if covered",
        "fires only if covered",
        "missed exactly",
        "wrong exactly",
        "differ if either",
        "differ if not both",
        "differ somewhere",
        call="self._model.add_rows(",
    ),
    *changed(
        _LAYOUT,
        WORDS,
        *(
            (
                f"above {words}: dropped",
                f'self._model.add_rows(f"{{name}} {words}", above',
                f'(lambda *_: None)(f"{{name}} {words}", above',
            )
            for words in ("only if literal", "only if not below", "only if not above")
        ),
        ("above: not read", "self.from_above(j)[k].value(x) > 0.5", "self.from_above(j)[k].value(x) > 1.5"),
    ),
    *changed(
        "ooa/formulations/box_words.py",
        WORDS,
        *(
            (
                f"has a value {words}: dropped",
                f'self._model.add_rows(f"{{name}} {words}", flag',
                f'(lambda *_: None)(f"{{name}} {words}", flag',
            )
            for words in ("if", "only if literal", "only if not below", "only if not above")
        ),
        *(
            (
                f"changed rows, {words}: dropped",
                f'model.add_rows(f"{{name}} {words}"',
                f'(lambda *_: None)(f"{{name}} {words}"',
            )
            for words in ("covers if used", "covers if inside {i}")
        ),
        *(
            (
                f"changed rows, {words}: dropped",
                f'self._model.add_rows(f"{{name}} {words}"',
                f'(lambda *_: None)(f"{{name}} {words}"',
            )
            for words in ("if covered {i}", "only if covered")
        ),
    ),
    *changed(
        _LAYOUT,
        WORDS,
        (
            "box is, only if: dropped",
            'self._model.add_rows(f"{name} only if", same',
            '(lambda *_: None)(f"{name} only if", same',
        ),
        (
            "box is, if: dropped",
            'self._model.add_rows(f"{name} if", same',
            '(lambda *_: None)(f"{name} if", same',
        ),
        ("box order: sense", "place[:-1] - place[1:] >= 0)", "place[:-1] - place[1:] <= 0)"),
        ("used first: sense", "used[:-1] - used[1:] >= 0)", "used[:-1] - used[1:] <= 0)"),
        (
            "differ somewhere: right-hand side",
            "differ.sum(axis=1) - both >= -1)",
            "differ.sum(axis=1) - both >= -2)",
        ),
        ("wrong exactly: sense", "wrong[some] - covering <= 0)", "wrong[some] - covering >= 0)"),
    ),
    *changed(
        "ooa/formulations/vocabulary.py",
        WORDS,
        ("any, if: dropped", 'self._model.add_rows(f"{name} if"', '(lambda *_: None)(f"{name} if"'),
        (
            "any, only if: dropped",
            'self._model.add_rows(f"{name} only if"',
            '(lambda *_: None)(f"{name} only if"',
        ),
    ),
]
