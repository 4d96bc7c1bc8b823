// How far L D L^T is from the matrix that was factored.
#pragma once

#include "ldlt.hpp"

namespace ddla::factor {

/// |L| |D| |L|^T e, e all ones, from high words: with sums of n < 2^30 terms less than 2^-20 off,
/// but for underflow.  Cost: two passes over L.
template <scalar F>
std::vector<double> row_sums_of_product(const ldlt_pattern& p, const ldlt_values<F>& f)
{
    const index_t n = p.size();
    const auto each_entry = [&](const auto& see) {
        for (std::size_t s = 0; s < as_size(p.supernodes()); ++s)
            for (column_t k = p.first_column[s]; k < p.first_column[s + 1]; ++k) {
                count_work(2 * (p.last_column(s) - k + p.rows_below(s)));
                index_t e = p.value_begin[as_size(k)];
                for (column_t i = k + 1; i <= p.last_column(s); ++i) see(i, k, e++);
                for (index_t r = p.row_begin[s]; r < p.row_begin[s + 1]; ++r)
                    see(p.row[as_size(r)], k, e++);
            }
    };
    std::vector<double> v(as_size(n), 1), z(as_size(n), 0);
    each_entry([&](column_t i, column_t k, index_t e) {
        static_cast<void>(i);
        v[as_size(k)] += magnitude(f.l.get(e));
    });
    for (index_t k = 0; k < n; ++k) {
        const double beside = magnitude(f.beside.get(k));
        z[as_size(k)] += magnitude(f.d.get(k)) * v[as_size(k)];
        if (beside == 0) continue;
        z[as_size(k)] += beside * v[as_size(k) + 1];
        z[as_size(k) + 1] += beside * v[as_size(k)];
    }
    std::vector<double> sums = z;
    each_entry([&](column_t i, column_t k, index_t e) {
        sums[as_size(i)] += magnitude(f.l.get(e)) * z[as_size(k)];
    });
    return sums;
}

/// At least || A - L D L^T ||_2, for factors in double-double with their defect; infinite if a
/// number is above 2^100.  docs/certify.md has the proof.
double backward_error_bound(const ldlt_pattern& p, const ldlt_values<dd_real>& f);

}  // namespace ddla::factor
