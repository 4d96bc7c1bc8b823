"""The tables of the Bratu problem in PETSc: EVC-HYB, figure 16."""
from papers.tables.common import of
from support.report import table


def bratu(results):
    part = results.parts["bratu"]
    yield "## Figure 16: the Bratu problem in PETSc"
    yield ""
    yield part["where"] + "."
    yield ""
    for size in part["sizes"]:
        yield f"### {size['n']}³ points"
        yield ""
        yield from bratu_products(size)
        yield from bratu_solves(size)


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
