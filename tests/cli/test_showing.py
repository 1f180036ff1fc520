"""`ooa backends` and `ooa datasets`."""

from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa


def test_listings(ooa, monkeypatch):
    listed = ooa("backends", "--json").document["backends"]
    assert [one["name"] for one in listed][:2] == ["highs", "scip"]
    assert listed[0]["available"]
    assert "highs    1." in ooa("backends").out
    names = [one["name"] for one in ooa("datasets", "--json").document["datasets"]]
    assert {"tic-tac-toe", "apnea-survey", "heart"} <= set(names)
    assert ooa("datasets").out.startswith("name ")
