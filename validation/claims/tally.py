"""Counts of ends, and the table.

At most 1 % of the right answers of a family may be called unsure: in each precision of plain solves,
which all its systems have.  Each other way of asking has a fifth of them or less, of which one answer
may be more than 1 %: these ways are judged together, as one group for each family.
"""
from collections import Counter, defaultdict

ENDS = ("right claim", "wrong claim", "right, unsure", "wrong, unsure")


class Tally:
    """Ends and sharpness by family and way of asking."""

    def __init__(self):
        self.ends, self.over = defaultdict(Counter), Counter()
        self.gaps, self.skipped = defaultdict(list), Counter()

    def add(self, family, asked, verdict):
        key = family, asked.name
        self.ends[key][verdict.end] += 1
        self.over[key] += verdict.over
        if verdict.end == "right claim" and verdict.claimed is not None:
            self.gaps[key].append(min(verdict.worst, asked.most) - min(verdict.claimed, asked.most))

    def skip(self, family, why):
        self.skipped[family, why] += 1

    def join(self, other):
        """Adds the counts of another tally."""
        for key, ends in other.ends.items():
            self.ends[key] += ends
        for key, gaps in other.gaps.items():
            self.gaps[key] += gaps
        self.over += other.over
        self.skipped += other.skipped

    def claims(self):
        """(solves judged, wrong claims), in all."""
        ends = sum(self.ends.values(), Counter())
        return sum(ends.values()), ends["wrong claim"]

    def row(self, family, asked, keys):
        """Of all these keys together."""
        ends = sum((self.ends[key] for key in keys), Counter())
        gaps = [gap for key in keys for gap in self.gaps[key]]
        counts = " | ".join(str(ends[end]) for end in ENDS)
        over = sum(self.over[key] for key in keys)
        return f"| {family} | {asked} | {sum(ends.values())} | {counts} | {over} | {quantiles(gaps)} |"

    def keys_of(self, asked):
        return [key for key in self.ends if key[1] == asked]

    def table(self, by_family):
        """Families by what is asked of each system, and by each way in which right answers are called
        unsure; all together for each way of asking."""
        lines = ["| systems | asked for | solves | right claims | wrong claims | right, called unsure | not right, "
                 "called unsure | told above the truth by less than 1 | digits told below the truth: median, 95 % |",
                 "|---" * 9 + "|"]
        for family in dict.fromkeys(family for family, _ in self.ends):
            of_family = [asked for name, asked in self.ends if name == family]
            lines += [self.row(family, asked, [(family, asked)]) for asked in of_family
                      if asked in by_family or self.ends[family, asked]["right, unsure"]]
        for asked in sorted({asked for _, asked in self.ends}, key=lambda a: (a not in by_family, a)):
            lines.append(self.row("all", asked, self.keys_of(asked)))
        return "\n".join(lines)

    def complaints(self, apart, plain):
        """What must not be: wrong claims; digits that are not sharp; more than 1 % right but unsure
        in a family, in each way of asking of `plain` and in all others together; of families in
        `apart` only wrong claims."""
        found, groups = [], defaultdict(Counter)
        for (family, asked), ends in self.ends.items():
            if ends["wrong claim"]:
                found.append(f"{family}, {asked}: wrong claims: {ends['wrong claim']}")
            if family not in apart:
                groups[family, asked if asked in plain else "the other ways of asking"] += ends
        for (family, asked), ends in groups.items():
            unsure, right = ends["right, unsure"], ends["right, unsure"] + ends["right claim"]
            if unsure * 100 > right:
                found.append(f"{family}, {asked}: {unsure} of {right} right answers are called unsure")
        return found + self.loose()

    def loose(self):
        """Ways of asking whose digits told are too far below the truth.  A twentieth of fewer than a
        hundred says nothing, one hard system would decide: these ways are judged together."""
        groups = {}
        for (_, asked), gaps in self.gaps.items():
            groups.setdefault(asked, []).extend(gaps)
        few = [asked for asked, gaps in groups.items() if len(gaps) < 100]
        if len(few) > 1:
            groups[" and ".join(few)] = [gap for asked in few for gap in groups[asked]]
        found = []
        for name, gaps in groups.items():
            alone = len(few) < 2 or name not in few
            is_loose = gaps and alone and quantile(gaps, 0.95) > 3
            if gaps and quantile(gaps, 0.5) > 1 or is_loose:
                found.append(f"{name}: digits told are {quantiles(gaps)} below the truth (median, 95 %)")
        return found


def quantile(gaps, part):
    return sorted(gaps)[min(len(gaps) - 1, int(part * len(gaps)))]


def quantiles(gaps):
    return f"{quantile(gaps, 0.5):.1f}, {quantile(gaps, 0.95):.1f}" if gaps else "-"
