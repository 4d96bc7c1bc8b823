"""The tables of the papers' pages, of the parts whose results are given."""
from papers.tables.bicgstab import bicgstab, blocks, table1, table2, vectors
from papers.tables.bratu import bratu
from papers.tables.counted import counted
from papers.tables.crs import cg, crs
from papers.tables.evc import densities, evc

PARTS = {"table1": table1, "table2": table2, "blocks": blocks, "bicgstab": bicgstab, "vectors": vectors,
         "crs": crs, "cg": cg, "evc": evc, "densities": densities, "counted": counted, "bratu": bratu}


def page(results, _):
    for part, lines in PARTS.items():
        if part in results.parts:
            yield from lines(results)
