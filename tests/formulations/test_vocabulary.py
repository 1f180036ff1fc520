"""The words of constraints: at the point of a rule set each says what counting says, in every formulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.brute_constraints import Rules, all_patterns, changed, evaluate
from support.tiny_tables import tiny_objective, tiny_table

from ooa.candidates.candidates import Candidates
from ooa.constraints import max_uses, monotone
from ooa.data.table import Table
from ooa.errors import ModelError, OptionError
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation, Vocabulary
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import Termination, get_backend

FORMS = ("aggregated", "disaggregated", "paper", "compact")
every_form = pytest.mark.parametrize("form", FORMS)


def formulate(
    form: str, table: Table, objective: Objective, constraints: list[Any], K: int = 3
) -> Formulation:
    rows = table.distinct()
    if form in ("paper", "compact"):
        boxes = OOAFormulation if form == "paper" else CompactFormulation
        return boxes(
            rows, objective, K, single_category=False, missing=True, constraints=constraints, table=table
        )
    patterns = all_patterns(table, single_category=False, missing=True)
    candidates = Candidates.of_patterns(rows, patterns)
    return OOAxFormulation(candidates, rows, objective, form=form, constraints=constraints, table=table)


def some_table(seed: int) -> tuple[np.random.Generator, Table, Objective, list[Pattern]]:
    rng = np.random.default_rng([10, seed])
    while True:
        table, objective = tiny_table(rng), tiny_objective(rng)
        patterns = all_patterns(table, single_category=False, missing=True)
        if 0 < len(patterns) <= 500:
            return rng, table, objective, patterns


@every_form
def test_every_word_says_what_counting_says(form: str) -> None:
    for seed in range(25):
        rng, table, objective, patterns = some_table(seed)
        names = [attribute.name for attribute in table.attributes]
        wanted = patterns[int(rng.integers(len(patterns)))]
        said: dict[str, Any] = {}

        def speak(f: Formulation, said=said, names=names, wanted=wanted) -> list[Any]:
            said.clear()
            said["error"], said["predicted"] = f.error, f.predicted
            said["patterns"], said["literals"] = f.n_patterns, f.n_literals
            said["lengths"], said["support"] = f.length, f.positive_support
            said["used"] = f.used.as_expression()
            for name in names:
                said[f"uses {name}"], said[f"occurs {name}"] = f.uses(name), f.occurs(name)
            said["has"] = f.has(wanted)
            said["covers"] = f.covers[:, :]
            return []

        formulation = formulate(form, table, objective, [speak])
        milp = formulation.milp.with_implied()
        assert milp.integer.all()  # what the words add is whole as well
        for _ in range(6):
            chosen = rng.permutation(len(patterns))[: rng.integers(0, 4)]
            rules = evaluate(table, [patterns[k] for k in chosen])
            x = formulation.encode(RuleSet(rules.patterns))
            assert milp.worst(x) == (0.0, ""), (seed, rules.patterns)
            value = {key: expression.value(x) for key, expression in said.items()}
            assert value["error"].tolist() == rules.wrong.tolist()
            assert value["predicted"].tolist() == rules.fires.tolist()
            assert value["patterns"] == len(rules.patterns) == value["used"].sum()
            assert value["literals"] == sum(len(p) for p in rules.patterns)
            assert value["has"] == rules.has(wanted)
            used = value["used"] > 0.5
            assert not value["lengths"][~used].any()
            assert not value["support"][~used].any()
            assert not value["covers"][:, ~used].any()
            assert by_pattern(value, used, names) == sorted(counted(rules, names))
            for name in names:
                assert value[f"occurs {name}"] == (rules.uses(name) > 0)


def by_pattern(value: dict[str, Any], used: np.ndarray, names: list[str]) -> list[Any]:
    """What is said of each pattern, in no particular order."""
    return sorted(
        (
            value["lengths"][k],
            float(value["support"][k]),
            tuple(value[f"uses {name}"][k] for name in names),
            tuple(value["covers"][:, k]),
        )
        for k in np.flatnonzero(used)
    )


def counted(rules: Rules, names: list[str]) -> list[Any]:
    return [
        (
            len(pattern),
            float(rules.weigh(rules.table.y & covered)),
            tuple(float(name in pattern.attributes) for name in names),
            tuple(covered.astype(float)),
        )
        for pattern, covered in zip(rules.patterns, rules.covers)
    ]


@every_form
def test_literals_and_changed_rows_are_what_is_written(form: str) -> None:
    for seed in range(25):
        rng, table, objective, patterns = some_table(seed)
        numeric = {c.name: c.values[~c.missing] for c in table.columns if c.kind == "numeric"}
        named = {a.name: a.categories for a in table.attributes if a.categories}
        step = {name: float(np.ptp(values)) / 2 or 1.0 for name, values in numeric.items()}
        asked = {name: float(rng.choice(values)) for name, values in numeric.items()}
        changes = [(n, s * up) for n, s in step.items() for up in rng.permutation([1, -1]).tolist()]
        changes += [(name, str(rng.choice(some))) for name, some in named.items()]
        said: dict[Any, Any] = {}

        def speak(
            f: Vocabulary, said=said, asked=asked, named=named, changes=changes, numeric=numeric
        ) -> list[Any]:
            for name, value in asked.items():
                said.update({(name, side): f.cuts(name, side, value).sum() for side in ("above", "below")})
            for name, some in named.items():
                said.update({(name, one): f.names(name, one).sum() for one in some})
            said.update({("changed", *change): f.changed(*change) for change in changes})
            return []

        formulation = formulate(form, table, objective, [speak])
        assert formulation.milp.with_implied().integer.all()
        for _ in range(6):
            chosen = rng.permutation(len(patterns))[: rng.integers(0, 4)]
            x = formulation.encode(RuleSet(patterns[k] for k in chosen))
            assert formulation.milp.violation(x) == 0
            rules = evaluate(table, list(formulation.decode(x)))
            for name, limit in asked.items():
                bounds = [bound for p in rules.patterns for bound in rules.cuts(p, name)]
                assert said[name, "above"].value(x) == sum(bound > limit for bound in bounds)
                assert said[name, "below"].value(x) == sum(bound < limit for bound in bounds)
            for name, some in named.items():
                for one in some:
                    assert said[name, one].value(x) == sum(rules.names(p, name, one) for p in rules.patterns)
            for change in changes:
                after = evaluate(changed(table, *change), rules.patterns).fires
                seen = said[("changed", *change)]
                assert seen.after.value(x).tolist() == after.tolist(), (seed, change, rules.patterns)
                assert seen.rises.value(x).tolist() == (after & ~rules.fires).tolist()
                assert seen.falls.value(x).tolist() == (rules.fires & ~after).tolist()


@every_form
def test_bounds_are_counted_as_they_are_written(form: str) -> None:
    for seed in range(25):
        rng, table, objective, patterns = some_table(seed)
        numeric = [a.name for a in table.attributes if a.kind == "numeric"]
        order = [str(side) for side in rng.permutation(["below", "above"])][: rng.integers(1, 3)]
        said = {}

        def speak(f: Formulation, said=said, numeric=numeric, order=order) -> list[Any]:
            said.update({(name, side): f.bounded(name, side).sum() for name in numeric for side in order})
            return []

        formulation = formulate(form, table, objective, [speak])
        assert formulation.milp.n_rows > 0
        for _ in range(6):
            chosen = rng.permutation(len(patterns))[: rng.integers(0, 4)]
            x = formulation.encode(RuleSet(patterns[k] for k in chosen))
            assert formulation.milp.violation(x) == 0
            rules = evaluate(table, list(formulation.decode(x)))
            for (name, side), count in said.items():
                assert count.value(x) == rules.bounded(name, side), (seed, rules.patterns)


@every_form
@pytest.mark.parametrize("direction", ["increasing", "decreasing"])
def test_monotone_rule_sets_are_monotone_on_values_never_seen(form: str, direction: Any) -> None:
    values = [1.0, 2.0, None, None, 3.0, 4.0, 2.5, 5.0]
    table = Table.from_any({"x": values, "c": list("ababbaba")}, [1, 1, 0, 0, 1, 1, 0, 1])
    formulation = formulate(form, table, Objective.of("1/100", "1/100"), [monotone("x", direction)])
    solution = get_backend("highs").solve(formulation.milp)
    assert solution.termination is Termination.OPTIMAL
    rules = formulation.decode(solution.x)
    assert "x" in rules.attributes
    for category in "ab":
        grid = [{"x": x, "c": category} for x in np.linspace(-3, 9, 200)]
        steps = np.diff(rules.predict(grid).astype(int))
        assert (steps >= 0).all() if direction == "increasing" else (steps <= 0).all()


def test_has_a_value_is_written_with_the_bound_that_constraints_leave() -> None:
    table = Table.from_any({"x": [1.0, 2.0, None, None, 3.0]}, [1, 1, 0, 0, 1])
    objective = Objective.of("1/100", "1/100")
    for form in (OOAFormulation, CompactFormulation):
        for constraints, text in [
            ([], "x >= 1"),
            ([monotone("x", "increasing")], "x >= 1"),
            ([monotone("x", "decreasing")], "x <= 3"),
        ]:
            formulation = form(table, objective, 1, constraints=constraints)
            solution = get_backend("highs").solve(formulation.milp)
            assert formulation.decode(solution.x) == RuleSet.parse(text)
            for other in ("x >= 1", "x <= 3"):
                x = formulation.encode(RuleSet.parse(other))
                kept = not constraints or other == text
                assert formulation.milp.violation(x) == (0 if kept else 1)
                assert formulation.decode(x) == RuleSet.parse(other if constraints else text)
        both = [monotone("x", "increasing"), monotone("x", "decreasing")]
        formulation = form(table, objective, 1, constraints=both)
        assert formulation.milp.violation(formulation.encode(RuleSet.parse("x >= 1"))) == 1
        assert not get_backend("highs").solve(formulation.milp).x[formulation.layout.used.index].any()


@every_form
def test_covers_is_indexed_like_an_array(form: str) -> None:
    table = Table.from_any({"x": [1, 2, 3, 3], "c": list("aabb")}, [0, 1, 0, 1])
    shapes = {}

    def speak(f: Formulation) -> list[Any]:
        n = f.used.size
        shapes["all"] = f.covers[:, :].shape == (4, n)
        shapes["one"] = f.covers[2, 0].shape == ()
        shapes["row"] = f.covers[-1, :].shape == (n,)
        shapes["pattern"] = f.covers[f.label, 0].shape == (2,)
        shapes["some"] = f.covers[[0, 3, 3], 1:].shape == (3, n - 1)
        for wrong in (lambda: f.covers[0], lambda: f.covers[[[0]], 0], lambda: f.covers[0, 0, 0]):
            with pytest.raises(ModelError, match="covers takes"):
                wrong()
        with pytest.raises(IndexError):
            f.covers[4, 0]
        return []

    assert formulate(form, table, Objective.of(0, 0), [speak]).milp.n_columns
    assert shapes
    assert all(shapes.values()), shapes


@every_form
def test_a_model_is_built_once_and_can_be_built_again(form: str) -> None:
    _, table, objective, _ = some_table(3)
    name = table.attributes[0].name
    constraints = [
        lambda f: f.error.sum() >= 1,
        max_uses(name, 1),
        lambda f: f.occurs(name) + f.occurs(name) <= 2,
    ]
    formulation = formulate(form, table, objective, constraints)
    built, again = formulation.built, formulation.build()
    assert formulation.built is built
    assert formulation.milp is built.milp
    assert formulation.layout is built.layout
    assert again.milp == built.milp
    assert again.layout is not built.layout


@every_form
def test_translation_leaves_the_built_model_alone(form: str) -> None:
    rng, table, objective, patterns = some_table(3)
    said = [lambda f: f.error.sum() >= 0, lambda f: f.occurs(table.attributes[0].name) >= 0]
    first, second = (formulate(form, table, objective, said) for _ in range(2))
    assert second.milp == formulate(form, table, objective, said).milp  # built before anything is translated
    for _ in range(5):
        rules = RuleSet(patterns[k] for k in rng.permutation(len(patterns))[: rng.integers(0, 4)])
        x = first.encode(rules)  # which builds it
        assert x.tolist() == second.encode(rules).tolist()
        assert first.decode(x) == second.decode(x)
    assert first.milp == second.milp
    with pytest.raises(AttributeError):  # frozen
        first.built.milp = second.milp


def test_the_words_are_those_of_the_layout() -> None:
    heard: list[Any] = []
    table = Table.from_any({"x": [1, 2, 2]}, [0, 1, 1])

    def listen(f: Any) -> list[Any]:
        heard.append(f)
        return []

    for form in FORMS:
        formulation = formulate(form, table, Objective.of(0, 0), [listen])
        assert not heard  # a formulation that nobody has asked for its model has none
        assert isinstance(formulation.layout, Vocabulary)
        assert heard == [formulation.layout]
        heard.clear()


def test_words_need_the_table() -> None:
    table = Table.from_any({"x": [1, 2, 2]}, [0, 1, 1])
    formulation = CompactFormulation(
        table.distinct(), Objective.of(0, 0), 1, constraints=[lambda f: f.error.sum() <= 1]
    )
    with pytest.raises(OptionError, match="constraints need the table"):
        formulation.build()


def test_three_lines_of_ones_own() -> None:
    region = np.array(["north", "north", "south", "south", "north", "south"])
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [1, 0, 1, 0, 1, 0])

    def none_missed_in_the_north(f: Formulation) -> Any:
        return f.error[f.label & (region == "north")].sum() <= 0

    for form in FORMS:
        formulation = formulate(form, table, Objective.of("1/20", "1/20"), [none_missed_in_the_north])
        solution = get_backend("highs").solve(formulation.milp)
        predicted = formulation.decode(solution.x).predict(table.as_frame())
        assert predicted[[0, 4]].all()
