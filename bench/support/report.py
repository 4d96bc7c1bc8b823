"""What the tables and plots of the benchmarks share."""
import gzip
import json
import math
import pathlib
import sys

PRECISIONS = ("double", "double-double")
KINDS = ("real", "stencil", "FEM blocks", "FEM triangles", "banded", "circuit", "web", "random",
         "long rows", "mixed")


def numbers_in(file):
    """What a JSON file holds; results that are kept are compressed, NAME.json.gz."""
    data = pathlib.Path(file).read_bytes()
    return json.loads(gzip.decompress(data) if str(file).endswith(".gz") else data)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else math.nan


def table(heading, rows):
    yield "| " + " | ".join(heading) + " |"
    yield "|---" * len(heading) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def percent(x):
    return f"{100 * x:.0f} %"


def judged(what, asked, measured, met, note=""):
    return what, asked, measured + (f" ({note})" if note else ""), "met" if met else "**missed**"


def save(figure, folder, name):
    file = folder / f"{name}.png"
    figure.savefig(file, dpi=150, bbox_inches="tight")
    print(file)


def draw_all(usage, read, drawings_of):
    """The main of a program that draws RESULTS.json into FOLDER: the file as read(name) has it,
    and of drawings_of(results) each (name, draw) for which draw(pyplot, results) has a figure."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    results = read(sys.argv[1])
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: no plots")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    for name, draw in drawings_of(results):
        figure = draw(pyplot, results)
        if figure:
            save(figure, pathlib.Path(sys.argv[2]), name)


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
