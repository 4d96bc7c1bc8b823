// Solves through L U modulo a prime.
#pragma once

#include "residue_arithmetic.hpp"

#include "factor/supernodal/static_lu.hpp"

namespace ddla::factor {

/// Of L U whose U has its pivots inverted.  Vectors are in the order of pivots.  `lower_rows`: rows
/// of L below supernodes, by pivots.  Cost of a solve: two multiplications an entry.
template <std::int64_t Prime>
class residue_solver {
    using mod = residue_arithmetic<Prime>;

public:
    using vector = std::vector<typename mod::number>;

    residue_solver(const supernodes& s, const std::vector<column_t>& lower_rows,
                   const static_lu<double>& f)
        : s_(s), lower_rows_(lower_rows), f_(f)
    {
    }

    /// L U x = b, in its place.  b is 0 before the pivots of supernode `from`.
    void solve(vector& x, column_t from = 0) const
    {
        for (column_t q = from; q < s_.size(); ++q) forwards_by_l(q, x);
        for (column_t q = s_.size(); q-- > 0;) backwards_by_u(q, x);
    }
    /// (L U)^T x = b.
    void solve_transposed(vector& x, column_t from = 0) const
    {
        for (column_t q = from; q < s_.size(); ++q) forwards_by_u(q, x);
        for (column_t q = s_.size(); q-- > 0;) backwards_by_l(q, x);
    }

private:
    void forwards_by_l(column_t q, vector& x) const
    {
        count(q);
        for (column_t j = 0; j < s_.width(q); ++j) forwards(f_.l, q, j, lower_rows(q), x);
    }
    void backwards_by_u(column_t q, vector& x) const
    {
        count(q);
        for (column_t j = s_.width(q); j-- > 0;) {
            backwards(f_.u, q, j, s_.rows(q), x);
            times_inverse(q, j, x);
        }
    }
    void forwards_by_u(column_t q, vector& x) const
    {
        count(q);
        for (column_t j = 0; j < s_.width(q); ++j) {
            times_inverse(q, j, x);
            forwards(f_.u, q, j, s_.rows(q), x);
        }
    }
    void backwards_by_l(column_t q, vector& x) const
    {
        count(q);
        for (column_t j = s_.width(q); j-- > 0;) backwards(f_.l, q, j, lower_rows(q), x);
    }

    /// What x_j takes from those after it.
    void forwards(const llt_values<double>& of, column_t q, column_t j, const column_t* row,
                  vector& x) const
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q);
        const auto y = x[as_size(first + j)];
        if (y == 0) return;
        for (column_t i = j + 1; i < w; ++i) subtract(of, q, i, j, y, x[as_size(first + i)]);
        for (column_t r = 0; r < s_.below(q); ++r) subtract(of, q, w + r, j, y, x[as_size(row[r])]);
    }
    /// What those after x_j take from it.
    void backwards(const llt_values<double>& of, column_t q, column_t j, const column_t* row,
                   vector& x) const
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q);
        auto& y = x[as_size(first + j)];
        for (column_t i = j + 1; i < w; ++i) subtract(of, q, i, j, x[as_size(first + i)], y);
        for (column_t r = 0; r < s_.below(q); ++r) subtract(of, q, w + r, j, x[as_size(row[r])], y);
    }
    /// to -= factor times entry (i, j) of supernode q.
    void subtract(const llt_values<double>& of, column_t q, index_t i, index_t j,
                  typename mod::number factor, typename mod::number& to) const
    {
        to = mod::minus(to, mod::times(mod::of_kept(of.get(s_, q, i, j)), factor));
    }
    void times_inverse(column_t q, column_t j, vector& x) const
    {
        auto& y = x[as_size(s_.first[as_size(q)] + j)];
        y = mod::times(y, mod::of_kept(f_.u.get(s_, q, j, j)));
    }
    const column_t* lower_rows(column_t q) const
    {
        return lower_rows_.data() + s_.row_begin[as_size(q)];
    }
    void count(column_t q) const
    {
        count_work(3 * index_t{s_.width(q)} * (s_.width(q) + s_.below(q)));
    }

    const supernodes& s_;
    const std::vector<column_t>& lower_rows_;
    const static_lu<double>& f_;
};

}  // namespace ddla::factor
