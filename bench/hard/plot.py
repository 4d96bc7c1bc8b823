"""The plot of bench_hard as SVG, written without any library.

hard.svg: systems against right digits, and against time
"""
import math

COLOURS = ("#c0392b", "#e67e22", "#2471a3", "#1e8449", "#7d3c98", "#7f8c8d", "#000000", "#b7950b")
WIDTH, HEIGHT, LEFT, TOP = 560, 400, 60, 40
MOST_DIGITS = 32


class Panel:
    """Axes at an offset; x from `low` to `high`, y from 0 to `most`."""

    def __init__(self, offset, low, high, most, title, label):
        self.offset, self.low, self.high, self.most = offset, low, high, most
        self.title, self.label = title, label

    def at(self, x, y):
        return (self.offset + LEFT + (x - self.low) / (self.high - self.low) * WIDTH,
                TOP + HEIGHT - y / self.most * HEIGHT)

    def frame(self, ticks):
        x0, y0 = self.at(self.low, 0)
        x1, y1 = self.at(self.high, self.most)
        yield (f'<rect x="{x0:.1f}" y="{y1:.1f}" width="{x1 - x0:.1f}" height="{y0 - y1:.1f}" '
               'fill="none" stroke="black"/>')
        for x, text in ticks:
            px, _ = self.at(x, 0)
            yield f'<line x1="{px:.1f}" y1="{y0:.1f}" x2="{px:.1f}" y2="{y1:.1f}" stroke="#ddd"/>'
            yield f'<text x="{px:.1f}" y="{y0 + 18:.1f}" text-anchor="middle">{text}</text>'
        for y in range(0, self.most + 1, 50):
            _, py = self.at(self.low, y)
            yield f'<line x1="{x0:.1f}" y1="{py:.1f}" x2="{x1:.1f}" y2="{py:.1f}" stroke="#ddd"/>'
            yield f'<text x="{x0 - 6:.1f}" y="{py + 4:.1f}" text-anchor="end">{y}</text>'
        middle = (x0 + x1) / 2
        yield f'<text x="{middle:.1f}" y="{y1 - 12:.1f}" text-anchor="middle">{self.title}</text>'
        yield f'<text x="{middle:.1f}" y="{y0 + 38:.1f}" text-anchor="middle">{self.label}</text>'

    def curve(self, points, colour):
        text = " ".join("{:.1f},{:.1f}".format(*self.at(*p)) for p in points)
        yield f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="2"/>'


def digits_curve(records):
    """(d, systems with at least d right digits)."""
    digits = [r.get("worst_digits", 0) for r in records]
    steps = [k / 4 for k in range(1, 4 * MOST_DIGITS + 1)]
    return [(d, sum(x >= d for x in digits)) for d in steps]


def time_curve(records, low, high):
    """(log10 of seconds, systems with 6 right digits by then)."""
    times = sorted(math.log10(max(r["seconds"], 1e-9)) for r in records
                   if r.get("worst_digits", 0) >= 6)
    points = [(low, sum(t <= low for t in times))]
    for k, t in enumerate(times, 1):
        if low < t <= high:
            points += [(t, points[-1][1]), (t, k)]
    return points + [(high, points[-1][1])]


def profiles(results):
    of = {m: [r for s, r in results.of(m) if s["answered"]] for m in results.methods}
    most = max(map(len, of.values()), default=0)
    most = max(50, -(-most // 50) * 50)
    low, high = -5, math.ceil(math.log10(results.limit))
    digits = Panel(0, 0, MOST_DIGITS, most, "Systems with so many digits of every component right",
                   "digits")
    times = Panel(WIDTH + 90, low, high, most, "Systems with 6 digits of every component right",
                  "seconds of the processor")
    parts = [*digits.frame([(d, d) for d in range(0, MOST_DIGITS + 1, 4)]),
             *times.frame([(e, f"1e{e}") for e in range(low, high + 1)])]
    for k, (method, records) in enumerate(of.items()):
        colour = COLOURS[k % len(COLOURS)]
        parts += digits.curve(digits_curve(records), colour)
        parts += times.curve(time_curve(records, low, high), colour)
        x, y = LEFT + WIDTH + 20 + WIDTH + 90, TOP + 20 + 22 * k
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 24}" y2="{y}" stroke="{colour}" '
                     'stroke-width="3"/>')
        parts.append(f'<text x="{x + 30}" y="{y + 4}">{method}</text>')
    whole = 2 * WIDTH + LEFT + 280
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{HEIGHT + 100}" '
            f'font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" '
            'fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def drawings(_):
    return []


def texts(results):
    return [("hard.svg", profiles(results))]
