"""Tables of any values, odd ones among them, merged in an engine and in memory: the same, to the byte."""

from __future__ import annotations

import datetime
import decimal
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.engines import installed, lazily

import ooa
from ooa.data.times import EARLIEST, LATEST
from ooa.engines.plain import plain_value
from ooa.engines.reading import EngineRows
from ooa.engines.scoring import holds, holds_literal
from ooa.engines.source import source_of
from ooa.engines.testing_rows import confusion_on
from ooa.errors import DataError, OOAError

NAN = float("nan")
MOMENTS = [
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime.datetime(1970, 1, 1),
    datetime.datetime(2024, 2, 29, 12),
    datetime.datetime(2024, 2, 29, 12, 0, 0, 1),
    datetime.datetime(2038, 1, 19, 3, 14, 8),
]
TEXTS = [
    "",
    " ",
    "a",
    "A",
    "a ",
    "it's",
    'say "é"',
    "e\u0301",
    "line\nbreak",
    "😀",
    "NULL",
    "nan",
    "1",
    "1.0",
]
TEXTS += ["true", "%", "\\", "$1", "ß", "SS", "İ", "x" * 300, "a\x01b", "?", "\u00a0"]
#: Values of each type; where engines see them in another way, they are here.
VALUES: dict[pa.DataType, list[Any]] = {
    pa.float64(): [0.0, -0.0, 0.1, 0.1 + 0.2, 0.3, NAN, 5e-324, -1e300, 2.0**53, 1 / 3],
    pa.float32(): [0.0, -0.0, 0.5, 1.5, NAN, -2.25],
    pa.int64(): [0, -1, 7, 2**31, 2**53, -(2**53 - 1)],
    pa.int8(): [-128, -1, 0, 5, 127],
    pa.uint64(): [0, 1, 2**32, 2**52],
    pa.string(): TEXTS,
    pa.dictionary(pa.int32(), pa.string()): TEXTS[:8],
    pa.bool_(): [True, False],
    pa.date32(): [datetime.date(1, 1, 1), datetime.date(1582, 10, 10), datetime.date(9999, 12, 31)],
    pa.timestamp("s"): [moment.replace(microsecond=0) for moment in MOMENTS],
    pa.timestamp("ms"): [moment.replace(microsecond=0) for moment in MOMENTS],
    pa.timestamp("us"): MOMENTS,
    pa.timestamp("ns"): MOMENTS,
    pa.timestamp("us", "Europe/Berlin"): [one.replace(tzinfo=datetime.timezone.utc) for one in MOMENTS],
    pa.decimal128(25, 10): [decimal.Decimal(text) for text in ("0.1", "0.3000000000", "-12345.5", "1")],
}


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A few columns with values missing, two labels that the first column tells about, and weights."""
    size = draw(st.integers(4, 40))
    columns = {}
    for number in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(list(VALUES)))
        some = draw(st.lists(st.sampled_from(VALUES[kind]), min_size=2, max_size=8))
        columns[f"c{number}"] = pa.array(
            draw(st.lists(st.sampled_from([*some, None]), min_size=size, max_size=size)), kind
        )
    labels = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    weights = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=size, max_size=size))
    return pa.table(columns | {"y": pa.array(labels), "w": pa.array(weights)})


def outcome(fit: Any) -> Any:
    """The rule set and all of the certificate but seconds and how rows came here; or that there is none."""
    try:
        model = fit()
    except OOAError:
        return "no fit"
    return str(model.rules_).replace("target", "y"), replace(model.certificate_, seconds={}, message="")


@pytest.mark.parametrize("engine", ["duckdb", "polars", "parquet"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables(), sample_rows=st.sampled_from([10, 1000]), method=st.sampled_from(["round", "distinct"]))
def test_random_tables(engine: str, rows: pa.Table, sample_rows: int, method: str, tmp_path: Path) -> None:
    data: Any = tmp_path / "rows.parquet" if engine == "parquet" else None
    if data is None:
        data = lazily(engine, rows)
    else:
        pq.write_table(rows, data)
    options: dict[str, Any] = {"C1": 0.01, "C2": 0.01, "max_length": 2, "max_patterns": 2}
    options |= {"thresholds": method, "missing": "literal", "ranges": True}
    source = ooa.Source(data, sample_rows=sample_rows)
    found = outcome(lambda: ooa.fit(source, target="y", sample_weight="w", **options))
    X, weight = rows.drop_columns(["y", "w"]), rows["w"].to_numpy()
    expected = outcome(lambda: ooa.fit(X, rows["y"].to_numpy(), sample_weight=weight, **options))
    if found != expected:  # nothing is claimed beyond the cuts that rows were merged by
        assert found[0] == expected[0]
        assert "over these cuts" in found[1].statement
        told = {name: getattr(expected[1], name) for name in ("scope", "statement", "proof", "confirmed_by")}
        assert replace(found[1], **told) == expected[1]


@pytest.mark.parametrize("engine", installed())
def test_odd_values_in_every_engine(engine: str) -> None:
    """Each literal of each column is true there of the rows that it is true of in memory."""
    lacking = {
        "sqlite": [pa.float32(), pa.timestamp("ns"), pa.uint64(), pa.decimal128(25, 10)],
        "daft": [pa.decimal128(25, 10), pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("ns")],
        "pyspark": [pa.uint64()],
    }.get(engine, [])
    lacking += [pa.timestamp("us", "Europe/Berlin")] if engine in ("sqlite", "daft") else []
    lacking += [pa.dictionary(pa.int32(), pa.string())] if engine in ("sqlite", "daft", "pyspark") else []
    kinds = [kind for kind in VALUES if kind not in lacking]
    columns = {f"c{j}": pa.array(([*VALUES[kind], None] * 30)[:60], kind) for j, kind in enumerate(kinds)}
    rows = pa.table(columns | {"y": pa.array([0, 1, 1] * 20), "row": pa.array(range(60))})
    # Few a column, as the optimiser of Spark takes its time over many.
    table = ooa.Table.from_any(rows.drop_columns(["row"]), "y")
    made = ooa.candidate_literals(table, missing=True, thresholds="distinct").literals
    literals = [one for name in columns for one in [x for x in made if x.attribute == name][1:9:3]]
    frame = nw.from_native(lazily(engine, rows))
    schema = frame.collect_schema()
    asked = [
        holds_literal(one, frame, schema[one.attribute]).alias(f"l{k}") for k, one in enumerate(literals)
    ]
    found = frame.with_columns(*asked).collect().sort("row")
    for k, literal in enumerate(literals):
        here = ooa.RuleSet([ooa.Pattern([literal])]).covers(rows).any(axis=1)
        assert [bool(one) for one in found[f"l{k}"].to_list()] == here.tolist(), literal
    source = ooa.Source(lazily(engine, rows.drop_columns(["row"])), sample_rows=30)
    options: dict[str, Any] = {"C1": 0.01, "C2": 0.01, "max_length": 1, "thresholds": "round"}
    expected = outcome(lambda: ooa.fit(rows.drop_columns(["row"]), target="y", **options))
    assert outcome(lambda: ooa.fit(source, target="y", **options)) == expected


@pytest.mark.parametrize(
    "writer", [pq.write_table, lambda rows, path: pl.from_arrow(rows).write_parquet(path)]
)
def test_files_whose_statistics_leave_out_what_is_no_number(tmp_path: Path, writer: Any) -> None:
    path = tmp_path / "rows.parquet"
    writer(pa.table({"x": [1.0, 2.0, NAN] * 40, "y": [0, 1, 1] * 40}), path)
    found = ooa.fit(path, target="y", missing="literal", C1=0.01, C2=0.01)
    assert found.certificate_.errors == 0
    assert found._training.columns[0].missing.any()
    assert found.score(path, "y") == 1
    frame = source_of(path).open()
    assert frame.select(plain_value(frame, "x", nw.Float64())).collect()["x"].null_count() == 40


def test_moments_beyond_what_a_type_can_say() -> None:
    moments = pl.Series("when", [datetime.datetime(1970, 1, 1), datetime.datetime(2024, 1, 1), None])
    for unit in ("ms", "us", "ns"):
        rows = pl.LazyFrame({"when": moments.cast(pl.Datetime(unit))})
        frame = nw.from_native(rows)
        for micro in (EARLIEST, LATEST, -(10**16), 10**17, 1, 999):
            for closed in (True, False):
                after = ooa.Range("when", low=micro, low_closed=closed, time=True)
                met = frame.select(holds_literal(after, frame, frame.collect_schema()["when"])).collect()
                moved = [
                    None if m is None else int((m - MOMENTS[1]) / datetime.timedelta(microseconds=1))
                    for m in moments
                ]
                assert met.to_native().to_series().to_list() == [
                    m is not None and (m >= micro if closed else m > micro) for m in moved
                ]


@pytest.mark.parametrize(
    ("rules", "values", "words"),
    [
        ("x >= 1", ["1", "2"], "Column 'x' holds text, where 'x ≥ 1' needs numbers"),
        ("x >= 1", [datetime.date(2020, 1, 1)], "holds times, where 'x ≥ 1' needs numbers"),
        ("x >= 2020-01-01", [1, 2], "holds numbers, where 'x ≥ 2020-01-01' needs times"),
        ('x = "1"', [1, 2], "holds numbers, where .* needs text"),
        ("x = 1", [True, False], "holds true/false, where 'x = 1' needs numbers"),
    ],
)
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_columns_of_another_kind_are_refused_as_in_memory(
    engine: str, rules: str, values: list[Any], words: str
) -> None:
    from ooa.engines.scoring import predicted

    parsed = ooa.RuleSet.parse(rules)
    rows = pa.table({"x": values})
    with pytest.raises(DataError):
        parsed.predict(rows)
    with pytest.raises(DataError, match=words):
        predicted(parsed, nw.from_native(lazily(engine, rows)))


def sqlite_times(kind: str, values: list[Any]) -> Any:
    """A table of SQLite with times as they are written, which the label tells about."""
    ibis = pytest.importorskip("ibis")
    connection = ibis.sqlite.connect()
    connection.con.execute(f"create table rows (t {kind}, x integer, y integer)")
    connection.con.executemany(
        "insert into rows values (?, ?, ?)", [(value, k % 3, k % 3 // 2) for k, value in enumerate(values)]
    )
    return connection.table("rows")


PLAIN = [f"2020-01-01 {hour:02}:00:00" for hour in range(24)]


@pytest.mark.parametrize(
    "odd", ["2020-01-01T05:00:00", "2020-01-01 05:00:00+01:00", "2020-01-01 05:00:00Z", "2020-01-01"]
)
def test_times_that_sqlite_would_compare_wrongly_are_refused(odd: str) -> None:
    """It compares them as text, in which "2020-01-01" is less than that day's midnight."""
    words = "Column 't' has times that are not all written as SQLite compares them"
    rows, good = sqlite_times("timestamp", [odd, *PLAIN]), sqlite_times("timestamp", [None, *PLAIN])
    with pytest.raises(DataError, match=words):
        ooa.fit(rows, target="y")
    model = ooa.fit(good, target="y")
    assert model.rules_.attributes == ("x",)
    assert model.score(rows, "y") == 1  # which does not look at times
    late = ooa.RuleSet.parse("t >= 2020-01-01T05:00:00 -> y = 1 ELSE 0")
    with pytest.raises(DataError, match=words):
        confusion_on(late, EngineRows(nw.from_native(rows), "y"))
    counted = confusion_on(late, EngineRows(nw.from_native(good), "y"))
    assert counted.found + counted.alarms == 19


def test_zones_of_sqlite_are_refused_before_anything_is_read() -> None:
    rows = nw.from_native(sqlite_times("timestamptz", ["2020-01-01 05:00:00+01:00", *PLAIN]))
    late = ooa.RuleSet.parse("t >= 2020-01-01T05:00:00 -> y = 1 ELSE 0")
    for ask in (lambda: ooa.fit(rows.to_native(), target="y"), lambda: holds(late, rows)):
        with pytest.raises(
            DataError, match="Column 't' has times with a zone, which SQLite compares as text"
        ):
            ask()


@pytest.mark.parametrize("engine", installed())
def test_labels_that_are_floats_are_what_they_are_in_memory(engine: str) -> None:
    def rows(low: float) -> pa.Table:
        return pa.table({"x": [0, 1] * 20, "y": [low, low + 1] * 20})

    expected, found = ooa.fit(rows(0.0), target="y"), ooa.fit(lazily(engine, rows(0.0)), target="y")
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert found.classes_.dtype == expected.classes_.dtype
    there = nw.from_native(found.predict(lazily(engine, rows(0.0)))).collect()["prediction"]
    assert isinstance(there.to_list()[0], float)
    for data in (rows(0.5), lazily(engine, rows(0.5))):
        with pytest.raises(DataError, match="Unknown label type: continuous"):
            ooa.fit(data, target="y")
