"""What options do that are said several times: nothing that was said is lost without a word."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["Each", "Together"]


class Each(argparse.Action):
    """One more of several, of which none is about the same as another and says something else."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, said: Any, _: str | None = None
    ) -> None:
        """Add it, or say that it contradicts what was said."""
        before = getattr(namespace, self.dest)
        if any(name == said[0] and value != said[1] for name, value in before):
            raise argparse.ArgumentError(self, f"two different things are said of {said[0]!r}")
        setattr(namespace, self.dest, [*before, said])


class Together(argparse.Action):
    """Values by name that are said at once or one by one; otherwise said once."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, said: Any, _: str | None = None
    ) -> None:
        """Put it to what was said, or say that it contradicts that."""
        before = getattr(namespace, self.dest)
        if isinstance(before, dict) and isinstance(said, dict) and not before.keys() & said.keys():
            said = before | said
        elif before is not None and before != said:
            raise argparse.ArgumentError(self, "two different things are said")
        setattr(namespace, self.dest, said)
