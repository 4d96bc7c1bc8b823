"""Counts of ends, and the table."""
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
        """Families by what is asked of each system; all together for each way of asking."""
        lines = ["| systems | asked for | solves | right claims | wrong claims | right, called unsure | not right, "
                 "called unsure | told above the truth by less than 1 | digits told below the truth: median, 95 % |",
                 "|---" * 9 + "|"]
        for family in dict.fromkeys(family for family, _ in self.ends):
            lines += [self.row(family, asked, [(family, asked)]) for asked in by_family if (family, asked) in self.ends]
        for asked in sorted({asked for _, asked in self.ends}, key=lambda a: (a not in by_family, a)):
            lines.append(self.row("all", asked, self.keys_of(asked)))
        return "\n".join(lines)

    def complaints(self, by_family, apart):
        """What must not be: wrong claims; digits that are not sharp; more than 1 % right but unsure,
        in a family, or in all for what is not asked of each system; `apart` is left out."""
        found = []
        for asked in dict.fromkeys(asked for _, asked in self.ends):
            keys = self.keys_of(asked)
            found += [f"{family}, {asked}: wrong claims: {self.ends[family, asked]['wrong claim']}"
                      for family, _ in keys if self.ends[family, asked]["wrong claim"]]
            judged = [key for key in keys if key[0] not in apart]
            for group in [[key] for key in judged] if asked in by_family else [judged]:
                ends = sum((self.ends[key] for key in group), Counter())
                unsure, right = ends["right, unsure"], ends["right, unsure"] + ends["right claim"]
                if unsure * 100 > right:
                    name = group[0][0] if len(group) == 1 else "all"
                    found.append(f"{name}, {asked}: {unsure} of {right} right answers are called unsure")
            gaps = [gap for key in keys for gap in self.gaps[key]]
            # A twentieth of fewer than a hundred says nothing: one hard system would decide.
            is_loose = len(gaps) >= 100 and quantile(gaps, 0.95) > 3
            if gaps and (quantile(gaps, 0.5) > 1 or is_loose):
                found.append(f"{asked}: digits told are {quantiles(gaps)} below the truth (median, 95 %)")
        return found


def quantile(gaps, part):
    return sorted(gaps)[min(len(gaps) - 1, int(part * len(gaps)))]


def quantiles(gaps):
    return f"{quantile(gaps, 0.5):.1f}, {quantile(gaps, 0.95):.1f}" if gaps else "-"
