// Solves through L U modulo a prime, and what few replaced pivots leave of a determinant.
#pragma once

#include "residue_arithmetic.hpp"

#include "factor/supernodal/static_lu.hpp"

#include <optional>

namespace ddla::factor {

/// Of L U whose U has its pivots inverted.  `lower_rows`: rows of L below supernodes, by pivots.
class residue_solver {
    using mod = residue_arithmetic;

public:
    residue_solver(const supernodes& s, const std::vector<column_t>& lower_rows,
                   const static_lu<double>& f)
        : s_(s), lower_rows_(lower_rows), f_(f)
    {
    }

    /// x of L U x = e_k.  Cost: two multiplications an entry.
    std::vector<std::uint64_t> column_of_inverse(column_t k) const
    {
        std::vector<std::uint64_t> x(as_size(s_.columns()), 0);
        x[as_size(k)] = 1;
        for (column_t q = s_.of_column[as_size(k)]; q < s_.size(); ++q) forwards(q, x);
        for (column_t q = s_.size(); q-- > 0;) backwards(q, x);
        return x;
    }

private:
    void forwards(column_t q, std::vector<std::uint64_t>& x) const
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q), below = s_.below(q);
        count_work(3 * index_t{w} * (w + below));
        const column_t* const row = lower_rows_.data() + s_.row_begin[as_size(q)];
        for (column_t j = 0; j < w; ++j) {
            const std::uint64_t y = x[as_size(first + j)];
            if (y == 0) continue;
            for (column_t i = j + 1; i < w; ++i) subtract(f_.l, q, i, j, y, x[as_size(first + i)]);
            for (column_t r = 0; r < below; ++r) subtract(f_.l, q, w + r, j, y, x[as_size(row[r])]);
        }
    }
    void backwards(column_t q, std::vector<std::uint64_t>& x) const
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q), below = s_.below(q);
        count_work(3 * index_t{w} * (w + below));
        for (column_t j = w; j-- > 0;) {
            std::uint64_t& y = x[as_size(first + j)];
            for (column_t i = j + 1; i < w; ++i) subtract(f_.u, q, i, j, x[as_size(first + i)], y);
            for (column_t r = 0; r < below; ++r)
                subtract(f_.u, q, w + r, j, x[as_size(s_.rows(q)[r])], y);
            y = mod::times(y, mod::of(f_.u.get(s_, q, j, j)));
        }
    }
    /// to -= factor times entry (i, j) of supernode q.
    void subtract(const llt_values<double>& of, column_t q, index_t i, index_t j,
                  std::uint64_t factor, std::uint64_t& to) const
    {
        to = mod::minus(to, mod::times(mod::of(of.get(s_, q, i, j)), factor));
    }

    const supernodes& s_;
    const std::vector<column_t>& lower_rows_;
    const static_lu<double>& f_;
};

/// By elimination.
inline std::uint64_t determinant_of(std::vector<std::vector<std::uint64_t>> a)
{
    using mod = residue_arithmetic;
    std::uint64_t d = 1;
    for (std::size_t k = 0; k < a.size(); ++k) {
        std::size_t pivot = k;
        while (pivot < a.size() && a[pivot][k] == 0) ++pivot;
        if (pivot == a.size()) return 0;
        if (pivot != k) d = mod::minus(0, d);
        std::swap(a[pivot], a[k]);
        d = mod::times(d, a[k][k]);
        const std::uint64_t inverse = mod::inverse(a[k][k]);
        for (std::size_t i = k + 1; i < a.size(); ++i) {
            const std::uint64_t l = mod::times(a[i][k], inverse);
            for (std::size_t j = k; j < a.size(); ++j)
                a[i][j] = mod::minus(a[i][j], mod::times(l, a[k][j]));
        }
    }
    return d;
}

/// det(A) / det(L U), where L U = A + instead (e_k e_k^T for these pivots k, which were 0): that of
/// 1 - instead e_i^T (L U)^-1 e_k.
inline std::uint64_t share_without(const residue_solver& solver,
                                   const std::vector<column_t>& pivots, std::uint64_t instead)
{
    using mod = residue_arithmetic;
    std::vector<std::vector<std::uint64_t>> rest;
    for (const column_t k : pivots) {
        const std::vector<std::uint64_t> x = solver.column_of_inverse(k);
        std::vector<std::uint64_t>& row = rest.emplace_back();  // of the transpose
        for (const column_t i : pivots)
            row.push_back(mod::minus(i == k ? 1 : 0, mod::times(instead, x[as_size(i)])));
    }
    return determinant_of(std::move(rest));
}

}  // namespace ddla::factor
