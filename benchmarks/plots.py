"""Line plots as inline SVG with linear or logarithmic axes, coloured by the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ooa.rules.markup import Html, join, tag

Points = Sequence[tuple[float, float]]
WIDTH, HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 28, 44
#: Colours that can be told apart with the common kinds of colour blindness, in light and dark.
COLOURS = ("#1f77b4", "#d55e00", "#2a9d5c", "#9467bd", "#8c6d1f", "#17a2b8", "#c2477f", "#7f7f7f")


class Axis:
    """Values on a line of pixels."""

    def __init__(self, values: Sequence[float], start: float, stop: float, log: bool) -> None:
        self.log = log
        if log:
            positive = [value for value in values if value > 0] or [1.0]
            low, high = min(positive), max(positive)
            self.low, self.high = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
            self.high = max(self.high, self.low + 1)
            self.ticks = [10.0**power for power in range(int(self.low), int(self.high) + 1)]
            if len(self.ticks) > 8:
                self.ticks = self.ticks[:: math.ceil(len(self.ticks) / 8)]
        else:
            self.ticks = _round_numbers(max([*values, 0.0]))
            self.low, self.high = 0.0, self.ticks[-1]
        self.start, self.stop = start, stop

    def at(self, value: float) -> float:
        """The pixel of a value."""
        place = math.log10(max(value, 10.0**self.low)) if self.log else value
        share = (place - self.low) / (self.high - self.low)
        return round(self.start + share * (self.stop - self.start), 1)


def plot(
    series: Mapping[str, Points],
    x_name: str,
    y_name: str,
    title: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
    steps: bool = False,
) -> Html:
    """Return a drawing with one line per series, and the key below it.

    Parameters
    ----------
    series : points by name, ascending in x
    x_name, y_name, title : words
    log_x, log_y : whether an axis is logarithmic
    steps : whether a value holds until the next point, and the last one to the right end
    """
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    across = Axis(xs, _LEFT, WIDTH - _RIGHT, log_x)
    up = Axis(ys, HEIGHT - _BOTTOM, _TOP, log_y)
    pieces = []
    for value in up.ticks:
        y = up.at(value)
        pieces.append(tag("line", class_="grid", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y))
        pieces.append(tag("text", _tick(value), x=_LEFT - 6, y=y + 4, text_anchor="end"))
    for value in across.ticks:
        x = across.at(value)
        pieces.append(tag("line", class_="grid", x1=x, x2=x, y1=HEIGHT - _BOTTOM, y2=HEIGHT - _BOTTOM + 4))
        side = "end" if x > WIDTH - _RIGHT - 12 else "middle"  # so that it does not stick out
        pieces.append(tag("text", _tick(value), x=x, y=HEIGHT - _BOTTOM + 18, text_anchor=side))
    pieces.append(tag("text", x_name, class_="name", x=WIDTH - _RIGHT, y=HEIGHT - 6, text_anchor="end"))
    pieces.append(tag("text", y_name, class_="name", x=4, y=14))
    key = []
    for i, (name, points) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        dashes = "" if i < len(COLOURS) else "6 4"
        spots = [(across.at(x), up.at(y)) for x, y in points]
        if spots:
            path = _path(spots, WIDTH - _RIGHT if steps else None)
            pieces.append(
                tag(
                    "path",
                    d=path,
                    fill="none",
                    stroke=colour,
                    stroke_width=2,
                    stroke_dasharray=dashes or None,
                )
            )
        if not steps:
            pieces += [tag("circle", cx=x, cy=y, r=3, fill=colour) for x, y in spots]
        patch = tag("svg", tag("rect", width="100%", height="100%", rx=3, fill=colour), aria_hidden="true")
        key.append(tag("li", patch, name))
    drawing = tag(
        "svg", tag("title", title), *pieces, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="plot", role="img"
    )
    return join(drawing, tag("ul", key, class_="key"))


def _path(spots: list[tuple[float, float]], end: float | None) -> str:
    """An SVG path through points, or along steps to a right end."""
    (x, y), *rest = spots
    words = [f"M{x:g} {y:g}"]
    for x, y in rest:
        words.append(f"L{x:g} {y:g}" if end is None else f"H{x:g}V{y:g}")
    if end is not None:
        words.append(f"H{end:g}")
    return "".join(words)


def _round_numbers(largest: float) -> list[float]:
    """A few round numbers from 0 to at least the largest."""
    if not 0 < largest < math.inf:
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(largest / 4))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power * 5 >= largest * (1 - 1e-9))
    return [float(f"{k * step:.10g}") for k in range(math.ceil(largest / step - 1e-9) + 1)]


def _tick(value: float) -> str:
    if value >= 1e4 and math.log10(value).is_integer():
        return f"10^{int(math.log10(value))}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
