"""`ooa fit --explain-bounds`: what the theorems say, before anything is solved."""

import json

import pandas as pd
import pytest

from ooa.cli import main


@pytest.fixture
def fit(tmp_path, monkeypatch, capsys):
    """Run `ooa fit` on a small table."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"age": range(20, 60), "smokes": ["yes", "no"] * 20})
    frame["sick"] = [int(a > 45 or (a > 30 and s == "yes")) for a, s in zip(frame.age, frame.smokes)]
    frame = frame.sample(frac=1, random_state=0)  # ages that count up with the rows would look like IDs
    frame.to_csv("people.csv", index=False)

    def run(*words):
        code = main(["fit", "people.csv", "--target", "sick", "--c1", "0.02", "--c2", "0.03", *words])
        out, err = capsys.readouterr()
        assert code == 0, err
        return out, err

    return run


def test_the_bounds_come_before_the_rules(fit):
    out, err = fit("--explain-bounds")
    # 21 of 40 are positive: K <= 0.525 / 0.05, and a literal has to cover more than 40 * 0.05 positives
    assert "patterns in an optimal rule set  at most 10" in out
    assert out.index("bounds at C1 = 0.02, C2 = 0.03") < out.index("IF ")
    assert "note" not in err
    assert "bounds at" not in fit()[0]


def test_json_has_them_too(fit):
    document = json.loads(fit("--explain-bounds", "--json")[0])
    bounds = document["bounds"]
    assert bounds["upper"] == {"exact": "21/40", "value": 0.525}
    assert bounds["most_patterns"] == bounds["most_patterns_paper"] == 10
    assert [row["length"] for row in bounds["by_length"]] == [1, 2]
    assert bounds["by_length"][0]["positive_above"] == pytest.approx(2)
    assert bounds["by_length"][1]["negative_at_most"] == pytest.approx(21 - 40 * 0.07)
    assert "explain_bounds" not in document["settings"]
    assert "bounds" not in json.loads(fit("--json")[0])


def test_a_start_sharpens_them_and_constraints_are_mentioned(fit, tmp_path):
    (tmp_path / "start.txt").write_text("age >= 46 OR age >= 31 AND smokes = yes", encoding="utf-8")
    out, _ = fit("--explain-bounds", "--start", "start.txt")
    # L = 3 * 0.02 + 2 * 0.03
    assert "the rule set known has L = 0.12" in out
    assert "at most 2 (10)" in out
    _, err = fit("--explain-bounds", "--constraint", "max_false_positives=0")
    assert "without constraints" in err


def test_saved_models_with_bounds_are_read_again(fit):
    fit("--explain-bounds", "--save", "model.json", "--quiet")
    assert main(["predict", "model.json", "people.csv", "-o", "out.csv"]) == 0
