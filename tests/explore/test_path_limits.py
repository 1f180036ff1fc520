"""A time limit is for the whole path, Ctrl-C keeps what is known, patterns are mined once."""

from __future__ import annotations

import itertools
from dataclasses import replace

from support.clocks import HandClock
from support.strictly import strictly

from ooa.explore import price_grid as module
from ooa.explore.price_path import path
from ooa.learning.ooax import learn_ooax
from ooa.solving import Termination

quietly = strictly(path)


def test_a_time_limit_is_for_the_whole_path(robots, monkeypatch):
    clock, told = HandClock(), []

    def learn(table, settings, stock):
        told.append(settings.time_limit)
        clock.move(told[-1] if len(told) > 1 else 0.0)  # the first takes no time, the others all of theirs
        return learn_ooax(table, replace(settings, time_limit=0), stock=stock)

    monkeypatch.setattr(module, "learn", learn)
    frame = quietly(robots, [0.02, 0.01, 0.005, 0.002, 0.001], time_limit=10.0, clock=clock)
    assert told == [2.0, 2.5, 2.5, 2.5, 2.5]
    assert clock.now() == 10.0
    assert len(frame) == 5
    assert (frame["bound"] <= frame["objective"]).all()


def test_a_time_limit_is_for_all_breakpoints(small, monkeypatch):
    clock, told = HandClock(), []

    def learn(table, settings, stock):
        told.append(settings.time_limit)
        clock.move(told[-1])
        return learn_ooax(table, replace(settings, time_limit=None), stock=stock)

    monkeypatch.setattr(module, "learn", learn)
    quietly(small, time_limit=9.0, clock=clock)
    assert told[0] == 3.0
    assert len(told) > 2
    assert all(later < sooner for sooner, later in itertools.pairwise(told))
    assert clock.now() < 9.0


def test_no_time_at_all_leaves_a_row_for_every_price(robots):
    nothing = path(robots, [0.02, 0.001], time_limit=0)
    assert len(nothing) == 2
    assert (nothing["gap"] >= 0).all()


def test_ctrl_c_ends_the_path_with_what_is_known(small, monkeypatch):
    from dataclasses import replace

    def pressed(table, settings, stock):
        learned = learn_ooax(table, settings, stock=stock)
        ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
        return replace(learned, certificate=ended)

    monkeypatch.setattr(module, "learn", pressed)
    frame = quietly(small, [0.1, 0.05, 0.01])
    assert frame["proved"].tolist()[1:] == [False, False]
    assert (frame["patterns"] == frame["patterns"][0]).all()
    assert frame.certificates[2].termination is Termination.INTERRUPTED
    assert (frame["bound"] <= frame["objective"]).all()


def test_ctrl_c_while_patterns_are_mined_for_all_ends_the_path(small, monkeypatch):
    import ooa.learning.stock as stock_module

    def pressed(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(stock_module, "mine_patterns", pressed)
    monkeypatch.setattr(module, "learn", pressed)  # which is not called any more
    for grid in ([0.1, 0.01], None):
        frame = quietly(small, grid)
        assert not len(frame.rule_sets[0])
        assert not frame["proved"].any()
        assert (frame["bound"] <= frame["objective"]).all()


def test_patterns_are_mined_once_for_all_prices(small, monkeypatch):
    import ooa.learning.mine as mine_module

    mined = []
    true = mine_module.mine

    def counting(*args, **options):
        mined.append(options["max_length"])
        return true(*args, **options)

    monkeypatch.setattr(mine_module, "mine", counting)
    grid = [0.1, 0.03, 0.01, 0.003]
    frame = quietly(small, grid)
    assert len(mined) == 1
    for price, proof in zip(grid, frame.certificates):
        alone = learn_ooax(small, C1=price, C2=price).certificate
        assert (proof.objective, proof.proved, proof.scope) == (alone.objective, alone.proved, alone.scope)
