"""Printed rule sets read back as they were, and mistakes are pointed at."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.strategies import ODD_TEXT, patterns, rule_sets
from support.sweeps import sweep

from ooa.errors import FormatError
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.parsing import parse_pattern, parse_rules
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import levels_text, literal_text, pattern_text
from ooa.rules.tokens import Tokens


@settings(max_examples=sweep(125, of=250))
@given(rule_sets())
@example(RuleSet())
@example(RuleSet([Pattern([Equal(name, name) for name in ODD_TEXT])], "", "", "x"))
def test_every_printed_form_reads_back(rules: RuleSet) -> None:
    for compact in (False, True):
        for unicode in (False, True):
            text = rules.to_text(compact=compact, unicode=unicode)
            again = parse_rules(text)
            assert again == rules
            assert type(again.positive) is type(rules.positive)
            assert type(again.negative) is type(rules.negative)
            assert again.to_text(compact=compact, unicode=unicode) == text
            assert unicode or text.isascii()
            assert not compact or "\n" not in text


@settings(max_examples=sweep(100, of=200))
@given(patterns())
def test_every_pattern_reads_back(pattern: Pattern) -> None:
    for unicode in (False, True):
        for compact in (False, True):
            text = pattern_text(pattern, compact=compact, unicode=unicode)
            assert parse_pattern(f"{text} {levels_text([pattern], unicode=unicode)}") == pattern
        for literal in pattern:
            text = f"{literal_text(literal, unicode=unicode)} {levels_text([[literal]], unicode=unicode)}"
            assert parse_pattern(text).literals == (literal,)
    assert parse_pattern(str(pattern)) == pattern


PIECES = (
    "IF AND OR THEN ELSE predict ( ) { } , : = <= > != -> IN IS MISSING WITH x 'a' 1 true FALSE 2020-01-01"
)


@settings(max_examples=sweep(200, of=400))
@given(st.text(max_size=30) | st.lists(st.sampled_from(PIECES.split(" ")), max_size=12).map("\n".join))
def test_any_text_parses_or_fails_politely(text: str) -> None:
    try:
        rules = parse_rules(text)
    except FormatError:
        return  # any other exception fails the test
    assert parse_rules(str(rules)) == rules


def test_the_papers_form() -> None:
    rules = RuleSet(
        [
            Pattern([Range("age", low=30), Equal("hypertension", True)]),
            Pattern([Range("age", low=30), NotEqual("why are you here", "snoring")]),
            Pattern([Range("bmi", 25, 40, high_closed=False)]),
        ],
        target="sleep apnea",
        positive="yes",
        negative="no",
    )
    assert str(rules) == (
        "IF   (25 ≤ bmi < 40)\n"
        "  OR (age ≥ 30 AND hypertension = true)\n"
        '  OR (age ≥ 30 AND "why are you here" ≠ snoring)\n'
        'THEN predict "sleep apnea" = yes\n'
        'ELSE predict "sleep apnea" = no'
    )
    assert rules.to_text(compact=True, unicode=False) == (
        "(25 <= bmi < 40) OR (age >= 30 AND hypertension = true) OR "
        '(age >= 30 AND "why are you here" != snoring) -> "sleep apnea" = yes ELSE no'
    )


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("x >= 3", Range("x", 3)),
        ("x>3", Range("x", 3, low_closed=False)),
        ("3<=x", Range("x", 3)),
        ("3 > x", Range("x", None, 3, high_closed=False)),
        ("1 < x <= 2", Range("x", 1, 2, low_closed=False)),
        ("2 ≥ x > 1", Range("x", 1, 2, low_closed=False)),
        ("x > 1 AND x ≤ 2", Range("x", 1, 2, low_closed=False)),
        ("x <-1.5e-3", Range("x", None, -0.0015, high_closed=False)),
        ("x >= .5", Range("x", 0.5)),
        ("x >= 0.1", Range("x", 0.1)),
        ("x >= 1e308", Range("x", 1e308)),
        ("x = 3", Equal("x", 3)),
        ("x == 3.0", Equal("x", 3)),
        ("x = '3'", Equal("x", "3")),
        ('x = "3"', Equal("x", "3")),
        ("x = TRUE", Equal("x", True)),
        ("x = 'true'", Equal("x", "true")),
        ("x = yes", Equal("x", "yes")),
        ("x <> no-one", NotEqual("x", "no-one")),
        ("'x' != 0.5", NotEqual("x", 0.5)),
        ("x in {a, 'b', 1, true}", OneOf("x", ["a", "b", 1, True])),
        ("x ∈ {}", OneOf("x", [])),
        ("x is missing", IsMissing("x")),
        ('"IS" IS MISSING', IsMissing("IS")),
        (r'"a\"b\\c\u00e9\U0001f600\n" = 1', Equal('a"b\\cé😀\n', 1)),
        ("petal.length > 1", Range("petal.length", 1, low_closed=False)),
        ("größe > 1", Range("größe", 1, low_closed=False)),
        ("((x = 1))", Equal("x", 1)),
        ("t < 1970-01-02", Range("t", None, 86_400_000_000, high_closed=False, time=True)),
        ("t >= 1970-01-01T00:00:01Z", Range("t", 1_000_000, time=True)),
        ("1969-12-31T23:59:59.999999 <= t", Range("t", -1, time=True)),
        ("0001-01-01 <= t <= 9999-12-31", Range("t", -62135596800000000, 253402214400000000, time=True)),
    ],
)
def test_literals_as_people_write_them(text: str, literal: Literal) -> None:
    assert parse_pattern(text) == Pattern([literal])


def test_precedence_and_layout() -> None:
    expected = RuleSet([Pattern([Equal("a", 1), Equal("b", 2)]), Pattern([Equal("c", 3)])])
    for text in (
        "a = 1 AND b = 2 OR c = 3",
        "(a = 1 and (b = 2)) or (c = 3)",
        "(a = 1 ∧ b = 2 ∨ c = 3)",
        "IF a=1 AND b=2\r\nOR c=3\r\nTHEN 1 ELSE 0",
        "if c = 3 or a = 1 and b = 2 then predict target = 1 else predict target = 0",
        "c = 3 OR a = 1 AND b = 2 → target = 1 ELSE target = 0",
    ):
        assert parse_rules(text) == expected
    assert parse_rules("FALSE") == parse_rules("IF FALSE THEN 1 ELSE 0") == RuleSet()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected a literal, found the end"),
        ("age >= 30 AND\n  OR bmi > 3", "line 2, column 3: expected a literal, found 'OR'"),
        (
            "age 30",
            "line 1, column 5: expected a sign such as '=' or '<=', IN or IS after the name 'age', found '3",
        ),
        ("age >= old", "line 1, column 8: expected a number or a time as the bound of a range, found 'old'"),
        ("age = ", "line 1, column 7: expected a value, found the end"),
        (
            "age = AND",
            "line 1, column 7: expected a value, found 'AND'; put it in quotes if it is meant as text",
        ),
        ("IF = 3", "line 1, column 4: expected a literal, found '='"),
        (
            "age = null",
            "line 1, column 7: 'null' is not a value: write IS MISSING, or put it in quotes if it is text",
        ),
        ("a = 1 b = 2", "line 1, column 7: expected AND, OR, '->' or the end, found 'b'"),
        ("(a = 1", "line 1, column 7: expected AND, OR or ')', found the end"),
        ("a = 1)", "line 1, column 6: expected AND, OR, '->' or the end, found ')'"),
        ("a = 'x", "line 1, column 5: the text that begins with ' is not closed on its line"),
        ("a = 'x\n'", "line 1, column 5: the text that begins with ' is not closed on its line"),
        (r"a = 'b\q'", r"line 1, column 7: \q is not an escape; to mean a backslash, write two"),
        (r"a = '\U00110000'", "line 1, column 6: "),
        ("a = 3kg", "line 1, column 5: '3kg' is not a number; put it in quotes if it"),
        ("a = 1.2.3", "line 1, column 5: '1.2.3' is not a number"),
        ("a ~ 3", "line 1, column 3: unexpected '~'; a name or value with such characters needs quotes"),
        ("a IN {1 2}", "line 1, column 9: expected ',' or '}' in a set of values, found '2'"),
        ("a IN 1", "line 1, column 6: expected '{' after IN, found '1'"),
        ("a IS 1", "line 1, column 6: expected MISSING after IS, found '1'"),
        ("1 < a > 2", "line 1, column 7: '<' and '>' do not point the same way"),
        (
            "1 < a < 2020-01-01",
            "line 1, column 9: expected a number as the bound of a range, found '2020-01-01'",
        ),
        ("1 = a", "line 1, column 3: expected a sign such as '<=' between a number and a name, found '='"),
        ("1 < 2", "line 1, column 5: expected a name, found '2'"),
        ("a = 2020-01-01", "line 1, column 5: expected a value, found '2020-01-01'"),
        ("t < 2020-13-01", "line 1, column 5: '2020-13-01' is not a time"),
        ("a > 1e999", "line 1, column 1: The low bound of 'a': inf is not a finite number"),
        ("a = 1 AND (b = 1 OR c = 1)", "line 1, column 11: an OR inside an AND is not an Or of And's"),
        ("a != 1 AND a != 2", "line 1, column 1: No single literal says 'a ≠ 1' and 'a ≠ 2' at once"),
        ("IF a = 1", "line 1, column 9: expected AND, OR or THEN, found the end"),
        ("IF a = 1 THEN predict y = 1", "line 1, column 28: expected ELSE, found the end"),
        (
            "a = 1 -> y = 1 ELSE z = 0",
            "line 1, column 21: the two labels are of different targets, 'y' and 'z'",
        ),
        ("a = 1 -> y = 1 ELSE 1", "line 1, column 7: The positive and the negative label are both 1"),
        ("a = 1 -> y = 1 ELSE 0 0", "line 1, column 23: expected the end, found '0'"),
        ("a = 1 -> 3 = 1 ELSE 0", "line 1, column 10: expected the name of the target, found '3'"),
        ("(" * 100 + "a = 1" + ")" * 100, "line 1, column 51: more than 50 parentheses inside one another"),
        ("a = " + "9" * 5000, "line 1, column 5: "),
        (r"a = '\ud800'", "line 1, column 1: A literal on 'a': the text '\\ud800' contains a lone surrogate"),
    ],
)
def test_mistakes_are_pointed_at(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_rules(text)
    assert str(caught.value).startswith(message)


def test_a_pattern_is_one_pattern() -> None:
    with pytest.raises(FormatError, match="expected a single pattern, found 2"):
        parse_pattern("a = 1 OR b = 1")
    with pytest.raises(FormatError, match="Rules are read from text, not from int"):
        parse_pattern(3)  # type: ignore[arg-type]


class CountingTokens(Tokens):
    """Tokens that count how often one is looked at."""

    looks = 0

    @property
    def next(self):
        CountingTokens.looks += 1
        return super().next

    def look(self, ahead):
        CountingTokens.looks += 1
        return super().look(ahead)


@pytest.mark.parametrize(
    "term",
    [
        lambda i: f"x{i} >= {i}",
        lambda i: f"x >= {i}",
        lambda i: "x = 1",
        lambda i: f"({i} < a < {i + 1})",
        lambda i: f"x IN {{a{i}, b}}",
    ],
)
@pytest.mark.parametrize("word", [" OR ", " AND "])
def test_the_work_of_reading_grows_with_the_text(monkeypatch, term, word):
    monkeypatch.setattr("ooa.rules.parsing.Tokens", CountingTokens)

    def looks(terms):
        CountingTokens.looks = 0
        RuleSet.parse(word.join(map(term, range(terms))))
        return CountingTokens.looks

    once = looks(200)
    assert once <= 200 * 60
    assert looks(1_600) <= 8 * once + 100


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "1" * 200_000 + "a",
        "x = '" + "a" * 200_000,
        "x = '" + "\\\\" * 100_000,
        "x = " + "1" * 200_000,
        "(" * 200_000 + "x = 1",
        "x-" * 100_000 + " = 1",
        "x >= 1" + " :" * 100_000,
        "x >= 1e" + "1" * 200_000,
    ],
)
def test_long_nonsense_ends_with_one_short_sentence(text):
    with pytest.raises(FormatError, match="line 1, column") as caught:
        RuleSet.parse(text)
    assert len(str(caught.value)) < 300


def test_long_words_and_texts_are_read():
    name, value = "n" * 200_000, "v " * 100_000
    assert str(RuleSet.parse(f"{name} = '{value}'")[0]) == f"{name} = '{value}'"


def test_too_many_ranges_of_many_levels_are_refused():
    levels = " < ".join(f"v{i}" for i in range(2_000))
    text = " OR ".join(["g >= v1"] * 1_001)
    with pytest.raises(FormatError, match="too many ranges of levels: 2000 levels of 'g' in each of them"):
        RuleSet.parse(f"{text} WITH g: {levels}")
    assert len(RuleSet.parse(f"g >= v1 OR h = 1 WITH g: {levels}")) == 2
