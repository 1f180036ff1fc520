"""Pictures as inline SVG, made by hand: bars, the line from bound to score, and curves over an axis.

Positions are percentages and text keeps its size, so a picture fits any width without scaling its words.
Colours come from the style sheet, by class.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ooa.rules.markup import Html, tag

__all__ = ["Curve", "Marks", "bar", "chart", "proof_line"]


def bar(parts: Iterable[tuple[str, float]], whole: float, words: str) -> Html:
    """Return one stacked bar.

    Parameters
    ----------
    parts : pairs of class and size, from left to right
    whole : the size that is as wide as the picture
    words : what the picture shows, for those who do not see it

    Examples
    --------
    >>> "50%" in bar([("found", 1.0)], 2.0, "half of them")
    True
    """
    pieces, left = [], 0.0
    for name, size in parts:
        if size > 0 and whole > 0:
            width = 100 * size / whole
            pieces.append(tag("rect", class_=name, x=_at(left), y=0, width=_at(width), height="100%"))
            left += width
    track = tag("rect", class_="track", x=0, y=0, width="100%", height="100%")
    return _picture(words, "bar", track, *pieces)


def proof_line(bound: float, score: float, bound_text: str, score_text: str, words: str) -> Html:
    """Return a line of scores: what is proved impossible, what is open, and where the rule set stands."""
    most = 1.25 * max(score, bound, 1e-9)
    low, high = 100 * max(bound, 0.0) / most, 100 * score / most
    pieces = [
        tag("rect", class_="track", x=0, y=26, width="100%", height=20),
        tag("rect", class_="excluded", x=0, y=26, width=_at(low), height=20),
        tag("rect", class_="unknown", x=_at(low), y=26, width=_at(max(high - low, 0.0)), height=20),
        tag("line", class_="score", x1=_at(high), x2=_at(high), y1=20, y2=52),
        _text(score_text, high, 14, "strong"),
        _text(bound_text, low, 66, ""),
    ]
    return _picture(words, "line", *pieces)


@dataclass(frozen=True)
class Curve:
    """A curve of steps: at each x the value y holds until the next x."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Marks:
    """Points that stand for themselves."""

    name: str
    points: Sequence[tuple[float, float]]


def chart(series: Sequence[Curve | Marks], x_name: str, y_name: str, words: str) -> Html:
    """Return curves and points over two axes, both from 0 on.

    Parameters
    ----------
    series : the name of each is its class
    x_name, y_name : what the axes show
    words : what the picture shows, for those who do not see it
    """
    xs = [x for one in series for x, _ in one.points]
    ys = [y for one in series for _, y in one.points]
    across, up = _ticks(max(xs, default=0.0)), _ticks(max(ys, default=0.0))
    width, height = across[-1], up[-1]
    pieces = []
    for y in up:
        at = _at(100 - 100 * y / height)
        pieces.append(tag("line", class_="grid", x1=0, x2="100%", y1=at, y2=at))
        pieces.append(tag("text", _tick(y), x=-8, y=at, dy="0.35em", text_anchor="end"))
    for x in across:
        at = _at(100 * x / width)
        pieces.append(tag("text", _tick(x), x=at, y="100%", dy="1.5em", text_anchor="middle"))
    pieces.append(tag("text", x_name, class_="name", x="100%", y="100%", dy="2.9em", text_anchor="end"))
    pieces.append(tag("text", y_name, class_="name", x=0, y=0, dy="-0.8em", text_anchor="start"))
    for size, one in zip(range(3 + 2 * len(series), 3, -2), series):  # so that none hides another
        spots = [(100 * x / width, 100 - 100 * y / height) for x, y in one.points]
        pieces += _steps(one.name, spots, size) if isinstance(one, Curve) else _dots(one.name, spots, size)
    return _picture(words, "chart", *pieces)


def _steps(name: str, spots: list[tuple[float, float]], size: int) -> list[Html]:
    """Draw a curve of steps out of straight lines, which unlike paths may be placed by percentages."""
    lines = []
    for (x, y), (to_x, to_y) in pairwise(spots):
        lines.append(tag("line", class_=f"curve {name}", x1=_at(x), y1=_at(y), x2=_at(to_x), y2=_at(y)))
        if to_y != y:
            lines.append(
                tag("line", class_=f"curve {name}", x1=_at(to_x), y1=_at(y), x2=_at(to_x), y2=_at(to_y))
            )
    return lines + _dots(name, spots[-1:], size)


def _dots(name: str, spots: list[tuple[float, float]], size: int) -> list[Html]:
    return [tag("circle", class_=f"dot {name}", cx=_at(x), cy=_at(y), r=size) for x, y in spots]


def _picture(words: str, kind: str, *pieces: Html) -> Html:
    drawing = tag("svg", tag("title", words), *pieces, class_=kind, role="img", aria_label=words)
    return tag("figure", drawing, class_=f"{kind}-figure")


def _text(words: str, at: float, y: float, kind: str) -> Html:
    """Write words at a place, towards the inside of the picture."""
    anchor = "start" if at < 35 else "end" if at > 65 else "middle"
    return tag("text", words, class_=kind or None, x=_at(at), y=y, text_anchor=anchor)


def _at(share: float) -> str:
    """Write a percentage, the same on every machine."""
    return f"{round(share, 3):g}%"


def _ticks(largest: float) -> list[float]:
    """Return a few round numbers from 0 to at least the largest.

    Examples
    --------
    >>> _ticks(7.3), _ticks(0.21)
    ([0.0, 2.0, 4.0, 6.0, 8.0], [0.0, 0.05, 0.1, 0.15, 0.2, 0.25])
    """
    if not (0 < largest < math.inf):
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(largest / 4))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power * 5 >= largest * (1 - 1e-9))
    count = math.ceil(largest / step - 1e-9)
    return [float(f"{k * step:.10g}") for k in range(count + 1)]


def _tick(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
