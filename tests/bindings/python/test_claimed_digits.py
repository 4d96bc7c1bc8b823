"""Digits that are asked for, and what results say is claimed."""
import numpy as np
import pytest
import scipy.sparse as sp

import ddla


def test_digits_that_are_asked_for_are_judged_or_refused():
    a = sp.csr_array(np.array([[1.0, 2.0], [2.0, 4.0]]))
    assert ddla.solve(a, [3.0, 6.0], digits=None).converged
    result = ddla.solve(a, [3.0, 6.0], digits=12)
    assert result.status == "residual_only" and not result.converged and not result.success
    assert "only the residual was judged" in repr(result)
    assert ddla.solve(a, [3.0, 6.0], normwise=True).status == "residual_only"
    for options in ({"method": "bicgstab"}, {"method": "lsmr"}, {"method": "refine", "M": "ilu"}):
        with pytest.raises(ValueError, match="12 digits were asked for"):
            ddla.solve(a, [3.0, 6.0], digits=12, **options)
        with pytest.raises(ValueError, match="normwise digits were asked for"):
            ddla.solve(a, [3.0, 6.0], normwise=True, **options)
    function = ddla.LinearOperator((2, 2), lambda x: x)
    with pytest.raises(ValueError, match="A is a function"):
        ddla.solve(function, [3.0, 6.0], digits=12)
    assert "not known: only the residual" in repr(ddla.solve(a, [3.0, 5.0], method="lsmr"))


def test_results_say_what_is_claimed():
    solved = ddla.solve(sp.eye_array(2), [1.0, 2.0])
    assert solved.unsettled is None and solved.digits_proved is False and "no claim" not in repr(solved)
    fields = solved.to_dict()
    fields.update(digits=None, normwise_digits=31.25, proved_zeros=12, certain_zeros=3,
                  unsettled={"count": 3, "first": 17, "part": "imaginary", "why": "it is too small"})
    text = repr(ddla.SolveResult(solved.x, None, solved.history, fields))
    assert "31.2 of the largest component right, as estimated" in text
    assert "12 proved, 3 almost certain" in text
    assert "of 3 components, the first is 17, imaginary part: it is too small" in text
    fields.update(digits=30.9, digits_proved=True)
    assert "30.9 right, proved" in repr(ddla.SolveResult(solved.x, None, solved.history, fields))
