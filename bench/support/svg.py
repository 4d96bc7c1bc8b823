"""Plots as SVG without any library, readable in grey: series differ by mark and by dash.

A figure is panels below each other; a panel is axes and series of points.
"""
import dataclasses
import math

GREYS = ("#000000", "#8a8a8a", "#404040", "#b0b0b0", "#606060", "#d0d0d0")
DASHES = ("", "6 3", "2 2", "8 3 2 3", "1 3", "12 4")
MARKS = ("circle", "cross", "square", "plus", "triangle", "ring")
WIDTH, LEFT, RIGHT, TOP, BELOW = 760, 70, 270, 34, 52


@dataclasses.dataclass
class Series:
    """`points`: (x, y); `line` joins them, and marks stand without one."""

    name: str
    points: list
    line: bool = False


@dataclasses.dataclass
class Band:
    """What others measured: a range, or a line where `low` is `high`; across, or for x from `first`
    to `last`."""

    name: str
    low: float
    high: float
    first: float | None = None
    last: float | None = None


@dataclasses.dataclass
class Panel:
    """`x_log`, `y_log`: the base of a logarithmic axis, None for a plain one.  `level`: a line
    across, such as a ratio of 1."""

    title: str
    x_label: str
    y_label: str
    series: list
    x_log: int | None = None
    y_log: int | None = None
    level: float | None = None
    bands: list = dataclasses.field(default_factory=list)
    height: int = 260


def escaped(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def number(x):
    if x >= 1e5 or 0 < x < 1e-3:
        return f"{x:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{x:.3g}" if abs(x) < 1 else f"{x:g}"


class Axis:
    """From values to 0 … 1."""

    def __init__(self, values, log, level=None):
        values = [v for v in values if not log or v > 0] + ([level] if level else [])
        self.log = log
        low, high = (min(values), max(values)) if values else (1, 2)
        if log:
            low, high = math.floor(self.scaled(low) * 2) / 2, math.ceil(self.scaled(high) * 2) / 2
        else:
            low, high = min(0, low), high * 1.04
        self.low, self.high = low, high if high > low else low + 1

    def scaled(self, v):
        return math.log(v, self.log) if self.log else v

    def at(self, v):
        return (self.scaled(v) - self.low) / (self.high - self.low)

    def ticks(self):
        if self.log:
            first, last = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
            step = max(1, (last - first) // 8)
            marks = [self.log ** e for e in range(first, last + 1, step)]
            if len(marks) < 3 and self.log == 10:
                marks = [m * 10 ** e for e in range(first - 1, last + 1) for m in (1, 2, 5)
                         if self.low <= math.log10(m) + e <= self.high]
            return marks
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        step *= next(m for m in (1, 2, 5, 10) if (self.high - self.low) / (m * step) <= 7)
        return [k * step for k in range(math.ceil(self.low / step), int(self.high / step) + 1)]


def mark(kind, x, y, colour):
    a = f'stroke="{colour}" fill="{colour}"'
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" {a}/>'
    if kind == "ring":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" stroke="{colour}" fill="none"/>'
    if kind == "square":
        return f'<rect x="{x - 2.2:.1f}" y="{y - 2.2:.1f}" width="4.4" height="4.4" {a}/>'
    if kind == "triangle":
        return f'<path d="M{x - 3:.1f} {y + 2.5:.1f}h6l-3 -5z" {a}/>'
    path = "M-3 -3L3 3M-3 3L3 -3" if kind == "cross" else "M-3.5 0H3.5M0 -3.5V3.5"
    return (f'<path d="{path}" transform="translate({x:.1f} {y:.1f})" stroke="{colour}" '
            'stroke-width="1.4" fill="none"/>')


def frame(panel, top, x_axis, y_axis):
    left, right, bottom = LEFT, LEFT + WIDTH, top + panel.height
    yield f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{panel.height}" fill="none" stroke="black"/>'
    for v in x_axis.ticks():
        px = left + x_axis.at(v) * WIDTH
        yield f'<line x1="{px:.1f}" y1="{top}" x2="{px:.1f}" y2="{bottom}" stroke="#e4e4e4"/>'
        yield f'<text x="{px:.1f}" y="{bottom + 16}" text-anchor="middle">{number(v)}</text>'
    for v in y_axis.ticks():
        py = bottom - y_axis.at(v) * panel.height
        yield f'<line x1="{left}" y1="{py:.1f}" x2="{right}" y2="{py:.1f}" stroke="#e4e4e4"/>'
        yield f'<text x="{left - 6}" y="{py + 4:.1f}" text-anchor="end">{number(v)}</text>'
    if panel.level is not None:
        py = bottom - y_axis.at(panel.level) * panel.height
        yield f'<line x1="{left}" y1="{py:.1f}" x2="{right}" y2="{py:.1f}" stroke="black"/>'
    middle = (left + right) / 2
    yield f'<text x="{middle}" y="{top - 10}" text-anchor="middle" font-weight="bold">{escaped(panel.title)}</text>'
    yield f'<text x="{middle}" y="{bottom + 34}" text-anchor="middle">{escaped(panel.x_label)}</text>'
    yield (f'<text transform="translate(16 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">'
           f'{escaped(panel.y_label)}</text>')


def curve(panel, top, x_axis, y_axis, series, k):
    colour = GREYS[k % len(GREYS)]
    at = [(LEFT + x_axis.at(x) * WIDTH, top + panel.height - y_axis.at(y) * panel.height)
          for x, y in series.points if not y_axis.log or y > 0]
    if series.line:
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        yield (f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="1.4" '
               f'stroke-dasharray="{DASHES[k % len(DASHES)]}"/>')
    yield from (mark(MARKS[k % len(MARKS)], x, y, colour) for x, y in at)
    x, y = LEFT + WIDTH + 16, top + 12 + 18 * k
    yield mark(MARKS[k % len(MARKS)], x, y, colour)
    yield f'<text x="{x + 12}" y="{y + 4}">{escaped(series.name)}</text>'


#: Bands differ by their hatching: the angle of its lines and the distance between them.
HATCHINGS = ((45, 9), (135, 9), (90, 7), (45, 5))


def hatchings():
    for k, (angle, step) in enumerate(HATCHINGS):
        yield (f'<pattern id="hatching{k}" width="{step}" height="{step}" patternUnits="userSpaceOnUse" '
               f'patternTransform="rotate({angle})"><line x1="0" y1="0" x2="0" y2="{step}" stroke="#909090" '
               'stroke-width="0.8"/></pattern>')


def hatched(k, left, top, width, height):
    """A dashed frame with lines inside, through which points are seen."""
    return (f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="url(#hatching{k % len(HATCHINGS)})" stroke="#606060" stroke-width="0.8" stroke-dasharray="4 2"/>')


def banded(panel, top, x_axis, y_axis, band, k):
    def across(x, default):
        return LEFT + (default if x is None else min(1, max(0, x_axis.at(x)))) * WIDTH

    left, right = across(band.first, 0), across(band.last, 1)
    low, high = (top + panel.height - y_axis.at(y) * panel.height for y in (band.low, band.high))
    x, y = LEFT + WIDTH + 8, top + 12 + 18 * (len(panel.series) + k)
    if band.low == band.high:
        dash = DASHES[1 + k % (len(DASHES) - 1)]
        yield from (f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{b:.1f}" stroke="#404040" '
                    f'stroke-width="1.6" stroke-dasharray="{dash}"/>'
                    for a, b, c in ((left, low, right), (x, y, x + 16)))
    else:
        yield hatched(k, left, high, right - left, low - high)
        yield hatched(k, x, y - 5, 16, 10)
    yield f'<text x="{x + 20}" y="{y + 4}">{escaped(band.name)}</text>'


def drawn(panel, top):
    points = [p for s in panel.series for p in s.points]
    x_axis = Axis([x for x, _ in points], panel.x_log)
    y_axis = Axis([y for _, y in points] + [y for b in panel.bands for y in (b.low, b.high)],
                  panel.y_log, panel.level)
    yield from frame(panel, top, x_axis, y_axis)
    for k, band in enumerate(panel.bands):
        yield from banded(panel, top, x_axis, y_axis, band, k)
    for k, series in enumerate(panel.series):
        yield from curve(panel, top, x_axis, y_axis, series, k)


def figure(*panels):
    """The text of a file."""
    parts, top = [*hatchings()] if any(p.bands for p in panels) else [], TOP
    for panel in panels:
        parts += drawn(panel, top)
        top += panel.height + BELOW + TOP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" '
            f'height="{top}" font-family="sans-serif" font-size="12">\n'
            '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
