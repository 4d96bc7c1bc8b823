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

    def table(self):
        lines = ["| systems | precision | solves | right claims | wrong claims | right, called unsure | not right, "
                 "called unsure | told above the truth by less than 1 | digits told below the truth: median, 95 % |",
                 "|---" * 9 + "|"]
        for (family, asked), ends in self.ends.items():
            counts = " | ".join(str(ends[end]) for end in ENDS)
            lines.append(f"| {family} | {asked} | {sum(ends.values())} | {counts} | {self.over[family, asked]} | "
                         f"{quantiles(self.gaps[family, asked])} |")
        for asked in dict.fromkeys(asked for _, asked in self.ends):
            ends = sum((c for (_, a), c in self.ends.items() if a == asked), Counter())
            gaps = [g for (_, a), part in self.gaps.items() if a == asked for g in part]
            counts = " | ".join(str(ends[end]) for end in ENDS)
            over = sum(n for (_, a), n in self.over.items() if a == asked)
            lines.append(f"| all | {asked} | {sum(ends.values())} | {counts} | {over} | {quantiles(gaps)} |")
        return "\n".join(lines)

    def complaints(self, apart):
        """What must not be: wrong claims; more than 1 % of a family right but unsure, `apart` apart."""
        found = []
        for (family, asked), ends in self.ends.items():
            if ends["wrong claim"]:
                found.append(f"{family}, {asked}: {ends['wrong claim']} wrong claims")
            unsure, right = ends["right, unsure"], ends["right, unsure"] + ends["right claim"]
            if family not in apart and unsure * 100 > right:
                found.append(f"{family}, {asked}: {unsure} of {right} right answers are called unsure")
        for asked in dict.fromkeys(asked for _, asked in self.ends):
            gaps = [g for (_, a), part in self.gaps.items() if a == asked for g in part]
            if gaps and (quantile(gaps, 0.5) > 1 or quantile(gaps, 0.95) > 3):
                found.append(f"{asked}: digits told are {quantiles(gaps)} below the truth (median, 95 %)")
        return found


def quantile(gaps, part):
    return sorted(gaps)[min(len(gaps) - 1, int(part * len(gaps)))]


def quantiles(gaps):
    return f"{quantile(gaps, 0.5):.1f}, {quantile(gaps, 0.95):.1f}" if gaps else "-"
