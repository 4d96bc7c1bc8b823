"""The page of bench_preconditioned: targets, factors, solves, what failed."""
from preconditioned.results import METHODS
from support.report import geometric_mean, judged, table

TOLERANCES = (1e-12, 1e-20)
WAYS = ("ddla", "ddla refining")
MARK = "7-point 128^3"  # whose triangular solve has a target of its own


def threads_of(number):
    return f"{number} thread{'s' if number > 1 else ''}"


def name_of(key):
    who, place, precision, threads = key
    where = threads_of(threads) if threads else place
    return f"{who} {'DD' if precision == 'double-double' else precision}, {where}"


def keys_of(systems):
    """Contenders in the order in which they were measured."""
    return list(dict.fromkeys(k for s in systems for k in s.contenders))


def figure(seconds):
    return "–" if seconds is None else f"{seconds:.3g}"


def ratio(one, other):
    return None if one is None or not other else one / other


def of_triangles(s, precision, kind="ILU(0)"):
    """Time of a triangular solve at the device over SpSV's; None if one is missing."""
    mine, rival = s.get("ddla", "device", precision), s.get("cuSPARSE + cuBLAS", "device", "double")
    if not mine or not rival:
        return None
    return ratio(mine.factor(kind, "apply_seconds"), rival.factor(kind, "apply_seconds"))


def of_times(s, method, with_factors, who="ddla"):
    """DD to a true 1e-12 at the device over the double rival, where both reach it."""
    mine, rival = (s.get(*k) for k in ((who, "device", "double-double"),
                                       ("cuSPARSE + cuBLAS", "device", "double")))
    if not mine or not rival:
        return None
    return ratio(mine.seconds(method, 1e-12, with_factors=with_factors),
                 rival.seconds(method, 1e-12, with_factors=with_factors))


def of_lis(s, method, threads, who="ddla"):
    """How many times as long Lis takes to claim 1e-12 as ddla in DD to a true one."""
    mine, rival = s.get(who, "host", "double-double", threads), s.get("Lis", "host", "quad",
                                                                      threads)
    if not mine or not rival:
        return None
    return ratio(rival.seconds(method, 1e-12, "claims", True),
                 mine.seconds(method, 1e-12, "reached", True))


def of_refining(s, method, tolerance, place, threads):
    """Refining over DD as such, where both reach the tolerance."""
    mine, other = (s.get(who, place, "double-double", threads) for who in reversed(WAYS))
    if not mine or not other:
        return None
    return ratio(mine.seconds(method, tolerance), other.seconds(method, tolerance))


def places_of(systems):
    return sorted({(k[1], k[3]) for k in keys_of(systems) if k[0] == "ddla refining"},
                  key=lambda place: (place[0], place[1] or 0))


def worst_of(systems, measure, best=max):
    """(value, name) of the worst system, all values; None if nothing was measured."""
    values = [(measure(s), s.name) for s in systems]
    values = [v for v in values if v[0] is not None]
    return (*best(values), [v for v, _ in values]) if values else None


def targets(systems):
    marked = [of_triangles(s, "double-double") for s in systems if s.name == MARK]
    if marked and marked[0] is not None:
        yield judged(f"triangular solve, {MARK}: DD / SpSV in double", "≤ 1.50",
                     f"{marked[0]:.2f}", marked[0] <= 1.5)
    for kind in ("ILU(0)", "IC(0)"):
        worst = worst_of(systems, lambda s: of_triangles(s, "double-double", kind))
        if worst:
            yield judged(f"triangular solve, {kind}, worst: DD / SpSV in double", "≤ 2.50",
                         f"{worst[0]:.2f}", worst[0] <= 2.5,
                         f"{worst[1]}; geometric mean {geometric_mean(worst[2]):.2f}")
    for who, what in zip(WAYS, ("DD", "DD refining")):
        for method in METHODS:
            for with_factors, said in ((False, "solve"), (True, "factors and solve")):
                worst = worst_of(systems, lambda s: of_times(s, method, with_factors, who))
                if worst:
                    yield judged(f"{said}, {METHODS[method]}, to a true 1e-12, worst: {what} / "
                                 "cuSPARSE + cuBLAS in double", "< 1.00", f"{worst[0]:.2f}",
                                 worst[0] < 1,
                                 f"{worst[1]}; geometric mean {geometric_mean(worst[2]):.2f}")
        for threads in sorted({k[3] for k in keys_of(systems) if k[3]}):
            for method in METHODS:
                worst = worst_of(systems, lambda s: of_lis(s, method, threads, who), min)
                if worst:
                    yield judged(f"factors and solve, {METHODS[method]}, 1e-12, "
                                 f"{threads_of(threads)}, least: Lis quad with ILU(0) / {what}",
                                 "≥ 3.00", f"{worst[0]:.2f}", worst[0] >= 3,
                                 f"{worst[1]}; geometric mean {geometric_mean(worst[2]):.2f}")
    for place, threads in places_of(systems):
        where = threads_of(threads) if threads else place
        for method in METHODS:
            for tolerance in TOLERANCES:
                worst = worst_of(systems,
                                 lambda s: of_refining(s, method, tolerance, place, threads))
                if worst:
                    yield judged(f"solve, {METHODS[method]}, to a true {tolerance:.0e}, {where}, "
                                 "worst: DD refining / DD", "< 1.00", f"{worst[0]:.2f}",
                                 worst[0] < 1,
                                 f"{worst[1]}; geometric mean {geometric_mean(worst[2]):.2f}")


def factors(systems, kind):
    keys = [k for k in keys_of(systems)
            if any(k in s.contenders and kind in s.contenders[k].factors for s in systems)]
    if not keys:
        return

    def cell(s, key):
        c = s.contenders.get(key)
        if not c or kind not in c.factors:
            return "–"
        f = c.factors[kind]
        if "failed" in f:
            return "failed"
        apply = f["apply_seconds"]
        shifts = f" ({f['shifts']} shifts)" if f["shifts"] else ""
        return f"{figure(f['seconds'])}; {figure(apply and apply * 1e3)}{shifts}"

    yield f"{kind}: seconds to build; milliseconds of a solve with both triangles."
    yield ""
    yield from table(("system", "n", "entries", *map(name_of, keys), "DD / SpSV", "double / SpSV"),
                     ((s.name, s.rows, s.entries, *(cell(s, k) for k in keys),
                       *(figure(of_triangles(s, p, kind)) for p in ("double-double", "double")))
                      for s in systems))


def solves(systems, method, tolerance):
    keys = [k for k in keys_of(systems)
            if any(k in s.contenders and (method, tolerance) in s.contenders[k].solves
                   for s in systems)]
    if not keys:
        return

    def cell(s, key):
        solve = s.contenders[key].solves.get((method, tolerance)) if key in s.contenders else None
        if not solve:
            return "–"
        if "failed" in solve:
            return "failed"
        text = f"{figure(solve['seconds'])} ({solve['iterations']})"
        if solve["reached"]:
            return text
        residual = solve["true_relative_residual"]
        what = "claimed" if solve["claims"] else solve["status"].replace("_", " ")
        return f"{what}, {'not finite' if residual is None else f'{residual:.0e}'}; {text}"

    yield (f"{METHODS[method]} to {tolerance:.0e}: seconds (iterations). Where the true residual is "
           "not met: how it ended, and that residual, before it.")
    yield ""
    yield from table(("system", *map(name_of, keys)),
                     ((s.name, *(cell(s, k) for k in keys)) for s in systems
                      if method in s.methods()))


def failures(systems):
    for s in systems:
        for key, c in s.contenders.items():
            for record in (c.all, *c.factors.values(), *c.solves.values()):
                if "failed" in record:
                    what = record.get("kind") or record.get("method") or "all"
                    yield f"- {s.name}, {name_of(key)}, {what}: {record['failed']}"


def heading(head, commit):
    text = [head["processor"], f"{head['processors']} processors"]
    if "device" in head:
        text.insert(0, head["device"]["name"])
        text.append(f"CUDA {head['cuda']['runtime']}, cuSPARSE {head['cuda']['cusparse']}, "
                    f"cuBLAS {head['cuda']['cublas']}")
    yield (f"{', '.join(text)}; {head['date'][:10]}, {commit}; a solve has {head['limit_seconds']:g} "
           f"seconds and {head['max_iterations']} iterations at most.")
    if head["missing"]:
        yield ""
        yield f"Left out in this build: {', '.join(head['missing'])}."
    if head.get("processor_time"):
        yield ""
        yield "Seconds are those of the processor; ddla's solves include the recomputed residual."
    if head["quick"]:
        yield ""
        yield "Small grids, to try the program: no times to report."
    yield ""


def page(results, asked):
    systems = results.systems
    yield from heading(results.all, asked.commit)
    rows = list(targets(systems))
    if rows:
        yield from table(("target", "asked", "measured", ""), rows)
    for kind in ("ILU(0)", "IC(0)"):
        yield from factors(systems, kind)
    for method in METHODS:
        for tolerance in TOLERANCES:
            yield from solves(systems, method, tolerance)
    yield from failures(systems)
