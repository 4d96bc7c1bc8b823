"""Figures of the papers' parts, as SVG; those of the parts whose results are given.

crs_speed.svg      GFLOPS sorted, and the speed-up beside it (2013, figure 5)
crs_rows.svg       in the same order: rows, entries, their share, entries a row; NT (figures 6 and 7)
crs_ablation.svg   gain of Ver. 1 to 4 over Ver. 0 (figure 8)
bicgstab.svg       NVIDIA's time / ours; DD / double of operations and of iterations (2012, 3, 4, 6)
evc.svg            speed-up with and without reordering, its loss, cycles of a load (EVC-HYB, 3, 4 and 8)
axpy.svg           the ratio of axpy and dot over n (section 4.1.3)

What the papers' texts say in numbers is drawn as a band or a line; their bars cannot be read.
"""
from papers.results import SIZES1, ran, ratios
from support.svg import Band, Panel, Series, figure


def numbered(values):
    return list(enumerate(values, 1))


def in_order(matrices):
    """By the GFLOPS of the papers' kernel, the highest first."""
    return sorted(matrices, key=lambda m: -m.gflops(m.of_paper("ver4")))


def crs_speed(results):
    matrices = in_order(results.crs())
    speeds = (("CRS-vector 2013", lambda m: m.of_paper("ver4")),
              ("cuSPARSE, CSR", lambda m: m.rival_csr), ("ddla, auto", lambda m: m.ours("auto")))
    gains = [("CRS-vector 2013 / cuSPARSE", lambda m: m.rival_csr / m.of_paper("ver4")),
             ("CRS-T 2012 / cuSPARSE", lambda m: m.rival_csr / m.tuned()),
             ("ddla auto / cuSPARSE's best", lambda m: m.rival / m.ours("auto"))]
    return figure(
        Panel(f"y = alpha A x + beta y in double, {results.where('crs')}", "matrix, by GFLOPS", "GFLOPS",
              [Series(name, numbered(m.gflops(of(m)) for m in matrices)) for name, of in speeds],
              y_log=10),
        Panel("Speed-up", "matrix", "time of cuSPARSE / time",
              [Series(name, numbered(of(m) for m in matrices)) for name, of in gains], y_log=2, level=1,
              bands=[Band("2013, K20: 0.08 to 8.21", 0.08, 8.21), Band("2013: mean 1.86", 1.86, 1.86),
                     Band("CRS-T, Fermi: mean 1.26", 1.26, 1.26)]))


def crs_rows(results):
    matrices = in_order(results.crs())

    def best(m):
        times = m.threads_of_paper("ver4")
        return min(times, key=times.get)

    return figure(
        Panel("Rows and entries", "matrix, by GFLOPS of CRS-vector 2013", "number",
              [Series("entries", numbered(m.entries for m in matrices)),
               Series("rows", numbered(m.record["rows"] for m in matrices))], y_log=10),
        Panel("Share of entries", "matrix", "%",
              [Series("entries / (rows x columns)", numbered(m.density for m in matrices))], y_log=10),
        Panel("Entries a row", "matrix", "entries / rows",
              [Series("mean", numbered(m.mean for m in matrices)),
               Series("longest row", numbered(m.record["longest"] for m in matrices))], y_log=10),
        Panel("Threads a row", "matrix", "T", [Series("NT by the rule", numbered(m.rule for m in matrices)),
                                               Series("fastest T", numbered(map(best, matrices)))],
              y_log=2))


def crs_ablation(results):
    matrices = [m for m in in_order(results.crs()) if m.of_paper("ver0")]
    names = {"ver1": "Ver. 1: read-only path", "ver2": "Ver. 2: no outer loop",
             "ver3": "Ver. 3: shuffles", "ver4": "Ver. 4: all"}
    of_paper = [Band("2013, K20, Ver. 4: 1.04 to 1.78", 1.04, 1.78), Band("its mean: 1.29", 1.29, 1.29)]
    return figure(*(
        Panel(f"Gain over Ver. 0 in {precision}", "matrix, by GFLOPS of CRS-vector 2013",
              "time of Ver. 0 / time",
              [Series(names[v], numbered(m.of_paper("ver0", precision=precision) /
                                         m.of_paper(v, precision=precision) for m in matrices))
               for v in names], level=1, bands=of_paper if precision == "double" else [])
        for precision in ("double", "double-double")))


def bicgstab(results):
    records = sorted(results.records("bicgstab"), key=lambda r: r["entries"])
    operations = ("spmv", "dot", "axpy")

    def over(of, counted=lambda _: True):
        return [(r["entries"], of(r)) for r in records if counted(r)]

    def iteration(r):
        return (r["double-double"]["iteration"]["microseconds"] /
                r["double"]["iteration"]["microseconds"])

    sizes = [entries for _, entries in SIZES1.values()]

    def of_paper(name, low, high):
        return Band(name, low, high, min(sizes), max(sizes))

    return figure(
        Panel(f"Figure 3, double: {results.where('bicgstab')}", "entries", "time of NVIDIA's / ours",
              [Series(w, over(lambda r, w=w: r["nvidia"]["operations"][w] / r["double"]["operations"][w]))
               for w in operations], x_log=10, y_log=2, level=1,
              bands=[of_paper("2012, M2050, spmv: mean 1.4", 1.4, 1.4)]),
        *(Panel(f"Figure 6: {w}", "entries", "DD / double", [Series(w, over(lambda r, w=w: ratios(r, w)))],
                x_log=10, level=1, bands=[of_paper(f"2012, M2050: {low} to {high}", low, high)], height=180)
          for w, low, high in (("spmv", 1.4, 2.5), ("dot", 1.3, 2.1), ("axpy", 1.0, 3.2))),
        Panel("Figure 4: an iteration", "entries", "DD / double",
              [Series("ddla's iteration", over(iteration, ran)),
               Series("an operation at a time",
                      over(lambda r: r["double-double"]["separate"] / r["double"]["separate"]))],
              x_log=10, level=1,
              bands=[of_paper("2012, M2050: 1.0 to 2.2", 1.0, 2.2), of_paper("its mean: 1.5", 1.5, 1.5)]))


def axpy(results):
    records = [r for r in results.records("vectors") if r["kind"] == "vectors"]
    layouts = [one["layout"] for one in records[0]["layouts"]]
    rows = [n for n, _ in SIZES1.values()]
    of_paper = min(rows), max(rows)
    return figure(
        Panel(f"DD / double over n: {results.where('vectors')}", "n", "time in DD / double",
              [Series(w, [(r["n"], r["double-double"][w] / r["double"][w]) for r in records], line=True)
               for w in ("axpy", "dot")], x_log=10, level=1,
              bands=[Band("2012, M2050, axpy: 1.0 to 3.2", 1.0, 3.2, *of_paper),
                     Band("dot: 1.3 to 2.1", 1.3, 2.1, *of_paper)]),
        Panel("axpy in DD by plain kernels", "n", "microseconds",
              [Series(name, [(r["n"], r["layouts"][k]["axpy"]) for r in records], line=True)
               for k, name in enumerate(layouts)], x_log=10, y_log=10))


def evc(results):
    matrices = sorted(results.evc(), key=lambda m: m.mean)
    latency = [r for r in results.records("evc") if r["name"] == "latency"]
    paths = (("plain", "through L1"), ("read_only", "read-only path"), ("past_l1", "past L1"))

    def over(of):
        return [(m.mean, of(m)) for m in matrices]

    return figure(
        Panel(f"Speed-up over cuSPARSE's best, double: {results.where('evc')}", "entries / rows",
              "time of cuSPARSE / time",
              [Series("the paper's kernel, permuted", over(lambda m: m.rival / m.time("paper", "permuted"))),
               Series("put in order", over(lambda m: m.rival / m.time("paper", "in_order"))),
               Series("ddla, permuted", over(lambda m: m.rival / m.time("ddla", "permuted"))),
               Series("ddla, in order", over(lambda m: m.rival / m.time("ddla", "in_order")))],
              x_log=10, y_log=2, level=1, bands=[Band("2014, K20X, permuted: 0.90 to 1.64", 0.90, 1.64, 3.1, 424)]),
        Panel("Figure 4: loss by reordering", "entries / rows", "share of the time",
              [Series("the paper's kernel", over(lambda m: m.loss("paper"))),
               Series("ddla", over(lambda m: m.loss("ddla")))], x_log=10,
              bands=[Band("2014, K20X: 18.75 to 34.15 %", 0.1875, 0.3415, 3.1, 12),
                     Band("3.52 to 18.90 %", 0.0352, 0.1890, 18, 119.3),
                     Band("3.52 % (424 a row)", 0.0352, 0.0352, 350, 500)]),
        *(Panel("Cycles of a load", "bytes", "cycles",
                [Series(name, [(one["bytes"], one[key]) for one in r["cycles"]], line=True)
                 for key, name in paths], x_log=2,
                bands=[Band("2014, Kepler, texture: 110", 110, 110), Band("L2: 220 to 230", 220, 230),
                       Band("memory: 600", 600, 600)]) for r in latency))


FIGURES = {"evc": ("evc", evc), "crs_speed": ("crs", crs_speed), "crs_rows": ("crs", crs_rows),
           "crs_ablation": ("crs", crs_ablation), "bicgstab": ("bicgstab", bicgstab),
           "axpy": ("vectors", axpy)}


def drawings(_):
    return []


def texts(results):
    return [(f"{name}.svg", draw(results)) for name, (part, draw) in FIGURES.items()
            if results.records(part)]
