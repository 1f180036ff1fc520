"""The conformance suite every backend must pass; authors of other adapters import it.

A check is a function of one backend that fails with an `AssertionError`. It needs no test framework;
with pytest this is the whole test file of an adapter::

    import pytest
    from ooa.testing import checks
    from my_package.adapter import MyBackend

    @pytest.mark.parametrize("check", checks(MyBackend()), ids=lambda check: check.__name__)
    def test_conformance(check):
        check(MyBackend())

`checks` leaves out what needs a capability that the backend does not declare. Some checks start child
processes, which import the adapter by its module's name: define it in a module that can be imported.
"""

from .catalogue import Check, all_checks, checks, needs

__all__ = ["Check", "all_checks", "checks", "needs"]
