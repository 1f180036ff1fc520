"""A hook of the site: pages that answer a question come before entries of the reference in the search."""

from __future__ import annotations

from typing import Any

#: The first that fits the beginning of a page's path; others weigh 1.
WEIGHTS = {
    "first-hour": 4.0,
    "howto/": 2.0,
    "reference/estimators": 1.0,
    "reference/": 0.4,
    "architecture": 0.4,
    "decisions": 0.4,
    "releasing": 0.4,
}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Give a page its weight."""
    for begin, weight in WEIGHTS.items():
        if page.file.src_uri.startswith(begin):
            page.meta.setdefault("search", {})["boost"] = weight
            break
    return markdown
