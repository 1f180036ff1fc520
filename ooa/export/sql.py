"""Rule sets as SQL in many dialects; sqlglot does the quoting.

What the text relies on, beside `ooa.export.plain`:

- Missing is NULL or NaN. A comparison with NULL is unknown, which WHERE and CASE take for false (to select
  the others, compare the CASE with the negative label: NOT of an unknown is unknown again). NaN is above all
  numbers in DuckDB, Postgres, Snowflake and Spark, so it is tested for wherever it would slip through.
- Numbers that are not small and whole are written as doubles (18.5e0), as decimals lose digits on the way to
  a double; but a category that is an integer beyond 2**53, as codes are, is written in full.
- Times are timestamps in UTC without a time zone. SQLite has none: its columns hold ISO 8601 text.
- Names are quoted, so upper and lower case count. Text is compared by the column's collation; MySQL and SQL
  Server ignore upper and lower case unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal, TypeAlias

from ooa.checks import listed_items, one_of
from ooa.data.columns import Category
from ooa.errors import BackendUnavailable, RuleError
from ooa.rules.literal import IsMissing, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import time_text

from .plain import Plain, Present, Types, is_long, label_type, plain_patterns

__all__ = ["DIALECTS", "to_sql"]

Tree: TypeAlias = Any  # sqlglot's Expression: the package need not be there

#: How a dialect tests for NaN: by a function, as a number that equals itself, or it has none.
_NAN: dict[str, Literal["function", "equality", "none"]] = {
    **dict.fromkeys(
        ("athena", "bigquery", "clickhouse", "databricks", "duckdb", "spark", "trino"), "function"
    ),
    **dict.fromkeys(("postgres", "redshift", "snowflake"), "equality"),
    **dict.fromkeys(("mysql", "sqlite", "tsql"), "none"),
}
#: The dialects that `to_sql` writes.
DIALECTS = tuple(sorted(_NAN))
_EXACT = 1 << 24  # whole numbers up to here are exact even in a column of single precision
_MIDNIGHT = " 00:00:00.000000"


def to_sql(
    rules: RuleSet,
    table: str | Sequence[str] = "data",
    dialect: str = "duckdb",
    what: Literal["case", "where", "select"] = "case",
    types: Types | None = None,
) -> str:
    """Write a rule set in SQL.

    Parameters
    ----------
    rules : RuleSet
    table : str or sequence of str
        The table that "select" reads: one name, or the parts of a qualified one.
    dialect : str
        One of `DIALECTS`.
    what : {"case", "where", "select"}
        An expression for the label, the condition alone, or a whole query for all columns and the label.
    types : mapping from column to {"number", "text", "bool", "time"}, optional
        Columns that are not in it have the type of what the rules compare them with; a column that is only
        tested for being missing may then not contain the text 'NaN'.

    Raises
    ------
    BackendUnavailable
        If sqlglot is not installed.
    RuleError
        If a column's type is unclear, or a text or name holds a character that SQL cannot carry.

    Examples
    --------
    >>> rules = RuleSet.parse("bmi >= 35 OR age >= 30 AND snores = true")
    >>> print(to_sql(rules, dialect="sqlite"))  # doctest: +SKIP
    CASE WHEN `bmi` >= 35 OR (`age` >= 30 AND `snores` = 1) THEN 1 ELSE 0 END
    >>> print(to_sql(rules, dialect="duckdb", what="where"))  # doctest: +SKIP
    (NOT ISNAN("bmi") AND "bmi" >= 35) OR ((NOT ISNAN("age") AND "age" >= 30) AND "snores" = TRUE)
    """
    one_of(dialect, "dialect", DIALECTS)
    one_of(what, "what", ("case", "where", "select"))
    parts = (table,) if isinstance(table, str) else listed_items(table, "table", str, "names")
    return _Writer(dialect).write(rules, list(parts), what, types)


class _Writer:
    """Builds the syntax tree for one dialect."""

    def __init__(self, dialect: str) -> None:
        try:
            self.exp = import_module("sqlglot.expressions")
            self.dialect = import_module("sqlglot.dialects.dialect").Dialect.get_or_raise(dialect)
        except ImportError:
            raise BackendUnavailable(
                "Exporting to SQL needs the package sqlglot: pip install 'sqlglot>=30'"
            ) from None
        self.name = dialect
        if dialect == "sqlite":
            # SQLite takes "age" for the text 'age' if there is no such column; `age` is an error then.
            self.dialect.IDENTIFIER_START = self.dialect.IDENTIFIER_END = "`"

    def write(self, rules: RuleSet, table: list[str], what: str, types: Types | None) -> str:
        exp = self.exp
        patterns = [
            exp.and_(*map(self.test, pattern), copy=False) for pattern in plain_patterns(rules, types)
        ]
        tree = (
            exp.or_(*patterns, copy=False)
            if patterns
            else exp.EQ(this=self.signed("1"), expression=self.signed("0"))
        )
        if what != "where":
            label_type(rules)
            tree = exp.Case().when(tree, self.label(rules.positive)).else_(self.label(rules.negative))
        if what == "select":
            named = exp.alias_(tree, self.identifier(rules.target), quoted=True)
            source = exp.Table(**dict(zip(("this", "db", "catalog"), map(self.identifier, table[::-1]))))
            tree = exp.Select(expressions=[exp.Star(), named]).from_(source)
        return str(tree.sql(dialect=self.dialect))

    def test(self, plain: Plain) -> Tree:
        """Return one test, true exactly where `predict` says so."""
        exp, test = self.exp, plain.test
        column = exp.Column(this=self.identifier(test.attribute))
        nan = self.is_nan(column, plain)
        match test:
            case Range():
                return self.range(column, test, nan)
            case OneOf():
                values = [self.literal(value) for value in test.values]
                if len(values) == 1:
                    return exp.EQ(this=column, expression=values[0])
                return exp.In(this=column, expressions=values)
            case NotEqual():
                return self.unless(nan, exp.NEQ(this=column, expression=self.literal(test.value)))
        missing = exp.Is(this=column, expression=exp.null())
        if isinstance(test, IsMissing):
            return exp.or_(missing, nan) if nan else missing
        assert isinstance(test, Present)
        return self.unless(nan, exp.not_(missing))

    def range(self, column: Tree, test: Range, nan: Tree | None) -> Tree:
        """Return a range; NaN, above all numbers, gets past a lower bound alone."""
        exp = self.exp
        parts: list[Tree] = []
        bound = self.time if test.time else self.literal
        if test.time and self.name == "sqlite":
            column = self.whole_time(column)
        if test.low is not None:
            above = exp.GTE if test.low_closed else exp.GT
            parts.append(above(this=column.copy(), expression=bound(test.low)))
        if test.high is None:
            return self.unless(nan, parts[0])
        below = exp.LTE if test.high_closed else exp.LT
        return exp.and_(*parts, below(this=column.copy(), expression=bound(test.high)))

    def unless(self, nan: Tree | None, condition: Tree) -> Tree:
        """Return a condition that fails on NaN."""
        return self.exp.and_(self.exp.not_(nan), condition) if nan else condition

    def is_nan(self, column: Tree, plain: Plain) -> Tree | None:
        """Return the test for NaN, None where there cannot be one."""
        exp, how = self.exp, _NAN[self.name]
        if how == "none" or plain.type not in ("number", None):
            return None
        if plain.type is None:  # only text is what every type turns into
            text = exp.Lower(this=exp.cast(column.copy(), "text"))
            return exp.EQ(this=text, expression=exp.Literal.string("nan"))
        if how == "function":
            return exp.IsNan(this=column.copy())
        return exp.EQ(this=column.copy(), expression=exp.cast(exp.Literal.string("NaN"), "double"))

    def literal(self, value: Category) -> Tree:
        """Return a value to compare with."""
        if isinstance(value, (bool, str)):
            return self.label(value)
        if is_long(value):
            return self.signed(str(value))
        return self.number(float(value))

    def label(self, value: Category) -> Tree:
        """Return a label; whole numbers in full, however large."""
        exp = self.exp
        if isinstance(value, str):
            text = self.carried("The text", value)
            if self.name == "tsql" and not text.isascii():  # without the N it would become question marks
                return exp.National(this=text)
            return exp.Literal.string(text)
        if isinstance(value, bool):
            if self.name in (
                "sqlite",
                "tsql",
            ):  # SQLite takes TRUE for a column of that name, if there is one
                return exp.Literal.number(str(int(value)))
            return exp.true() if value else exp.false()
        return self.signed(str(value)) if isinstance(value, int) else self.number(value, whole=False)

    def number(self, number: float, whole: bool = True) -> Tree:
        """Return a number that reads back exactly, as an integer if small and whole."""
        if whole and number.is_integer() and abs(number) <= _EXACT:
            return self.signed(str(int(number)))
        text = repr(number)
        return self.signed(text if "e" in text else f"{text}e0")

    def signed(self, text: str) -> Tree:
        """Return a number from its digits."""
        size = self.exp.Literal.number(text.removeprefix("-"))
        return self.exp.Neg(this=size) if text.startswith("-") else size

    def time(self, microseconds: float) -> Tree:
        """Return a moment."""
        text = time_text(microseconds).replace("T", " ")
        moment = self.exp.Literal.string(text + _MIDNIGHT[len(text) - 10 :])
        if self.name == "sqlite":
            return moment
        build = self.exp.DataType.build
        match self.name:
            case "clickhouse":
                return self.exp.cast(moment, build("DateTime64(6)", dialect="clickhouse"))
            case "athena" | "mysql" | "trino":  # whose plain timestamps have fewer than six digits
                return self.exp.cast(moment, build("timestamp(6)"))
        return self.exp.cast(moment, build("timestamp"))

    def whole_time(self, column: Tree) -> Tree:
        """Return SQLite's ISO 8601 text, brought to the one length and form in which texts sort as times."""
        exp = self.exp
        rest = exp.Sub(this=exp.Length(this=column.copy()), expression=exp.Literal.number(9))
        padding = exp.Anonymous(this="SUBSTR", expressions=[exp.Literal.string(_MIDNIGHT), rest])
        blank = [exp.Literal.string("T"), exp.Literal.string(" ")]
        spaced = exp.Anonymous(this="REPLACE", expressions=[column.copy(), *blank])
        return exp.DPipe(this=spaced, expression=padding)

    def identifier(self, name: str) -> Tree:
        """Return a quoted name."""
        if not name:
            raise RuleError("A column or table without a name cannot be exported to SQL")
        return self.exp.Identifier(this=self.carried("The name", name), quoted=True)

    def carried(self, role: str, text: str) -> str:
        """Return text that SQL can carry, or raise."""
        if "\x00" in text:
            raise RuleError(f"{role} {text!r} contains a NUL character, which SQL cannot carry")
        return text
