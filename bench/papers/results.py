"""The results of the papers' parts, each a file: crs, cg, bicgstab and vectors of bench_papers, table1
and table2 of bench/real_matrices.
"""
import math
import pathlib

from support.report import PRECISIONS, geometric_mean, numbers_in

SIZES = (("below 10^5 entries", 0, 1e5), ("10^5 to 10^6", 1e5, 1e6), ("10^6 to 10^7", 1e6, 1e7),
         ("10^7 and more", 1e7, math.inf))
#: Table 1 of the 2012 paper: iterations in double and in quadruple precision, and its rows' names.
TABLE1 = {"atmosmodl": (279, 266), "wathen120": (338, 332), "memplus": (2448, 2288),
          "SiO2": (3203, 2125), "epb1": (605, 545), "mario001": (4423, 3059), "CO": (4225, 2164),
          "crankseg_2": (7835, 3702), "add20": (822, 743), "coupled": (3916, 2474),
          "adder_trans_01": (299, 205), "circuit_2": (741, 469), "dc1": (2539, 1607),
          "Pd": (229, 161), "dw1024": (2495, 1774), "TSOPF_RS_b9_c6": (1319, 488)}
#: Table 2, by Lis: without a preconditioner in double and quad, with ILU(0) in double and quad.
TABLE2 = {"atmosmodl": (253, 265, 110, 110), "wathen120": (328, 356, 22, 22),
          "memplus": (2956, 2182, 170, 1345), "SiO2": (2376, 2000, 564, 336),
          "epb1": (584, 546, 113, 112), "mario001": (5129, 2969, None, None),
          "CO": (3988, 1940, 511, 312), "crankseg_2": (6801, 3757, 639, 523),
          "add20": (895, 799, 981, 2785), "coupled": (3456, 2456, None, None),
          "adder_trans_01": (351, 188, None, None), "circuit_2": (740, 523, 60, 61),
          "dc1": (2458, 1530, 813, 266), "Pd": (233, 166, 31, 27),
          "dw1024": (2463, 1793, None, 3912), "TSOPF_RS_b9_c6": (1361, 483, None, None)}
#: Rows and entries of table 1's matrices.
SIZES1 = {"atmosmodl": (1489752, 10319760), "wathen120": (36441, 565761), "memplus": (17758, 126150),
          "SiO2": (155331, 11283503), "epb1": (14734, 95053), "mario001": (38434, 206156),
          "CO": (221119, 7666057), "crankseg_2": (63838, 14148858), "add20": (2395, 17319),
          "coupled": (11341, 98523), "adder_trans_01": (1814, 14579), "circuit_2": (4510, 21199),
          "dc1": (116835, 766396), "Pd": (8081, 13036), "dw1024": (2048, 10114),
          "TSOPF_RS_b9_c6": (7224, 54082)}
#: Of an iteration: figure 1 of the paper.
OPERATIONS = {"spmv": 2, "dot": 4, "axpy": 3, "axpyz": 2, "xpay": 1, "nrm2": 1}


#: Table 3 of the EVC-HYB paper: entries a row, rows below the split, rows, % ELL, % of padding, the best of
#: cuSPARSE.
TABLE3 = {"pdb1HYS": (119.3, 19936, 36417, 41.40, 6.86, "CSR"), "pwtk": (53.4, 217888, 217918, 99.97, 0.02, "HYB"),
          "TSOPF_RS_b2383": (424.2, 21728, 38120, 0.61, 0.92, "HYB"),
          "rma10-cfd": (50.7, 46752, 46835, 99.45, 0.20, "CSR"),
          "audikw_1": (82.3, 844096, 943695, 73.16, 2.63, "CSR"),
          "cage14": (18.0, 1505728, 1505785, 99.99, 0.01, "HYB"),
          "shipsec1": (55.5, 140864, 140874, 99.98, 0.02, "HYB"),
          "webbase-1M": (3.1, 999232, 1000005, 88.69, 0.51, "HYB"),
          "raefsky3": (70.2, 21184, 21200, 99.90, 0.08, "HYB"),
          "cop20k_A": (21.7, 121184, 121192, 99.97, 0.05, "HYB"),
          "msdoor": (48.7, 415840, 415863, 99.99, 0.01, "HYB"), "ldoor": (48.9, 952192, 952203, 100.00, 0.00, "HYB"),
          "Circuit": (5.6, 170944, 170998, 99.20, 0.32, "HYB"), "torso1": (73.3, 113376, 116158, 11.97, 0.06, "CSR"),
          "Stanford": (8.2, 281728, 281903, 98.49, 0.26, "HYB"),
          "att-pre2": (9.0, 658240, 659033, 91.72, 0.19, "HYB"),
          "Economics": (6.2, 206496, 206500, 99.98, 0.06, "HYB"),
          "ibm-dc1": (6.6, 116768, 116835, 77.58, 0.20, "HYB"),
          "indochina-2004": (26.2, 7345728, 7414866, 64.58, 0.60, "CSR"),
          "web-Google": (5.6, 916352, 916428, 99.69, 0.09, "HYB"),
          "Stanford_Berkeley": (11.1, 678400, 683446, 47.45, 1.10, "HYB"),
          "RM07R": (98.2, 311776, 381689, 63.74, 1.54, "CSR")}


class CrsMatrix:
    """Products of one matrix; times in microseconds."""

    def __init__(self, record):
        self.record = record
        self.name, self.kind = record["name"], record["kind"]
        self.entries, self.mean, self.rule = record["entries"], record["mean"], record["rule"]
        times = [c["microseconds"] for c in record["cusparse"] if "microseconds" in c]
        csr = [c["microseconds"] for c in record["cusparse"]
               if "microseconds" in c and c["algorithm"].startswith("ALG")]
        self.rival, self.rival_csr = min(times), min(csr, default=min(times))

    def of_paper(self, version, threads=None, precision="double"):
        for one in self.record["papers"]:
            if one["version"] == version and one["threads"] == (threads or self.rule):
                return one[precision]
        return None

    def threads_of_paper(self, version, precision="double"):
        """Times by T."""
        return {one["threads"]: one[precision] for one in self.record["papers"]
                if one["version"] == version}

    def tuned(self, precision="double"):
        """The CRS-T of 2012: with its fastest T."""
        return min(self.threads_of_paper("crs_t", precision).values())

    def eight_threads(self, precision="double"):
        """The product of the BiCGStab paper; None where it was not measured."""
        return self.of_paper("bicgstab", 8, precision)

    def tuning_seconds(self):
        """Of ddla's set_format(crs_t) in double."""
        return next((one["conversion_seconds"] for one in self.record["ddla"]
                     if one["format"] == "crs_t" and "conversion_seconds" in one), None)

    def ours(self, format, precision="double"):
        times = [one[precision] for one in self.record["ddla"]
                 if one["format"] == format and (format != "crs_vector" or one["threads"] == self.rule)]
        return times[0] if times else math.nan

    def threads_of_ours(self, precision="double"):
        return {one["threads"]: one[precision] for one in self.record["ddla"]
                if one["format"] == "crs_vector"}

    @property
    def density(self):
        """Entries in a hundred places."""
        return 100 * self.entries / (self.record["rows"] * self.record["columns"])

    def gflops(self, microseconds):
        return 2e-3 * self.entries / microseconds

    def gigabytes(self, microseconds, precision="double"):
        return 1e-3 * self.record["bytes"][precision] / microseconds


class EvcMatrix:
    """EVC-HYB on one matrix; times in microseconds."""

    def __init__(self, record):
        self.record = record
        self.name, self.kind = record["name"], record["kind"]
        self.rows, self.entries, self.mean = record["rows"], record["entries"], record["mean"]
        self.rival = min(c["microseconds"] for c in record["cusparse"] if "microseconds" in c)
        self.rival_csr = min((c["microseconds"] for c in record["cusparse"]
                              if "microseconds" in c and c["algorithm"].startswith("ALG")), default=self.rival)
        self.layout = record["layout"]

    def time(self, who, what, precision="double"):
        """`who`: paper or ddla."""
        return self.record[who][precision][what]

    @property
    def hyb(self):
        """None where it was left out."""
        return self.record.get("hyb", {}).get("microseconds")

    @property
    def csr_or_hyb(self):
        """The faster of cuSPARSE's CSR and HYB: the rival of the paper."""
        return min(self.rival_csr, self.hyb or math.inf)

    def loss(self, who, precision="double"):
        """By putting the result in order, of the time in order."""
        return 1 - self.time(who, "permuted", precision) / self.time(who, "in_order", precision)

    def parts(self):
        """T_A, T_X, T_Y and their sum over T: of kernels that leave loads out."""
        y = self.time("paper", "neither")
        a, x = self.time("paper", "no_x") - y, self.time("paper", "no_a") - y
        return a, x, y, (a + x + y) / self.time("paper", "permuted")

    def bytes(self, alpha):
        """The paper's count: (12 / b + 8 alpha) nnz + 16 N, b the share of slots with entries."""
        return 12 * self.layout["slots"] + 8 * alpha * self.entries + 16 * self.rows

    def alpha_of(self, microseconds, speed):
        """With which the count takes that long at so many bytes a microsecond."""
        return (microseconds * speed - self.bytes(0)) / (8 * self.entries)


class Counted:
    """EVC-HYB's kernel by the counters of ncu, in bytes, sectors of 32 bytes and nanoseconds.  What the device
    does not count is None, and so is what follows from it."""

    def __init__(self, record):
        self.record = record
        self.name, self.kind, self.mean = record["name"], record["kind"], record["mean"]
        self.rows, self.entries = record["rows"], record["entries"]
        self.slots = record["layout"]["slots"]

    def count(self, counter, launch="all"):
        return self.record["counted"][launch].get(counter)

    def volume(self, launch="all"):
        """Bytes between memory and the L2."""
        return _sum(self.count("memory_read", launch), self.count("memory_write", launch))

    def volume_of(self, part):
        """Of A, of x with its columns, or of y and the rest: by the launches without them."""
        return {"a": lambda: _difference(self.volume("no_x"), self.volume("neither")),
                "x": lambda: _difference(self.volume("no_a"), self.volume("neither")),
                "y": lambda: self.volume("neither")}[part]()

    def bytes(self, alpha):
        """The paper's count: (12 / b + 8 alpha) nnz + 16 N, b the share of slots with entries."""
        return 12 * self.slots + 8 * alpha * self.entries + 16 * self.rows

    @property
    def alpha(self):
        """The paper's: by the bytes that memory moved."""
        volume = self.volume()
        return None if volume is None else (volume - self.bytes(0)) / (8 * self.entries)

    @property
    def alpha_with_y_once(self):
        """By the bytes that memory read, and y written once: the writes counted are more, for kernels that write y
        in order, too, so they have lines that were changed before the launch, as by ncu between its passes."""
        read = self.count("memory_read")
        return None if read is None else (read + 8 * self.rows - self.bytes(0)) / (8 * self.entries)

    @property
    def balance(self):
        """Bytes a flop: the paper counts 2 nnz + 3 N flops."""
        return _ratio(self.volume(), 2 * self.entries + 3 * self.rows)

    def of_x(self, counter, launch="all"):
        """Sectors for x alone: what a launch without x and its columns has less, without the columns, which are
        read once and never found."""
        columns = 0 if counter.endswith("_hit") else 4 * self.slots / 32
        counts = self.count(counter, launch), self.count(counter, "no_x")
        return None if None in counts else max(0.0, counts[0] - counts[1] - columns)

    def hits_of_x(self, level, launch="all"):
        return _share(self.of_x(level + "_hit", launch), self.of_x(level, launch))

    def hits_of_rest(self, level):
        """Of A, y and the rest."""
        return _share(self.count(level + "_hit", "no_x"), self.count(level, "no_x"))

    def gigabytes(self, counter, launch="all"):
        """A second, of a counter of bytes or of sectors."""
        size = 1 if counter.startswith("memory") else 32
        speed = _ratio(self.count(counter, launch), self.count("nanoseconds", launch))
        return None if speed is None else size * speed

    def gflops(self, launch="all"):
        return _ratio(2 * self.entries, self.count("nanoseconds", launch))

    def cycles(self, cycles):
        """C_X and C_A of the paper, by cycles of a load from L1, L2 and memory."""
        return tuple(_cycles(cycles, l1, l2) for l1, l2 in
                     ((self.hits_of_x("l1_load"), self.hits_of_x("l2_read")),
                      (self.hits_of_rest("l1_load"), self.hits_of_rest("l2_read"))))


def _sum(a, b):
    return None if None in (a, b) else a + b


def _difference(a, b):
    return None if None in (a, b) else max(0.0, a - b)


def _ratio(a, b):
    return None if a is None or not b else a / b


def _share(a, b):
    share = _ratio(a, b)
    return None if share is None else min(1.0, share)


def _cycles(cycles, l1, l2):
    """By the paper's formula; hit rates of the L1 and, of what misses it, of the L2."""
    if None in (l1, l2):
        return None
    return cycles[0] * l1 + (1 - l1) * (cycles[1] * l2 + cycles[2] * (1 - l2))


class Results:
    def __init__(self, parts):
        self.parts = parts
        self.all = parts

    def records(self, part):
        return [r for r in self.parts.get(part, {}).get("records", ())
                if "failed" not in r and "skipped" not in r]

    def crs(self):
        return [CrsMatrix(r) for r in self.records("crs")]

    def evc(self):
        return [EvcMatrix(r) for r in self.records("evc") if r["kind"] != "memory"]

    def densities(self):
        """Random matrices by their density: of a part of their own, once of that of all matrices."""
        by_name = {r["name"]: r for part in ("evc", "densities") for r in self.records(part)
                   if r["kind"] == "density"}
        return sorted(map(EvcMatrix, by_name.values()), key=lambda m: (m.rows, m.entries))

    def counted(self):
        return [Counted(r) for r in self.records("counted") if "counted" in r]

    def cycles_of_load(self):
        """From 16 KiB, 16 MiB and 256 MiB: the L1, the L2 and memory; None where they were not measured."""
        for r in self.records("evc"):
            if r["name"] == "latency":
                by_size = {one["bytes"]: one["read_only"] for one in r["cycles"]}
                sizes = (1 << 14, 1 << 24, 1 << 28)
                return tuple(by_size[s] for s in sizes) if set(sizes) <= set(by_size) else None
        return None

    def by_size(self, matrices):
        """Size classes that have matrices, and then all."""
        for name, low, high in SIZES:
            mine = [m for m in matrices if low <= m.entries < high]
            if mine:
                yield name, mine
        if matrices:
            yield "**all**", matrices

    def where(self, part):
        """The environment of a device part."""
        p = self.parts[part]
        e = p["environment"]
        return (f"{e['device']['name']}, CUDA {e['cuda']['runtime']}, cuSPARSE {e['cuda']['cusparse']}, "
                f"ddla {e['ddla']}, {e['date'][:10]}, copy {p['copy']['gigabytes_per_second']:.0f} GB/s"
                + ("" if p.get("complete") else ", not complete"))


def ranks(values):
    """From 1; equals have the mean of theirs."""
    ordered = sorted(values)
    first = {v: k for k, v in reversed(list(enumerate(ordered, 1)))}
    return [first[v] + (ordered.count(v) - 1) / 2 for v in values]


def rank_correlation(x, y):
    """Spearman's: -1 to 1; NaN where all of one are equal."""
    a, b = ranks(x), ranks(y)
    mean = (len(a) + 1) / 2

    def product(u, v):
        return sum((p - mean) * (q - mean) for p, q in zip(u, v))

    size = math.sqrt(product(a, a) * product(b, b))
    return product(a, b) / size if size else math.nan


def rule_found(times, rule):
    """Whether the rule's T is within 1 % of the fastest, and its time / that of the fastest."""
    cost = times[rule] / min(times.values())
    return cost <= 1.01, cost


def ran(record):
    """Whether both precisions did half of the iterations, so that a breakdown is not timed."""
    return all(2 * record[p]["iteration"]["iterations"] >= record["iterations"] for p in PRECISIONS)


def ratios(record, what):
    """Double-double to double of one operation."""
    return record["double-double"]["operations"][what] / record["double"]["operations"][what]


def mean_and_range(values):
    values = list(values)
    return (f"{geometric_mean(values):.2f} ({min(values):.2f} to {max(values):.2f})" if values else "–")


def read(files):
    parts = {}
    for name in files:
        data = numbers_in(name)
        parts[data.get("part") or pathlib.Path(name).name.split(".")[0].removeprefix("papers_")] = data
    return Results(parts)


__all__ = ["PRECISIONS", "Results", "read"]
