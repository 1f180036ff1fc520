"""`ooa backends` and `ooa datasets`."""

from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa


def test_listings(ooa):
    listed = ooa("backends", "--json").document["backends"]
    assert [one["name"] for one in listed][:2] == ["highs", "scip"]
    assert listed[0]["available"]
    assert "highs    1." in ooa("backends").out
    names = [one["name"] for one in ooa("datasets", "--json").document["datasets"]]
    assert {"tic-tac-toe", "apnea-survey", "heart"} <= set(names)
    assert ooa("datasets").out.startswith("name ")


def test_the_compiled_core_is_named_or_missed(ooa, monkeypatch):
    monkeypatch.setattr("ooa.cli.showing.instruction_set", lambda: "avx2")
    monkeypatch.setattr("ooa.cli.showing.what_is_missing", lambda: "")
    assert ooa("backends").out.endswith("\nthe compiled core is there, for the instruction set avx2\n")
    assert ooa("backends", "--json").document["core"] == {"instruction_set": "avx2", "missing": None}
    monkeypatch.setattr("ooa.cli.showing.instruction_set", lambda: None)
    monkeypatch.setattr("ooa.cli.showing.what_is_missing", lambda: "the compiled core is missing (why)")
    assert ooa("backends").out.endswith("\nthe compiled core is missing (why)\n")
    missing = {"instruction_set": None, "missing": "the compiled core is missing (why)"}
    assert ooa("backends", "--json").document["core"] == missing
