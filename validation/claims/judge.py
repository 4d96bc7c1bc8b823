"""What a report claims of x, beside the exact x."""
import math
from dataclasses import dataclass, field

from flint import fmpq

from exact import log10, rational

WIDE = 30  #: x of wide range: the largest component is 10^30 times the smallest that is not zero


@dataclass
class Asked:
    """A way to ask; most: digits that x of this kind can have, and claims are compared with."""

    name: str
    goal: int
    most: float
    options: dict


# 53, 103 and 206 bits.
ASKED = [Asked("double", 12, 15.9, {"precision": "double", "digits": 12}),
         Asked("double-double", 12, 31, {"precision": "dd", "digits": 12}),
         Asked("four words", 40, 62, {"solution_words": 4, "digits": 40})]


@dataclass
class Answer:
    """x as returned, a list of tuples of words, and the report's fields."""

    x: list
    fields: dict


@dataclass
class Verdict:
    """How a solve ended: "right claim", "wrong claim", "right, unsure", "wrong, unsure"."""

    end: str
    faults: list = field(default_factory=list)  #: of a wrong claim
    worst: float = math.inf   #: digits of the worst component, truly
    claimed: float = None     #: digits told, or None
    over: bool = False        #: more digits told than are right, by less than one


def errors_of(x, truth):
    """(the largest relative error of a component, its index, the largest error over the largest
    component), each None for what is infinite."""
    worst, at, gap, size = fmpq(0), -1, fmpq(0), fmpq(0)
    for i, (words, exact) in enumerate(zip(x, truth)):
        if not all(math.isfinite(w) for w in words):
            return None, i, None
        difference = abs(sum((rational(w) for w in words), fmpq(0)) - exact)
        gap, size = max(gap, difference), max(size, abs(exact))
        if exact == 0:
            if difference != 0 or any(math.copysign(1, w) < 0 for w in words[:1]):
                worst, at = None, i
        elif worst is not None and difference > worst * abs(exact):
            worst, at = difference / abs(exact), i
    normwise = gap / size if size != 0 else (fmpq(0) if gap == 0 else None)
    return worst, at, normwise


def digits_of(error):
    if error is None:
        return -math.inf
    return math.inf if error == 0 else -log10(error)


def is_wide(truth):
    sizes = [abs(v) for v in truth if v != 0]
    return bool(sizes) and max(sizes) > min(sizes) * fmpq(10) ** WIDE


def within(error, digits):
    """error <= 10^-digits, for an integer, exactly."""
    return error is not None and error * fmpq(10) ** digits <= 1


def bound_faults(fields, worst, normwise):
    """Proved bounds that do not hold."""
    if not fields.get("certified"):
        return []
    faults = []
    for name, error in (("normwise", normwise), ("componentwise", worst)):
        bound = fields["error_bound"][name]
        if bound is not None and (error is None or error > rational(bound)):
            faults.append(f"the {name} bound {bound:.2g} is proved, the error has {digits_of(error):.2f} digits")
    return faults


def zero_faults(fields, answer, truth):
    """More components told to be zero than are."""
    told = (fields.get("certain_zeros") or 0) + (fields.get("proved_zeros") or 0)
    there = sum(1 for words, exact in zip(answer.x, truth) if exact == 0 and not any(words))
    return [f"{told} components are told to be zero, {there} are"] if told > there else []


def told_faults(name, told, true):
    """A number of digits is wrong if it is more than one above the truth: an estimate may be
    ten times below the error."""
    if told is None or told <= max(true, 0) + 1:
        return []
    return [f"{told:.2f} {name} digits are told, {true:.2f} are right"]


def judge(asked, answer, truth):
    worst, at, normwise = errors_of(answer.x, truth)
    fields = answer.fields
    digits, norm_digits = digits_of(worst), digits_of(normwise)
    claimed = fields.get("digits")
    enough = claimed is not None and claimed >= asked.goal
    # At the floor digits are told, too: it is the rounding of x that keeps its residual large.
    claims = (fields["status"] == "converged" and fields["goal"] == "digits"
              or fields["status"] in ("converged", "at_floor") and enough)
    told_norm = fields.get("normwise_digits")
    faults = bound_faults(fields, worst, normwise) + zero_faults(fields, answer, truth)
    faults += told_faults("right", claimed, digits) + told_faults("normwise", told_norm, norm_digits)
    if claims and not within(worst, asked.goal):
        faults.append(f"converged with a goal of {asked.goal} digits")
    if faults:
        return Verdict("wrong claim", [f"component {at + 1} has {digits:.2f} digits"] + faults, digits, claimed)
    over = claimed is not None and claimed > max(digits, 0) + 1e-9
    if claims:
        return Verdict("right claim", [], digits, claimed, over)
    right = within(worst, asked.goal)
    return Verdict("right, unsure" if right else "wrong, unsure", [], digits, claimed, over)


#: Ways that are asked of one system in five each, square or not.
CERTIFIED = Asked("double-double, certified", 12, 31, {"precision": "dd", "digits": 12, "certify": True})
REFINED = Asked("double-double, refinement", 12, 31, {"precision": "dd", "method": "refine"})
SEVERAL = Asked("double-double, one of several b", 12, 31, {"precision": "dd", "digits": 12})
KEPT = Asked("double-double, kept factors", 12, 31, {"precision": "dd", "digits": 12})
CHECKED = Asked("check of a double x", 12, 15.9, {})


def judge_check(asked, answer, truth):
    """A verdict of check(): PASS of a wrong x and FAIL of a right one are wrong claims."""
    worst, at, _ = errors_of(answer.x, truth)
    digits, told, passed = digits_of(worst), answer.fields["digits_worst"], answer.fields["passed"]
    right = within(worst, asked.goal)
    faults = told_faults("worst", told, digits)
    if passed != right and not answer.fields["verdict"].startswith("UNKNOWN"):
        faults.append(f"the verdict is {answer.fields['verdict']!r}")
    if faults:
        return Verdict("wrong claim", [f"component {at + 1} has {digits:.2f} digits"] + faults, digits, told)
    known = told is not None
    end = ("right" if right else "wrong") + ", unsure"
    return Verdict("right claim" if known else end, [], digits, told, known and told > max(digits, 0) + 1e-9)
