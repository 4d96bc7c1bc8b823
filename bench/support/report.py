"""What the tables and plots of the benchmarks share.

A benchmark that bench/table and bench/plot know is a folder with
    results.py    read(files): the results, whose `all` is what the files hold
    table.py      page(results, asked): the lines of its page
    plot.py       drawings(results): (name, draw), where draw(pyplot, results) is a figure or None;
                  texts(results): (file, text) of what is drawn without matplotlib
"""
import gzip
import importlib
import json
import math
import pathlib
import sys

NAMES = ("device", "hard", "papers", "preconditioned", "products", "solves")

PRECISIONS = ("double", "double-double")
KINDS = ("real", "stencil", "FEM blocks", "FEM triangles", "banded", "circuit", "web", "random",
         "long rows", "mixed")


def numbers_in(file):
    """What a JSON file holds; results that are kept are compressed, NAME.json.gz."""
    data = pathlib.Path(file).read_bytes()
    return json.loads(gzip.decompress(data) if str(file).endswith(".gz") else data)


def only(files):
    """The one file of a benchmark whose results are never merged."""
    if len(files) > 1:
        sys.exit(f"one file of results at a time, not {len(files)}")
    return numbers_in(files[0])


def write(file, everything):
    """As numbers_in() reads it: compressed if the name says so."""
    data = (json.dumps(everything, indent=1) + "\n").encode()
    pathlib.Path(file).write_bytes(gzip.compress(data, mtime=0) if file.endswith(".gz") else data)


def part_of(name, part):
    """A module of a benchmark."""
    return importlib.import_module(f"{name}.{part}")


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else math.nan


def row_of(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def heading(names):
    """The two lines above the rows of a table."""
    yield row_of(names)
    yield "|---" * len(names) + "|"


def table(names, rows):
    yield from heading(names)
    yield from map(row_of, rows)
    yield ""


def percent(x):
    return f"{100 * x:.0f} %"


def judged(what, asked, measured, met, note=""):
    return what, asked, measured + (f" ({note})" if note else ""), "met" if met else "**missed**"


def pyplot():
    """matplotlib's, for files alone; None, and said so, where it is not installed."""
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: no plots", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    return plt


def colour(plt, kind):
    return plt.get_cmap("tab10")(KINDS.index(kind))


def names_below(panel, matrices):
    panel.set_xticks(range(len(matrices)), [m.name for m in matrices], rotation=90,
                     fontsize="x-small")
    panel.set_xlim(-1, len(matrices))
    panel.set_axisbelow(True)
    panel.grid(axis="y", which="both", linewidth=0.3)


def kinds_legend(plt, panel, matrices, **options):
    patches = [plt.Rectangle((0, 0), 1, 1, color=colour(plt, k))
               for k in KINDS if any(m.kind == k for m in matrices)]
    names = [k for k in KINDS if any(m.kind == k for m in matrices)]
    lines, labels = panel.get_legend_handles_labels()
    panel.legend(patches + lines, names + labels, fontsize="x-small", **options)


def plain_ticks(axis, values):
    """Numbers as they are on a logarithmic axis, where they are in sight."""
    low, high = axis.get_view_interval()
    axis.set_ticks([v for v in values if low <= v <= high])
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")
