"""Preconditioners of every kind, what they took, and pivots that they refuse."""
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as spl

import ddla


def laplace(n):
    return sp.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr")


@pytest.mark.parametrize("m", ["jacobi", "ilu", "lu", "object", "factors", "matrix", "scipy", "own"])
def test_preconditioners(m):
    a, b = laplace(80), np.ones(80)
    inverse = sp.diags_array(1 / a.diagonal())
    solid = spl.splu(a.tocsc())
    m = {"object": lambda: ddla.Preconditioner("ilut", a, drop=1e-4), "factors": lambda: ddla.lu_factors(a),
         "matrix": lambda: inverse, "scipy": lambda: spl.LinearOperator(a.shape, solid.solve),
         "own": lambda: ddla.LinearOperator(a.shape, lambda r: r / 2.5)}.get(m, lambda: m)()
    x, info = ddla.bicgstab(a, b, rtol=1e-25, M=m)
    assert info == 0
    with pytest.raises(ValueError, match="M has shape"):
        ddla.bicgstab(a, b, M=sp.eye_array(3))


def test_what_preconditioners_took_and_pivots_that_they_refuse():
    a = sp.csr_array([[4.0, 1, 2], [2, 5, 1], [6, 6, 3]])  # the third row is the sum of the others
    options = {"scale": False, "match": False}
    built = ddla.Preconditioner("ilu", a, **options).built
    assert built["shifts"] == 1 and built["bad_row"] == built["smallest_pivot_row"] == 2
    assert built["smallest_pivot"] == 8 * 2.0**-17 and built["fill"] == 1 and built["seconds"] > 0
    assert ddla.Preconditioner("polynomial", a).built["fill"] is None
    for kind in ("ilu", "ilut"):
        with pytest.raises(ValueError, match="row 3 is zero"):
            ddla.Preconditioner(kind, a, pivots="refuse", **options)
    with pytest.raises(ValueError, match="no pivot in row 2"):
        ddla.solve(sp.csr_array([[1.0, 2], [2, 1]]), np.ones(2), method="cg", M="ic", pivots="refuse")
    result = ddla.solve(laplace(50), np.ones(50), method="cg", M="ic")
    assert result.preconditioner["name"] == "ic" and result.preconditioner["shifts"] == 0
    assert "ic, built in" in repr(result)
    assert ddla.solve(laplace(50), np.ones(50)).preconditioner is None
    kept = ddla.Preconditioner("ilu", laplace(50))
    result = ddla.solve(laplace(50), np.ones(50), method="bicgstab", M=kept)
    assert result.preconditioner["seconds"] == kept.built["seconds"]


def test_corrections_are_by_cg_where_m_is_said_to_be_positive():
    a, b = laplace(80), np.ones(80)
    own = ddla.LinearOperator(a.shape, lambda r: r / 2.5)

    def last_stage(m, precision, **options):
        r = ddla.solve(a, b, method="refine", M=m, precision=precision, **options)
        assert r.converged
        return r.to_dict()["plan"][-1]["stage"]

    for m, precision in ((own, "double"), (ddla.Preconditioner("ilu", a), "dd"), (sp.diags_array(1 / a.diagonal()), "double"),
                         (ddla.lu_factors(a), "dd")):
        assert last_stage(m, precision) == "bicgstab in double"
        assert last_stage(m, precision, M_is_positive=True) == "cg in double"
        assert last_stage(m, precision) == "bicgstab in double"  # what was said is not kept
    assert last_stage("ic", "dd") == "cg in double"
    columns = ddla.solve(a, np.ones((80, 2)), method="refine", M=own, precision="double", M_is_positive=True)
    assert [r.to_dict()["plan"][-1]["stage"] for r in columns] == 2 * ["cg in double"]
    for m in (None, "ilu"):
        with pytest.raises(ValueError, match="M_is_positive is said of an object or a function"):
            ddla.solve(a, b, method="refine", M=m, M_is_positive=True)
