"""Commands and options that do not exist: which one may have been meant, and whose help says more."""

import pytest
from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
ooa = cli_running.ooa


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["fit", "x.csv", "--targt", "y"],
            "there is no option --targt; did you mean --target? (see ooa fit --help)",
        ),
        (
            ["fit", "x.csv", "--targt=y"],
            "there is no option --targt; did you mean --target? (see ooa fit --help)",
        ),
        (
            ["explain", "m", "x.csv", "--rwo", "3"],
            "there is no option --rwo; did you mean --row? (see ooa explain --help)",
        ),
        (["path", "x.csv", "--xyz"], "there is no option --xyz (see ooa path --help)"),
        (
            ["report", "a.json"],
            "there is no command 'report'; a report is written by `ooa fit ... --report page.html` (see ooa "
            "--help)",
        ),
        (["fti", "x.csv"], "there is no command 'fti'; did you mean `ooa fit`? (see ooa --help)"),
        (["fit"], "the following arguments are required: data (see ooa fit --help)"),
    ],
)
def test_what_was_meant_is_proposed(ooa, words, sentence):
    answer = ooa(*words)
    assert answer.code == 2
    assert answer.err == f"ooa: {sentence}\n"


def test_a_file_in_the_place_of_a_command_and_words_like_none(ooa):
    answer = ooa("data.csv", "--target", "y")
    assert "there is no command 'data.csv'; to learn from a table: ooa fit data.csv --target" in answer.err
    assert (
        "there is no command 'xyzzy'; there are fit, path, trade-off, curve, explore, bench, write, predict"
        in ooa("xyzzy").err
    )


def test_values_may_look_like_options_after_two_dashes(ooa):
    assert "there is no option" not in ooa("evaluate", "--", "--model", "--data").err
