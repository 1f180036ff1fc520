"""`ooa demo`: what it shows, and what it proposes."""

from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa


def test_demo_shows_everything(ooa):
    answer = ooa("demo")
    assert answer.code == 0
    for words in (
        "958 boards",
        "THEN predict x_wins = 1",
        "proved optimal",
        "2 patterns hold",
        "ooa fit your.csv",
    ):
        assert words in answer.out
    assert ooa("demo", "--json").document["certificate"]["proved"]


def test_what_the_demo_proposes_works(folder, ooa):
    assert ooa("fit", "dataset:monks1", "--save", "model.json").code == 0
    assert "row 5 (in the data: " in ooa("explain", "model.json", "dataset:monks1", "--row", 5).out
    assert ooa("export", "model.json", "--to", "latex").code == 0
    assert ooa("predict", "model.json", "dataset:monks1").out.count("\n") == 433
