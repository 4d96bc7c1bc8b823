// Systems solved exactly, in GMP's rationals: the truth for small ones.
#pragma once

#include "mp_vectors.hpp"

#include <gmpxx.h>

#include <vector>

namespace validate_test {

using rational_vector = std::vector<mpq_class>;
using rational_matrix = std::vector<rational_vector>;

inline rational_matrix exact_matrix(const ddla::csr_matrix<double>& a)
{
    const auto m = a.view();
    rational_matrix rows(std::size_t(m.rows), rational_vector(std::size_t(m.columns)));
    for (ddla::index_t i = 0; i < m.rows; ++i)
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            rows[std::size_t(i)][std::size_t(m.column[k])] += mpq_class(m.value.get(k));
    return rows;
}

inline rational_vector exact_vector(const ddla::vector<double>& x)
{
    rational_vector y;
    for (ddla::index_t i = 0; i < x.size(); ++i) y.push_back(mpq_class(x[i]));
    return y;
}

/// Gauss and Jordan with the first pivot that is not zero; A must be regular.
inline rational_vector exact_solution(rational_matrix a, rational_vector b)
{
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        while (a[p][k] == 0) ++p;
        std::swap(a[p], a[k]);
        std::swap(b[p], b[k]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || a[i][k] == 0) continue;
            const mpq_class factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) b[k] /= a[k][k];
    return b;
}

inline rational_vector unit_vector(std::size_t n, std::size_t k)
{
    rational_vector e(n);
    e[k] = 1;
    return e;
}

/// |x - exact| / |exact| as a double; 0 if both are 0, 1 if only `exact` is.
inline double relative_error(const ddla::validate::mp_number& x, const mpq_class& exact)
{
    if (exact == 0) return sign_of(x) == 0 ? 0 : 1;
    ddla::validate::mp_number difference(4000), size(4000);
    mpfr_sub_q(difference.get(), x.get(), exact.get_mpq_t(), MPFR_RNDN);
    mpfr_set_q(size.get(), exact.get_mpq_t(), MPFR_RNDN);
    difference /= size;
    return to_double(abs(difference));
}

/// 1 / (i + j + 1) rounded to double.
inline ddla::csr_matrix<double> hilbert(ddla::index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i)
        for (ddla::index_t j = 0; j < n; ++j) c.add(i, j, 1.0 / double(i + j + 1));
    return ddla::csr_matrix<double>(c);
}

/// From rows of numbers; zeros are not stored.
inline ddla::csr_matrix<double> matrix(const std::vector<std::vector<double>>& rows)
{
    const auto n = ddla::index_t(rows.size());
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j)
            if (rows[i][j] != 0) c.add(ddla::index_t(i), ddla::index_t(j), rows[i][j]);
    return ddla::csr_matrix<double>(c);
}

}  // namespace validate_test
