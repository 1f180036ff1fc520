"""Which checks there are, and which of them apply to a backend."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
from support.fake_backends import BruteForce

import ooa.testing
from ooa.solving import Capability, get_backend
from ooa.testing import all_checks, checks, needs
from ooa.testing.catalogue import THEMES


def claiming(*capabilities: Capability) -> BruteForce:
    """Brute force that says it can do these things as well."""
    claims = type("Claiming", (BruteForce,), {"capabilities": BruteForce.capabilities | set(capabilities)})
    return claims()


def names(some) -> set[str]:
    return {check.__name__ for check in some}


def test_no_module_of_checks_is_left_out():
    folder = Path(ooa.testing.__file__).parent
    written = {
        path.stem: [
            node.name
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
        ]
        for path in folder.glob("*.py")
    }
    assert {module for module, found in written.items() if found} == set(THEMES)
    assert names(all_checks()) == {name for found in written.values() for name in found}


def test_checks_come_theme_by_theme():
    themes = [check.__module__.rpartition(".")[2] for check in all_checks()]
    assert list(dict.fromkeys(themes)) == list(THEMES)
    assert import_module("ooa.testing.basics").check_knapsack in all_checks()


def test_who_can_do_nothing_special_is_checked_all_the_same():
    plain = type("Plain", (BruteForce,), {"capabilities": frozenset()})()
    assert set(checks(plain)) < set(checks(BruteForce())) < set(checks(get_backend("highs")))
    assert len(checks(plain)) > 30


@pytest.mark.parametrize("capability", sorted(Capability, key=lambda one: one.value))
def test_a_capability_brings_its_checks(capability):
    plain = type("Plain", (BruteForce,), {"capabilities": frozenset()})()
    able = type("Able", (BruteForce,), {"capabilities": frozenset([capability])})()
    more = set(checks(able)) - set(checks(plain))
    assert all(check.needs == (capability,) for check in more)
    assert set(checks(plain)) <= set(checks(able))


def test_several_needs_must_all_be_met():
    @needs(Capability.LP, Capability.ADD_ROWS)
    def check_both(backend): ...

    assert set(check_both.needs) == {Capability.LP, Capability.ADD_ROWS}
    both = names(checks(claiming(Capability.LP, Capability.ADD_ROWS)))
    one_each = names(checks(claiming(Capability.LP))) | names(checks(claiming(Capability.ADD_ROWS)))
    for check in all_checks():
        if set(getattr(check, "needs", ())) == {Capability.LP, Capability.ADD_ROWS}:
            assert check.__name__ in both - one_each
