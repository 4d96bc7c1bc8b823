// Work that is ended at its first look, at some, and at its last; and residuals of what it leaves.
#pragma once

#include "catch.hpp"
#include "support/exact_numbers.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/watched_scope.hpp"

#include <cmath>

namespace test {

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::vector;
using ddla::watched_scope;

/// The looks of work that goes on, then: work ended at the first, at some, and at the last one.
template <class Work>
void check_every_part(const Work& ends_early, int least_looks)
{
    int looks = 0;
    {
        const watched_scope scope([&] { return ++looks > 0; });
        CHECK_FALSE(ends_early());
    }
    CHECK(looks >= least_looks);
    for (int k = 0; k <= 8; ++k) {
        const int last = 1 + (looks - 1) * k / 8;
        int seen = 0;
        const watched_scope scope([&] { return ++seen < last; });
        INFO(last << " of " << looks);
        CHECK(ends_early());
        CHECK(seen == last);
    }
}

/// b_i - (A x)_i in rational numbers.
inline mpq_class exact_residual_of_row(const csr_matrix<double>& a, mpq_class b,
                                       const vector<dd_real>& x, index_t i)
{
    const auto rows = a.view();
    for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e)
        b -= exact_number(rows.value.word(0)[e]).rational() *
             exact_number(x[rows.column[e]]).rational();
    return b;
}

/// ||b - A x|| / ||b||, likewise.
inline double exact_residual(const csr_matrix<double>& a, const vector<dd_real>& b,
                             const vector<dd_real>& x)
{
    mpq_class of_r = 0, of_b = 0;
    for (index_t i = 0; i < a.rows(); ++i) {
        const mpq_class bi = exact_number(b[i]).rational();
        const mpq_class r = exact_residual_of_row(a, bi, x, i);
        of_r += r * r;
        of_b += bi * bi;
    }
    return std::sqrt(mpq_class(of_r / of_b).get_d());
}

}  // namespace test
