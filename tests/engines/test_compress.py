"""Rows merged by an engine give the rule set and the certificate of the same rows in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from support.engines import as_arrow, called, for_engine, installed, lazily, mixed_rows

import ooa
from ooa.candidates.cutpoints import Cut
from ooa.candidates.gaps import disorder
from ooa.data.columns import Column
from ooa.engines.coarser import estimated_rows, least_telling_first
from ooa.engines.compress import ReadAs, compress
from ooa.engines.profile import Profile
from ooa.engines.reading import EngineRows
from ooa.engines.sampling import sample_of
from ooa.engines.source import Source
from ooa.errors import DataError, OptionError

FAST: dict[str, Any] = {"max_thresholds": 4, "C1": 0.01, "C2": 0.01, "max_length": 2}


def outcome(model: Any) -> tuple[Any, ...]:
    """What must be equal, byte for byte: all but seconds, and how rows came here."""
    return str(model.rules_), replace(model.certificate_, seconds={}, message="")


@pytest.mark.parametrize("engine", installed())
@pytest.mark.parametrize("seed", range(4))
def test_as_in_memory(engine: str, seed: int) -> None:
    rows = for_engine(engine, as_arrow(mixed_rows(seed)))
    options = FAST | {"missing": ("false", "literal", "category", "false")[seed]}
    options |= {"thresholds": ("auto", "round", "quantiles", {"number": [0, 0.35], "whole": [3.5]})[seed]}
    expected = ooa.fit(rows.drop_columns(["label"]), rows["label"].to_numpy(), **options)
    found = ooa.fit(lazily(engine, rows), target="label", **options)
    expected._call_positive(expected.rules_.positive)
    found_rules = str(found.rules_).replace("label", "target")
    assert (found_rules, outcome(found)[1]) == outcome(expected)
    assert found.certificate_.rows == len(rows)
    assert "exactly" in found.certificate_.message


@pytest.mark.parametrize("engine", installed())
def test_values_counted_on_all_rows_and_cuts_by_a_sample(engine: str) -> None:
    random = np.random.default_rng(0)
    x = random.random(6000)
    rows = pa.table({"x": x, "few": random.integers(0, 30, 6000), "y": (x > 0.7).tolist()})
    found = compress(Source(lazily(engine, rows), sample_rows=3000), ReadAs("y", max_thresholds=5))
    assert "cuts of 'x' were chosen by a sample of" in found.note
    assert found.narrowed
    table = found.table
    assert table.copies is not None
    assert int(table.copies.sum()) == 6000
    assert table.positive.sum() == (x > 0.7).sum()
    # Every literal holds on as many rows here as there.
    for literal in ooa.candidate_literals(table, thresholds=found.cuts, ranges=True).literals:
        rules = ooa.RuleSet([ooa.Pattern([literal])])
        here = np.asarray(rules.covers(table.as_frame()).any(axis=1))
        assert table.copies[here].sum() == rules.covers(rows).sum(), literal


def test_weights_by_name_count_as_in_memory() -> None:
    frame = mixed_rows(7)
    frame["weight"] = np.random.default_rng(1).integers(0, 4, len(frame))
    rows = as_arrow(frame.drop(columns="weight")).append_column("weight", pa.array(frame["weight"]))
    X = rows.drop_columns(["label", "weight"])
    expected = ooa.fit(X, rows["label"].to_numpy(), sample_weight=frame["weight"].to_numpy(), **FAST)
    found = ooa.fit(lazily("polars", rows), target="label", sample_weight="weight", **FAST)
    assert outcome(found)[1] == outcome(expected)[1]
    assert found.predict_proba(X).tolist() == expected.predict_proba(X).tolist()


def test_balanced_classes() -> None:
    rows = as_arrow(mixed_rows(8))
    X = rows.drop_columns(["label"])
    expected = ooa.fit(X, rows["label"].to_numpy(), class_weight="balanced", **FAST)
    found = ooa.fit(lazily("duckdb", rows), target="label", class_weight="balanced", **FAST)
    assert found.rules_.patterns == expected.rules_.patterns
    assert float(found.certificate_.objective) == pytest.approx(float(expected.certificate_.objective))


def test_nothing_is_claimed_beyond_the_cuts() -> None:
    x = np.arange(3000.0)
    rows = pa.table({"x": x, "y": (x % 7 < 3).tolist()})
    with pytest.warns(ooa.OOAWarning, match="no pattern is worth its price"):
        model = ooa.fit(lazily("polars", rows), target="y", C1=1, C2=1)
    assert model.certificate_.proved
    assert "over these cuts" in model.certificate_.statement


@pytest.mark.parametrize("engine", installed())
def test_not_a_number_is_missing(engine: str) -> None:
    rows = pa.table({"x": [float("nan"), 1.0, 2.0, None] * 5, "y": [1, 0, 1, 1] * 5})
    found = compress(Source(lazily(engine, rows)), ReadAs("y"))
    gone = found.table.columns[0].missing
    assert found.table.weight[gone].sum() == 10


def test_files(tmp_path: Any) -> None:
    frame = pd.DataFrame({"x": [i % 9 for i in range(200)], "y": [int(i % 9 >= 4) for i in range(200)]})
    frame[:120].to_parquet(tmp_path / "part1.parquet")
    frame[120:].to_parquet(tmp_path / "part2.parquet")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    expected = ooa.fit(frame[["x"]], frame["y"])
    for path in (tmp_path, f"{tmp_path}/part*.parquet", tmp_path / "rows.csv"):
        model = ooa.fit(path, target="y")
        assert outcome(model) == outcome(expected)
    with pytest.raises(DataError, match=r"There is no file '.*gone\.csv'"):
        ooa.fit(tmp_path / "gone.csv", target="y")
    with pytest.raises(DataError, match="its name must end with one of"):
        ooa.fit(__file__, target="y")
    (tmp_path / "bad.parquet").write_bytes(b"no table")
    with pytest.raises(DataError, match="duckdb could not open"):
        ooa.fit(tmp_path / "bad.parquet", target="y")


def test_dates_that_do_not_begin_with_the_year_are_texts(tmp_path: Any) -> None:
    """DuckDB tells which is the day by the other lines, and another file may tell it otherwise."""
    days = [(1 + k * 5 % 12, 1 + k % 28) for k in range(300)]
    for number, written in enumerate(("{:02}/{:02}/2020", "2020-{:02}-{:02}", "2020-{:02}-{:02} 10:00:00")):
        every, early = tmp_path / f"all{number}.csv", tmp_path / f"early{number}.csv"
        lines = [f"{written.format(month, day)},{int(month > 6)}" for month, day in days]
        every.write_text("\n".join(["d,y", *lines]))
        early.write_text("\n".join(["d,y", *(line for line, (_, day) in zip(lines, days) if day <= 12)]))
        model = ooa.fit(every, target="y", max_length=1, max_patterns=2)
        for path in (every, early):
            frame = pd.read_csv(path, dtype={"d": str})[["d"]]
            if written.startswith("2020"):
                assert model.score(path, "y") == 1
                frame["d"] = pd.to_datetime(frame["d"])
            there = nw.from_native(model.predict(path)).collect()["prediction"].to_list()
            assert there == model.predict(frame).tolist()


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ({"x": [1, 2], "y": [0, 1]}, {"target": "z"}, "There is no column 'z'; the columns are 'x', 'y'"),
        ({"x": [1, 2], "y": [0, 0]}, {}, "'y' must have two classes, but every label is 0"),
        ({"x": [1, 2, 3], "y": [0, 1, None]}, {}, "The label 'y' is missing in 1 row"),
        ({"x": [1.0, float("inf")], "y": [0, 1]}, {}, "Column 'x', row 1: the value is infinite"),
        ({"x": [[1], [2]], "y": [0, 1]}, {}, "Column 'x' holds nested values"),
        ({"y": [0, 1]}, {}, "The table has no columns to learn from"),
        ({"x": [1, 2], "w": [1, -1], "y": [0, 1]}, {"sample_weight": "w"}, "must be finite and not negative"),
        ({"x": [1, 2], "w": [1, None], "y": [0, 1]}, {"sample_weight": "w"}, "is missing in 1 row"),
        ({"x": [1, 2], "w": ["a", "b"], "y": [0, 1]}, {"sample_weight": "w"}, "are not numbers"),
        ({"x": [1, 2], "y": [0, 1]}, {"sample_weight": [1, 2]}, "pass its name, not a list"),
        ({"x": [1, 2], "y": [0, 1]}, {"target": None}, "pass its name, not nothing"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(
    table: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    for engine in ("polars", "duckdb"):
        with pytest.raises(DataError, match=words):
            ooa.fit(lazily(engine, pa.table(table)), **{"target": "y"} | options)


def test_options_that_cannot_be() -> None:
    rows = lazily("polars", pa.table({"x": list(range(5000)), "y": [0, 1] * 2500}))
    with pytest.raises(OptionError, match="column 'x' has more than 1,000"):
        ooa.fit(Source(rows, sample_rows=4000), target="y", thresholds="distinct")
    with pytest.raises(OptionError, match="not a numeric column"):
        ooa.fit(rows, target="y", thresholds={"z": [1]})
    with pytest.raises(OptionError, match="give one of the two"):
        ooa.fit(rows, [1], target="y")
    with pytest.raises(OptionError, match="when_more"):
        Source(rows, when_more="maybe")
    with pytest.raises(DataError, match="is no source of rows"):
        Source(3).open()


def test_labels_named_in_memory_as_well() -> None:
    table = {"x": [1, 2, 3, 4] * 20, "y": [0, 0, 1, 1] * 20}
    model = ooa.fit(pd.DataFrame(table), target="y")
    assert model.rules_ == ooa.fit(pl_lazy(table), target="y").rules_
    with pytest.raises(DataError, match="There is no column 'z'"):
        ooa.fit(pd.DataFrame(table), target="z")


def pl_lazy(table: dict[str, Any]) -> Any:
    return lazily("polars", pa.table(table))


def test_what_learns_again_uses_the_same_cuts() -> None:
    x = np.random.default_rng(0).random(4000)
    rows = pl_lazy({"x": x.tolist(), "y": ((x > 0.3) & (x < 0.6)).tolist()})
    model = ooa.fit(rows, target="y", C1=0.01, C2=0.01, ranges=True)
    frame = model.path([0.1, 0.01])
    assert frame["errors"].iloc[-1] == float(model.certificate_.errors)
    with pytest.raises(OptionError, match="give thresholds to fit"):
        model.path([0.1], thresholds="mdl")


def test_folds_of_merged_rows() -> None:
    x = np.random.default_rng(0).random(3000)
    rows = pl_lazy({"x": x.tolist(), "y": (x > 0.6).tolist()})
    model = ooa.fit(rows, target="y", C="cv", cv=3)
    assert model.n_splits_ == 3
    assert len(model.rules_) == 1
    with pytest.raises(OptionError, match="a number of folds"):
        ooa.fit(rows, target="y", C="cv", cv=[([0], [1])])


@pytest.mark.parametrize("engine", installed())
def test_folds_that_a_column_tells(engine: str) -> None:
    """A fold is one more column to group by: the scores are those of the same folds in memory."""
    random = np.random.default_rng(0)
    x, fold = random.integers(0, 9, 900), random.integers(0, 3, 900)
    y = (x > 4) ^ (random.random(900) < 0.2)
    rows = pa.table({"x": x, "fold": [f"part {k}" for k in fold], "y": y})
    told: dict[str, Any] = {"C": "cv", "C_grid": [0.2, 0.01], "max_length": 1}
    model = ooa.fit(lazily(engine, rows), target="y", cv="fold", **told)
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
    expected = ooa.fit(pd.DataFrame({"x": x}), y, cv=splits, **told)
    assert model.feature_names_in_.tolist() == ["x"]
    assert model.rules_.patterns == expected.rules_.patterns
    for key in ("split0_test_score", "split2_test_score", "mean_test_score"):
        assert model.cv_results_[key].tolist() == pytest.approx(expected.cv_results_[key].tolist())
    with pytest.raises(DataError, match="There is no column 'part'"):
        ooa.fit(lazily(engine, rows), target="y", cv="part", **told)
    with pytest.raises(DataError, match="2 to 100 folds"):
        ooa.fit(lazily(engine, rows.append_column("id", pa.array(range(900)))), target="y", cv="id", **told)
    with pytest.raises(OptionError, match="names a column"):
        ooa.fit(pd.DataFrame({"x": x}), y, cv="fold", **told)


@pytest.mark.parametrize("engine", installed())
@pytest.mark.parametrize("when_more", ["coarser", "sample"])
def test_no_more_rows_come_back_than_may(
    engine: str, when_more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of both labels, and of every fold, count; what weighs nothing does not."""
    random = np.random.default_rng(6)
    x = random.integers(0, 8, (1500, 2))
    y = (x[:, 0] > 3) ^ (random.random(1500) < 0.3)
    columns = {"x": x[:, 0], "z": x[:, 1], "fold": random.integers(0, 3, 1500), "y": y}
    rows = pa.table(columns | {"w": np.r_[np.ones(700), np.zeros(800)]})
    most, told = 100, ReadAs("y", "w", fold="fold", thresholds="distinct")
    merging, came = EngineRows.merged, []

    def counting(*given: Any, **more: Any) -> Any:
        came.append(merging(*given, **more))
        return came[-1]

    monkeypatch.setattr(EngineRows, "merged", counting)
    found = compress(Source(lazily(engine, rows), most, when_more, sample_rows=600), told)
    assert max(map(len, came)) <= most + 1
    assert len(came[-1]) <= most
    assert found.table.n_rows <= most
    assert found.fold is not None
    words = "cuts were left out, those" if when_more == "coarser" else "drawn at random with"
    assert words in found.note
    counting_rows = rows.filter(pa.array(np.arange(1500) < 700)).group_by(["x", "z", "fold", "y"])
    exact = counting_rows.aggregate([]).num_rows  # just enough
    for sample_rows in (600, 2000):
        found = compress(Source(lazily(engine, rows), exact, when_more, sample_rows), told)
        assert found.table.n_rows == exact or sample_rows == 600


def wide(n_rows: int = 4000) -> tuple[pa.Table, Any]:
    """Two columns that tell, four that do not, and hardly two rows alike."""
    random = np.random.default_rng(3)
    x = random.random((n_rows, 6))
    y = (x[:, 0] > 0.7) & (x[:, 1] > 0.4) ^ (random.random(n_rows) < 0.02)
    return pa.table({f"x{j}": x[:, j] for j in range(6)} | {"y": y}), y


def test_cuts_that_say_least_are_left_out() -> None:
    rows, y = wide()
    source = Source(lazily("duckdb", rows), max_distinct=500)
    model = ooa.fit(source, target="y", max_thresholds=6, C1=0.01, C2=0.01)
    assert "cuts were left out, those that say least about the labels" in model.certificate_.message
    assert model._training.distinct().n_rows <= 500
    assert model.rules_.attributes == ("x0", "x1")
    assert model.certificate_.wrong_rows == np.sum(model.rules_.covers(rows).any(axis=1) != y)
    with pytest.raises(DataError, match="more than 500 distinct rows"):
        ooa.fit(replace(source, when_more="error"), target="y", max_thresholds=6)
    texts = pa.table({"t": ["a", "b", "c", "d"] * 5, "y": [0, 1] * 10})
    with pytest.raises(DataError, match="more than 2 distinct rows"):
        ooa.fit(Source(lazily("duckdb", texts), max_distinct=2), target="y")


@pytest.mark.parametrize("engine", installed())
def test_a_sample_is_learned_from_and_all_rows_are_counted(engine: str) -> None:
    rows, y = wide()
    source = Source(lazily(engine, rows), max_distinct=1000, when_more="sample", sample_rows=2500)
    model = ooa.fit(source, target="y", max_thresholds=6, C1=0.01, C2=0.01, max_length=2)
    found = model.certificate_
    wrong = int(np.sum(model.rules_.covers(rows).any(axis=1) != y))
    assert 800 < found.rows <= 1000
    assert f"of 4,000 rows, drawn at random with {called(engine)}, were learned from" in found.message
    assert f"on all 4,000 rows its errors weigh {wrong:,} of 4,000, and with a confidence" in found.message
    assert found.statement.endswith("on these rows")


def test_the_order_of_giving_up_loses_least_each_time() -> None:
    random = np.random.default_rng(5)
    values = np.arange(6.0)
    cuts = [Cut(v, v + 1) for v in values[:-1]]
    for _ in range(20):
        weights = random.integers(1, 9, (2, 6)).astype(float)
        left = list(cuts)
        for _, gone in least_telling_first([Profile(Column("x", "numeric", values), *weights)], {"x": cuts}):
            losses = [left_over(values, weights, [cut for cut in left if cut is not one]) for one in left]
            left.remove(gone)
            assert left_over(values, weights, left) == pytest.approx(min(losses))
        assert not left


def left_over(values: Any, weights: Any, cuts: list[Cut]) -> float:
    """The disorder of the labels between cuts, by its definition."""
    place = sum((values >= cut.above for cut in cuts), np.zeros(len(values))).astype(int)
    return float(disorder(np.stack([np.bincount(place, w, len(cuts) + 1) for w in weights])).sum())


def test_an_estimate_is_exact_of_all_rows_and_counts_what_is_rare() -> None:
    column = Column("x", "numeric", np.random.default_rng(0).random(2000))
    cuts = {"x": [Cut(k / 100, k / 100, below_closed=False) for k in range(1, 100)]}
    assert estimated_rows([column], cuts, whole=True) == 100
    assert estimated_rows([column], {"x": []}, whole=False) == 1


def test_reports_count_the_rows_that_were_merged(tmp_path: Any) -> None:
    rows = pl_lazy({"x": [1, 2, 3, None] * 500, "y": [0, 0, 1, 1] * 500})
    page = ooa.fit(rows, target="y").report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "learned from 2,000 rows" in page
    assert "2,000 rows: y is 1 for 1,000 and 0 for 1,000" in page
    assert "500 rows of y = 1 fail the pattern that comes nearest" in page
    assert "Rows were merged where they live" in page


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_true_and_false_of_which_the_sample_has_none(engine: str) -> None:
    ill = [int(row % 50 == 7) for row in range(1000)]
    rows = pa.table({"flag": pa.array([True if one else None for one in ill]), "y": ill})
    source = Source(lazily(engine, rows), sample_rows=10)
    drawn = sample_of(source.open(), 1000, 10)
    assert len(drawn)
    assert drawn["flag"].null_count() == len(drawn)
    assert str(ooa.fit(source, target="y", C1=0.001, C2=0.001).rules_[0]) == "flag = true"


@pytest.mark.parametrize(("when_more", "seed", "most"), [("coarser", 11, 12), ("error", 1, 36)])
def test_an_estimate_alone_does_not_say_that_there_are_too_many(when_more: str, seed: int, most: int) -> None:
    """Twenty rows that all differ make it large; with few enough cuts, or in truth, there are not so many."""
    random = np.random.default_rng(seed)
    if when_more == "error":
        columns = {f"x{j}": random.integers(0, 6, 300) for j in range(2)}  # 36 at most
    else:
        columns = {f"x{j}": random.normal(size=300) for j in range(3)}
    rows = pa.table(columns | {"y": (columns["x0"] > 0).astype(int)})
    source = Source(lazily("polars", rows), max_distinct=most, when_more=when_more, sample_rows=20)
    found = compress(source, ReadAs("y", thresholds="round"))
    assert found.table.n_rows <= most
    assert found.n_rows == 300
    assert ("cuts were left out" in found.note) == (when_more == "coarser")
