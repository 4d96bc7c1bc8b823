"""The tables of the Bratu problem in PETSc: EVC-HYB, figure 16."""
from papers.tables.common import heading, of
from support.report import table


def bratu(results):
    part = results.parts["bratu"]
    yield from heading("Figure 16: the Bratu problem in PETSc", part["where"] + ".")
    for size in part["sizes"]:
        yield f"### {size['n']}³ points"
        yield ""
        yield from bratu_products(size)
        yield from bratu_solves(size)
    yield from extrapolated(part["sizes"])


def bratu_products(size):
    petsc = next(p["microseconds"] for p in size["products"] if p["who"] == "PETSc")
    yield from table(("product", "µs in PETSc", "µs of vectors in place", "PETSc's / in PETSc", "in place"),
                     ((p["who"], f"{p['microseconds']:.0f}", f"{p['in_place']:.0f}",
                       f"{petsc / p['microseconds']:.2f}", f"{petsc / p['in_place']:.2f}")
                      for p in size["products"]))


def bratu_solves(size):
    petsc = next((s["seconds"] for s in size["solves"] if s["who"] == "PETSc"), None)
    yield from table(("solver", "Newton steps", "iterations", "the whole solve, s", "linear solves", "of it copies",
                      "all else", "‖F‖", "PETSc's time / its"),
                     ((s["who"], s["steps"], s["iterations"], f"{s['seconds']:.2f}", f"{s['linear']:.2f}",
                       f"{s['copies']:.2f}", f"{s['seconds'] - s['linear']:.2f}", f"{s['again']:.1e}",
                       of(petsc and petsc / s["seconds"]))
                      for s in size["solves"]))


def extrapolated(sizes):
    """Solves with ddla's product of a larger grid that were not run: all grows with the points, and the linear
    part with the iterations, too."""
    small, large = (min(sizes, key=lambda s: s["n"]), max(sizes, key=lambda s: s["n"]))
    known = {s["who"]: s for s in large["solves"]}
    iterations = max((s["iterations"] for s in large["solves"]), default=0)
    points = (large["n"] / small["n"]) ** 3
    for s in small["solves"]:
        if small["n"] < large["n"] and s["who"] not in known:
            linear = s["linear"] * points * iterations / s["iterations"]
            yield (f"{s['who']}, {large['n']}³, not run: extrapolated from {small['n']}³ by points and iterations "
                   f"({iterations} for {s['iterations']}), linear solves {linear:.0f} s, all "
                   f"{linear + points * (s['seconds'] - s['linear']):.0f} s.")
    if "PETSc" in known and small["n"] < large["n"]:
        s = next(s for s in small["solves"] if s["who"] == "PETSc")
        linear = s["linear"] * points * iterations / s["iterations"]
        whole = linear + points * (s["seconds"] - s["linear"])
        yield (f"The same of PETSc: linear solves {linear:.0f} s, all {whole:.0f} s; measured "
               f"{known['PETSc']['linear']:.0f} and {known['PETSc']['seconds']:.0f} s.")
    yield ""
