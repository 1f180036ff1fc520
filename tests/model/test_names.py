"""Names of columns and rows, by block."""

import pytest

from ooa.model import Names


def test_names() -> None:
    names = Names([("a", (2,)), ("b", ()), ("c", (2, 2)), ("none", (0,))])
    assert list(names) == ["a[0]", "a[1]", "b", "c[0,0]", "c[0,1]", "c[1,0]", "c[1,1]"]
    assert [names[i] for i in range(len(names))] == list(names)
    assert names[1:3] == ["a[1]", "b"]
    assert names == Names([(name, ()) for name in names])
    with pytest.raises(IndexError):
        names[7]
