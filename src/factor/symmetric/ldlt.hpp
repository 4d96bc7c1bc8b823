// Sparse L D L^T of a symmetric matrix whose pivots are chosen beforehand: single diagonal entries
// and blocks of two rows.
//
// What is stored follows from the pattern alone, so that fill and work are known before the first
// operation.  Left-looking: columns of L with one pattern, a supernode, update a column as a dense
// block.  The rule that fixes the bits is in docs/factorisation.md.
#pragma once

#include "factor/block_update.hpp"
#include "factor/factor_end.hpp"
#include "factor/order/ordering.hpp"

#include <functional>

namespace ddla::factor {

/// Row and column k of the matrix are pivot k; block b has the rows first[b] to first[b + 1], one
/// or two.
using pivot_blocks = std::vector<column_t>;

/// What L stores, by supernodes: s has the columns first_column[s] to first_column[s + 1], which
/// share the rows row[row_begin[s]] to row[row_begin[s + 1]] below them, ascending.
struct ldlt_pattern {
    bool complete = false;  ///< false: more operations or bytes than allowed, so far
    pivot_blocks blocks;
    std::vector<column_t> first_column, supernode_of;
    std::vector<index_t> row_begin = {0};
    std::vector<column_t> row;
    std::vector<index_t> value_begin;  ///< of column k: rows k + 1 … of the supernode, those below
    std::int64_t entries = 0;          ///< of L and D
    std::int64_t bytes = 0;            ///< … by columns and by rows
    double operations = 0;             ///< multiplications with a subtraction
    index_t most_updates = 0;          ///< of one entry

    index_t size() const { return blocks.empty() ? 0 : blocks.back(); }
    index_t supernodes() const { return static_cast<index_t>(row_begin.size()) - 1; }
    column_t last_column(std::size_t s) const { return first_column[s + 1] - 1; }
    index_t rows_below(std::size_t s) const { return row_begin[s + 1] - row_begin[s]; }
    bool starts_pair(column_t k) const { return pair[as_size(k)] != 0; }
    std::vector<char> pair;  ///< column k is the first of a block of two
};

/// Of the symmetric matrix with this pattern, of which both triangles or the lower one are there.
/// Ends early, not complete, where more is needed than these.  Cost: the entries of L.
ldlt_pattern pattern_of_ldlt(const pattern& a, const pivot_blocks& blocks, double most_operations,
                             std::int64_t most_bytes, std::int64_t bytes_of_value);

template <class F>
struct ldlt_values {
    factor_end end = factor_end::complete;
    column_t failed = -1;   ///< the pivot, if one is singular
    number_list<F> l;       ///< see ldlt_pattern::value_begin
    number_list<F> d;       ///< the diagonal of D
    number_list<F> beside;  ///< of column k: D's entry (k + 1, k); zero unless it starts a pair
    /// Of row i: the sum of |w - (L D)| over the entries of L in row and column i, where w is what
    /// the division started from; as computed.  Only if it was asked for.
    std::vector<double> defect;
};

namespace detail {

template <scalar F>
class symmetric_left_looking {
public:
    symmetric_left_looking(const sparse_columns<F>& a, const ldlt_pattern& p, bool with_defect,
                           const std::function<bool(double)>& watch)
        : a_(a), p_(p), watch_(watch), with_defect_(with_defect),
          updating_(as_size(p.supernodes())), next_row_(p.row_begin.begin(), p.row_begin.end() - 1),
          slot_(as_size(p.size()), 0)
    {
        f_.l.resize_touched(p.value_begin.empty() ? 0 : p.value_begin.back());
        f_.d.resize(p.size());
        f_.beside.resize(p.size());
        if (with_defect_) f_.defect.assign(as_size(p.size()), 0);
    }

    ldlt_values<F> run()
    {
        for (std::size_t s = 0; s < as_size(p_.supernodes()); ++s) {
            do_supernode(s);
            if (f_.end != factor_end::complete) break;
            const double done = double(p_.first_column[s + 1]) / double(p_.size());
            if (s % 16 == 15 && watch_ && !watch_(done)) {
                f_.end = factor_end::stopped;
                break;
            }
        }
        return std::move(f_);
    }

private:
    using numbers = vec<F>;

    void do_supernode(std::size_t s)
    {
        first_ = p_.first_column[s];
        last_ = p_.last_column(s);
        below_ = p_.rows_below(s);
        for (column_t k = first_; k <= last_; ++k) slot_[as_size(k)] = k - first_;
        for (index_t e = 0; e < below_; ++e)
            slot_[as_size(p_.row[as_size(p_.row_begin[s] + e)])] =
                static_cast<column_t>(last_ - first_ + 1 + e);
        std::vector<column_t> updates = std::move(updating_[s]);
        std::sort(updates.begin(), updates.end());
        for (column_t k = first_; k <= last_ && f_.end == factor_end::complete; ++k) {
            fill_column(k, updates, first_work_, k);
            if (!p_.starts_pair(k)) {
                divide(k);
                continue;
            }
            fill_column(k + 1, updates, second_work_, k);
            divide_pair(k);
            ++k;
        }
        pass_on(updates, s);
    }

    /// Rows k … of the column in `work`: the entries of A less the updates by the columns before
    /// `end`.
    void fill_column(column_t k, const std::vector<column_t>& updates, number_list<F>& work,
                     column_t end)
    {
        const index_t slots = last_ - first_ + 1 + below_;
        count_work((slots - slot_[as_size(k)]) * (1 + static_cast<index_t>(updates.size())) *
                   (words_of<F> == 1 ? 1 : 8));
        work.resize(slots);
        for (index_t e = slot_[as_size(k)]; e < slots; ++e) work.set(e, F(0));
        for (index_t e = a_.begin[as_size(k)]; e < a_.begin[as_size(k) + 1]; ++e)
            if (a_.row[as_size(e)] >= k)
                work.set(slot_[as_size(a_.row[as_size(e)])], a_.value.get(e));
        for (const column_t t : updates)
            if (next_row_[as_size(t)] < p_.row_begin[as_size(t) + 1] &&
                p_.row[as_size(next_row_[as_size(t)])] == k)
                update_by(as_size(t), next_row_[as_size(t)]++, work);
        update_by_own(k, end, work);
    }

    /// u_c = (D L^T)(c, k) for the columns from `begin` to `end`, and where in L their row `k` is.
    template <class Place>
    void row_of_products(column_t begin, column_t end, const Place& place)
    {
        u_.resize(as_size(end - begin));
        places_.resize(as_size(end - begin));
        for (column_t c = begin; c < end; ++c) {
            const std::size_t i = as_size(c - begin);
            places_[i] = place(c);
            if (!p_.starts_pair(c)) {
                u_[i] = f_.l.get(places_[i]) * f_.d.get(c);
                continue;
            }
            places_[i + 1] = place(c + 1);
            const F l0 = f_.l.get(places_[i]), l1 = f_.l.get(places_[i + 1]);
            u_[i] = l0 * f_.d.get(c) + l1 * f_.beside.get(c);
            u_[i + 1] = l0 * f_.beside.get(c) + l1 * f_.d.get(c + 1);
            ++c;
        }
    }

    /// By the columns of an earlier supernode, of which p_.row[from] is the row of the column.
    void update_by(std::size_t t, index_t from, number_list<F>& work)
    {
        const column_t begin = p_.first_column[t], end = p_.first_column[t + 1];
        const index_t n = p_.row_begin[t + 1] - from;
        row_of_products(begin, end, [&](column_t c) {
            return p_.value_begin[as_size(c)] + (end - 1 - c) + (from - p_.row_begin[t]);
        });
        const column_t* const row = p_.row.data() + from;
        const auto l = std::as_const(f_.l).view();
        const auto x = work.view();
        if constexpr (words_of<F> == 1)
            if (end - begin == 1) {
                const F u = u_[0];
                const index_t l0 = places_[0];
                for (index_t i = 0; i < n; ++i) {
                    const column_t to = slot_[as_size(row[i])];
                    x.set(to, x.get(to) - l.get(l0 + i) * u);
                }
                return;
            }
        rows_.resize(std::max(rows_.size(), n));
        const auto t_view = rows_.view();
        const auto all = [&](index_t, index_t) {
            for (index_t i = 0; i < n; ++i) t_view.set(i, x.get(slot_[as_size(row[i])]));
            subtract_columns(t_view, l, places_.data(), u_.data(), end - begin, n);
            for (index_t i = 0; i < n; ++i) x.set(slot_[as_size(row[i])], t_view.get(i));
        };
        host_backend::in_current_isa(all, 0, 1);
    }

    void update_by_own(column_t k, column_t end, number_list<F>& work)
    {
        if (end == first_) return;
        row_of_products(first_, end,
                        [&](column_t c) { return p_.value_begin[as_size(c)] + (k - c - 1); });
        const index_t from = k - first_, n = last_ - first_ + 1 + below_ - from;
        const auto l = std::as_const(f_.l).view();
        const auto x = work.view().part(from, n);
        const auto all = [&](index_t, index_t) {
            subtract_columns(x, l, places_.data(), u_.data(), end - first_, n);
        };
        host_backend::in_current_isa(all, 0, 1);
    }

    bool is_usable(double m, column_t k)
    {
        if (!(m <= std::numeric_limits<double>::max()))
            f_.end = factor_end::not_finite;
        else if (m == 0) {
            f_.end = factor_end::singular;
            f_.failed = k;
        }
        return f_.end == factor_end::complete;
    }

    void divide(column_t k)
    {
        const index_t at_k = k - first_, n = last_ - k + below_, to = p_.value_begin[as_size(k)];
        const F d = first_work_.get(at_k);
        f_.d.set(k, d);
        f_.beside.set(k, F(0));
        if (!is_usable(magnitude(d), k)) return;
        const auto w = std::as_const(first_work_).view();
        const auto l = f_.l.view();
        const auto all = [&](index_t, index_t) {
            for (index_t e = 0; e < n; ++e) l.set(to + e, w.get(at_k + 1 + e) / d);
        };
        host_backend::in_current_isa(all, 0, 1);
        if (!with_defect_) return;
        for (index_t e = 0; e < n; ++e)
            add_defect(k, row_at(k, e), w.get(at_k + 1 + e) - l.get(to + e) * d);
    }

    /// (l0, l1) D = (w0, w1) for each row, D = [a b; b c]: with p = a / b and q = c / b,
    /// l0 = s (q w0 - w1) and l1 = s (p w1 - w0), s = 1 / (b (p q - 1)).
    void divide_pair(column_t k)
    {
        if (f_.end != factor_end::complete) return;
        const index_t at_k = k - first_, n = last_ - k - 1 + below_;
        const index_t to0 = p_.value_begin[as_size(k)], to1 = p_.value_begin[as_size(k) + 1];
        const F a = first_work_.get(at_k), b = first_work_.get(at_k + 1),
                c = second_work_.get(at_k + 1);
        f_.d.set(k, a);
        f_.d.set(k + 1, c);
        f_.beside.set(k, b);
        f_.beside.set(k + 1, F(0));
        if (!is_usable(magnitude(b), k)) return;
        const F p = a / b, q = c / b, under = b * (p * q - F(1));
        if (!is_usable(magnitude(under), k)) return;
        const F s = F(1) / under;
        f_.l.set(to0, F(0));
        const auto w0 = std::as_const(first_work_).view(), w1 = std::as_const(second_work_).view();
        const auto l = f_.l.view();
        const auto all = [&](index_t, index_t) {
            for (index_t e = 0; e < n; ++e) {
                const F x = w0.get(at_k + 2 + e), y = w1.get(at_k + 2 + e);
                l.set(to0 + 1 + e, s * (q * x - y));
                l.set(to1 + e, s * (p * y - x));
            }
        };
        host_backend::in_current_isa(all, 0, 1);
        if (!with_defect_) return;
        for (index_t e = 0; e < n; ++e) {
            const F l0 = l.get(to0 + 1 + e), l1 = l.get(to1 + e);
            const column_t i = row_at(k + 1, e);
            add_defect(k, i, (w0.get(at_k + 2 + e) - l0 * a) - l1 * b);
            add_defect(k + 1, i, (w1.get(at_k + 2 + e) - l0 * b) - l1 * c);
        }
    }

    /// The row of entry e of column k.
    column_t row_at(column_t k, index_t e) const
    {
        return e < last_ - k ? static_cast<column_t>(k + 1 + e)
                             : p_.row[as_size(p_.row_begin[as_size(p_.supernode_of[as_size(k)])] +
                                              e - (last_ - k))];
    }
    void add_defect(column_t k, column_t i, const F& r)
    {
        const double m = magnitude(r);
        f_.defect[as_size(k)] += m;
        f_.defect[as_size(i)] += m;
    }

    /// To the next supernodes that these ones update.
    void pass_on(std::vector<column_t>& updates, std::size_t s)
    {
        updates.push_back(static_cast<column_t>(s));
        for (const column_t t : updates)
            if (next_row_[as_size(t)] < p_.row_begin[as_size(t) + 1])
                updating_[as_size(p_.supernode_of[as_size(p_.row[as_size(next_row_[as_size(t)])])])]
                    .push_back(t);
    }

    const sparse_columns<F>& a_;
    const ldlt_pattern& p_;
    const std::function<bool(double)>& watch_;
    const bool with_defect_;
    ldlt_values<F> f_;
    std::vector<std::vector<column_t>> updating_;  ///< by supernode: those that reach it next
    std::vector<index_t> next_row_;                ///< of each supernode: the first not reached yet
    std::vector<column_t> slot_;                   ///< of a row, in the column at work
    column_t first_ = 0, last_ = 0;                ///< columns of the supernode at work
    index_t below_ = 0;
    number_list<F> first_work_, second_work_, rows_;
    std::vector<F> u_;
    std::vector<index_t> places_;
};

}  // namespace detail

/// L D L^T of the symmetric matrix, of which the lower triangle is looked at; p: its pattern,
/// complete.  `watch` sees the part of the columns that is done; false stops it.
/// Cost: p.operations, and as many multiplications again as L has entries.
template <scalar F>
ldlt_values<F> factorise_symmetric(const sparse_columns<F>& a, const ldlt_pattern& p,
                                   bool with_defect = false,
                                   const std::function<bool(double)>& watch = {})
{
    return detail::symmetric_left_looking<F>(a, p, with_defect, watch).run();
}

/// Signs of eigenvalues.
struct inertia {
    index_t positive = 0, negative = 0;
    bool clear = true;  ///< false: the sign of a block's determinant is within its rounding errors
};

/// Of D, exactly: by Sylvester's law that of L D L^T.
template <scalar F>
inertia inertia_of(const ldlt_pattern& p, const ldlt_values<F>& f)
{
    constexpr double more = 1 + 0x1p-40, tiny = 0x1p-1000;
    inertia all;
    for (index_t k = 0; k < p.size(); ++k) {
        const double a = word<0>(f.d.get(k));
        if (!p.starts_pair(static_cast<column_t>(k))) {
            ++(a > 0 ? all.positive : all.negative);
            continue;
        }
        const double c = word<0>(f.d.get(++k)), b = word<0>(f.beside.get(k - 1));
        // a c - b^2 from high words: off by less than 2^-50 of |a c| + b^2, and tiny.
        if (std::fabs(b) < tiny) all.clear = false;
        const double product = a * c, square = b * b;
        // By signs, as a product of equal ones may underflow.
        const bool opposite = (a <= 0 && c >= 0) || (a >= 0 && c <= 0);
        if (opposite || product * more + tiny < square) {
            ++all.positive;
            ++all.negative;
        } else if (product > square * more + tiny) {
            (a > 0 ? all.positive : all.negative) += 2;
        } else {
            all.clear = false;
        }
    }
    return all;
}

}  // namespace ddla::factor
