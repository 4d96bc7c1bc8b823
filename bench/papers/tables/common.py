"""What the tables of several parts share."""
import math
import statistics

from support.report import geometric_mean, percent


def text(x):
    return "–" if x is None else f"{x:.2f}" if isinstance(x, float) else str(x)


def heading(title, measured):
    """Of a section, with where and when it was measured."""
    yield from (f"## {title}", "", measured, "")


#: Entries a row, as the EVC-HYB paper tells of its losses by reordering.
ROWS = ((0, 3, "below 3"), (3, 12, "3 to 12"), (12, 18, "12 to 18"), (18, 119.5, "18 to 119"),
        (119.5, math.inf, "more"), (0, math.inf, "all"))


def of(value, style=".2f"):
    return "–" if value is None else format(value, style)


def share_of(value):
    return "–" if value is None else percent(value)


def mean_percent(shares):
    shares = list(shares)
    return f"{percent(sum(shares) / len(shares))} ({percent(min(shares))} to {percent(max(shares))})"


def median_of(values, style=".0f"):
    """Of those that there are; the mean of the two in the middle."""
    values = [v for v in values if v is not None]
    return of(statistics.median(values) if values else None, style)


def median_and_range(values, style=".0f"):
    values = sorted(values)
    return (f"{format(statistics.median(values), style)} ({format(values[0], style)} to "
            f"{format(values[-1], style)})" if values else "–")


def large(matrices):
    """Those that do not lie in a cache."""
    return dict(halves(matrices)).get("5·10^6 and more", [])


def comparison(name, mine, of, to):
    """Times of `to` / times of `of`, as the papers' speed-ups."""
    gains = [to(m) / of(m) for m in mine]
    best, worst = max(range(len(mine)), key=gains.__getitem__), min(range(len(mine)),
                                                                    key=gains.__getitem__)
    return (name, len(mine), f"{geometric_mean(gains):.2f}", f"{sum(gains) / len(gains):.2f}",
            percent(sum(g > 1 for g in gains) / len(gains)),
            f"{gains[best]:.2f} ({mine[best].name})", f"{gains[worst]:.2f} ({mine[worst].name})")


def halves(matrices, entries_of=lambda m: m.entries):
    """Those that lie in a cache of today's GPUs, and those that do not."""
    limit = 5e6
    for name, mine in (("below 5·10^6 entries", [m for m in matrices if entries_of(m) < limit]),
                       ("5·10^6 and more", [m for m in matrices if entries_of(m) >= limit]),
                       ("all", matrices)):
        if mine:
            yield name, mine
