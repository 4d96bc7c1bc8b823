"""validation/claims: its exact answers, its judgement, and a small run.  Needs python-flint."""
import math
import os
import pathlib
import subprocess
import sys
import time

import pytest

import ddla

pytest.importorskip("flint", reason="python-flint is not there (scripts/python-venv)")
HERE = pathlib.Path(__file__).resolve().parents[3] / "validation/claims"
sys.path.insert(0, str(HERE))

from flint import fmpq, fmpq_mat  # noqa: E402

import exact  # noqa: E402
import jobs  # noqa: E402
import judge  # noqa: E402
import real_matrices  # noqa: E402
from families import FAMILIES  # noqa: E402
from judge import ASKED, Answer  # noqa: E402
from tally import Tally  # noqa: E402

DOUBLE, DD, FOUR = ASKED


def said(x, status="converged", digits=15.9, **fields):
    return Answer([w if isinstance(w, tuple) else (w,) for w in x], {"status": status, "goal": "digits", "digits": digits} | fields)


def end_of(x, truth, **fields):
    return judge.judge(DOUBLE, said(x, **fields), [fmpq(v) if isinstance(v, int) else v for v in truth]).end


def test_the_exact_answers_are_those_of_small_systems_by_hand():
    (x,) = exact.solve(3, 3, [(0, 0, -1.0), (0, 2, 1.0), (1, 1, 3.0), (1, 2, -1.0), (2, 0, 1.0), (2, 1, -1.0), (2, 2, 2.0)],
                       [[0.0, 1.0, -3.0]])
    assert x == [-1, 0, -1]
    (x,) = exact.solve(2, 2, [(0, 0, 1e-300), (1, 0, 5e-324), (1, 1, 2.0**1000)], [[1e300, 0.0]])
    assert x[0] == exact.rational(1e300) / exact.rational(1e-300)
    assert x[1] == -x[0] * fmpq(1, 2**1074) / fmpq(2**1000)
    assert exact.solve(3, 1, [(0, 0, 1.0), (1, 0, 1.0), (2, 0, 2.0)], [[1.0, 2.0, 0.5]]) == [[fmpq(2, 3)]]
    assert exact.solve(1, 2, [(0, 0, 1.0), (0, 1, 3.0)], [[1.0]]) == [[fmpq(1, 10), fmpq(3, 10)]]
    with pytest.raises(exact.Singular):
        exact.solve(2, 2, [(0, 0, 1.0), (1, 0, 1.0)], [[1.0, 2.0]])


@pytest.mark.parametrize("value", [5e-324, -0.1, 1.7e308, 3.0, 2.0**-1074 * 3])
def test_doubles_are_read_exactly(value):
    top, bottom = value.as_integer_ratio()
    assert exact.rational(value) == fmpq(top, bottom)


def test_logarithms_and_shortened_numbers_of_any_size():
    for k in (-4000, -17, 0, 3, 4000):
        assert exact.log10(fmpq(10) ** k * -3) == pytest.approx(k + math.log10(3), abs=1e-9)
    third = fmpq(1, 3) * fmpq(10) ** -400
    assert abs(exact.lengthened(exact.shortened(third)) / third - 1) < fmpq(1, 2**398)
    assert exact.lengthened(exact.shortened(fmpq(0))) == 0


@pytest.mark.parametrize("x, truth, end", [
    ([1.0, 2.0], [1, 2], "right claim"),
    ([1.0, 2.0 * (1 + 1e-11)], [1, 2], "wrong claim"),
    ([1.0, 0.0], [1, 0], "right claim"),
    ([1.0, 5e-324], [1, 0], "wrong claim"),
    ([1.0, -0.0], [1, 0], "wrong claim"),
    ([1.0, 0.0], [1, fmpq(10) ** -400], "wrong claim"),
    ([1.0, 4e-320], [1, fmpq(10) ** -320 * 4], "wrong claim"),
    ([1.0, math.nan], [1, 2], "wrong claim"),
])
def test_each_component_counts(x, truth, end):
    assert end_of(x, truth) == end


def test_words_are_added_exactly():
    third = fmpq(1, 3)
    high = 1 / 3
    rest = third - exact.rational(high)
    low = int(rest.p * 2**200 // rest.q) / 2**200
    assert judge.judge(DD, said([(high, low)], digits=31.9), [third]).end == "right claim"
    assert judge.judge(DD, said([(high, 0.0)], digits=31.9), [third]).end == "wrong claim"


def test_what_is_not_claimed_is_unsure():
    assert end_of([1.0], [1], status="stagnated", digits=None) == "right, unsure"
    assert end_of([1.1], [1], status="stagnated", digits=None) == "wrong, unsure"
    assert end_of([1.1], [1], status="stagnated", digits=8.0) == "wrong claim"
    assert end_of([1.0 + 1e-8], [1], status="stagnated", digits=8.9) == "wrong, unsure"
    assert end_of([1.0 + 1e-8], [1], status="stagnated", digits=9.1) == "wrong claim"


def test_bounds_zeros_and_normwise_digits_are_claims():
    bounds = {"certified": True, "error_bound": {"normwise": 1e-14, "componentwise": None}}
    assert end_of([1.0 + 1e-13], [1], digits=12.9, **bounds) == "wrong claim"
    assert end_of([1.0 + 1e-15], [1], digits=14.9, **bounds) == "right claim"
    assert end_of([1.0, 0.0], [1, 0], certain_zeros=1) == "right claim"
    assert end_of([1.0, 0.0], [1, 0], certain_zeros=1, proved_zeros=1) == "wrong claim"
    assert end_of([1.1], [1], status="stagnated", digits=None, normwise_digits=9.0) == "wrong claim"


def test_a_wide_range_is_told():
    assert judge.is_wide([fmpq(1), fmpq(0), fmpq(10) ** -31])
    assert not judge.is_wide([fmpq(10) ** -300, fmpq(0), fmpq(10) ** -329])


def test_checks_are_judged():
    def end(x, truth, **fields):
        return judge.judge_check(judge.CHECKED, Answer([(v,) for v in x], fields), [fmpq(v) for v in truth]).end

    assert end([1.0, 0.0], [1, 0], passed=True, digits_worst=15.9, verdict="PASS: …") == "right claim"
    assert end([1.0, 1e-310], [1, 0], passed=True, digits_worst=12.5, verdict="PASS: …") == "wrong claim"
    assert end([1.0, 1e-310], [1, 0], passed=False, digits_worst=0.0, verdict="FAIL: …") == "right claim"
    assert end([1.0], [1], passed=False, digits_worst=0.0, verdict="FAIL: …") == "wrong claim"
    assert end([1.0], [1], passed=False, digits_worst=None, verdict="UNKNOWN: …") == "right, unsure"
    assert end([1.5], [1], passed=False, digits_worst=None, verdict="UNKNOWN: …") == "wrong, unsure"


def test_digits_told_by_a_solve_for_the_residual_are_claims():
    assert end_of([1.0], [1], goal="residual") == "right claim"
    assert end_of([1.0], [1], goal="residual", digits=None) == "right, unsure"
    assert end_of([1.1], [1], goal="residual") == "wrong claim"
    assert end_of([1.0], [1], goal="residual", status="at_floor") == "right claim"
    assert end_of([1.1], [1], goal="residual", status="at_floor") == "wrong claim"


def test_complaints():
    tally, asked = Tally(), [DD.name]
    for _ in range(99):
        tally.add("f", DD, judge.Verdict("right claim", worst=32.0, claimed=30.5))
    tally.add("f", DD, judge.Verdict("right, unsure"))
    assert tally.complaints(set(), asked) == []
    for _ in range(200):
        tally.add("g", DD, judge.Verdict("right claim", worst=32.0, claimed=30.5))
    tally.add("f", DD, judge.Verdict("right, unsure"))
    assert tally.complaints(set(), asked) == ["f, double-double: 2 of 101 right answers are called unsure"]
    assert tally.complaints({"f"}, asked) == []
    assert tally.complaints(set(), []) == ["f, the other ways of asking: 2 of 101 right answers are called unsure"]
    tally.add("f", DD, judge.Verdict("wrong claim"))
    assert "wrong claims: 1" in tally.complaints({"f"}, asked)[0]
    assert "| all | double-double | 302 | 299 | 1 | 2 | 0 | 0 | 0.5, 0.5 |" in tally.table(asked)
    dull = Tally()
    dull.add("f", DD, judge.Verdict("right claim", worst=32.0, claimed=29.9))
    assert "1.1, 1.1" in dull.complaints(set(), asked)[0]


def test_systems_follow_from_their_names():
    names = [part for family in FAMILIES for part in ("--system", f"{family}/3/1")]
    runs = {_run(*names, "--commit-seed", "1").stdout for _ in range(2)}
    assert len(runs) == 1


def test_real_matrices_are_lifted():
    example = HERE.parents[1] / "examples/oscil_dcop_24.mtx"
    a = real_matrices.matrix_of(example)
    systems = [s for s in real_matrices.systems_of(example, a, 1) if s.name.endswith(("ones", "a column of A"))]
    answers = real_matrices.answers_within(120, a, systems[0].entries, [s.b for s in systems])
    assert sorted(v for v in answers[1])[-1] == 1 and sum(v == 0 for v in answers[1]) == a.shape[0] - 1
    late = real_matrices.answers_within(0.001, a, systems[0].entries, [s.b for s in systems])
    assert late == ["not lifted in the time limit"] * 2


def _run(*arguments):
    return subprocess.run([sys.executable, str(HERE / "run"), *arguments], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(pathlib.Path(ddla.__file__).parents[1])})


def test_matrices_at_a_time_and_alone_have_one_table(tmp_path):
    for name, entry in ("a", "3"), ("b", "5"), ("c", "7"):
        (tmp_path / f"{name}.mtx").write_text(
            f"%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 {entry}\n1 2 1\n2 2 4\n")
    runs = [_run("--matrices", str(tmp_path), "--limit", "60", "--jobs", n) for n in ("1", "3")]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
    assert runs[0].stdout == runs[1].stdout
    assert "| real matrices, b: ones | double | 3 | 3 | 0 |" in runs[0].stdout
    assert "3 of matrices: reached, at least one b." in runs[0].stdout


def test_matrices_that_seconds_leave_out_are_counted(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.mtx").write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 3\n")
    done = _run("--matrices", str(tmp_path), "--seconds", "0.000001")
    assert "2 of matrices: not begun in --seconds." in done.stdout
    assert jobs.joined([("slow", _never)], 1, 0.5).skipped["matrices", "ended by --seconds"] == 1


def _never(tally):
    tally.skip("matrices", "seen")
    yield
    time.sleep(1000)


def test_no_claim_of_a_small_part_is_wrong():
    done = _run("--quick")
    assert done.returncode == 0, done.stderr
    assert "| all | four words |" in done.stdout
