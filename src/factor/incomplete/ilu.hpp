// ILU on a given pattern.
//
// Entry (i, j) of the pattern starts as the scaled a_ij and becomes entry - l_ip u_pj for each
// pivot p < min(i, j) whose two entries are in the pattern, ascending, a rounded product and a
// rounded difference each; then l_ij = entry / pivot.  With a pattern that holds all fill, these
// are the bits of the LU factors with the same pivots.
#pragma once

#include "fill_levels.hpp"
#include "known_rows.hpp"
#include "scaled_rows.hpp"

namespace ddla::factor::detail {

/// Rows of at most so many entries are worked on as they lie, longer ones spread out.  Chosen.
constexpr index_t longest_short_row = 64;

/// Makes row i, updated by the rows before it.
template <scalar F>
class ilu_row {
public:
    /// `is_own`: the pattern is that of A.
    ilu_row(const scaled_rows<F>& a, const pattern_rows& p, bool is_own, row_factors<F>& f)
        : a_(a), p_(p), is_own_(is_own), f_(f), lower_(f.lower.value.view()),
          upper_(f.upper.value.view()), pivot_(f.pivot.view())
    {
    }

    row_end<F> operator()(column_t i, working_row<F>& w) const
    {
        return p_.length(i) <= longest_short_row ? short_row(i) : long_row(i, w);
    }

private:
    row_end<F> short_row(column_t i) const
    {
        const column_t* const column = p_.column + p_.begin[i];
        const index_t length = p_.length(i), in_lower = f_.lower.length(i);
        count_work(tuning::nanoseconds_of_incomplete<F> * length * (1 + in_lower));
        F value[longest_short_row];
        row_end<F> end;
        load(i, column, length, value, end);
        const index_t to_lower = f_.lower.begin[as_size(i)];
        for (index_t s = 0; s < in_lower; ++s) {
            const column_t k = column[s];
            const F l = value[s] / pivot_.get(k);
            f_.lower.column[as_size(to_lower + s)] = k;
            lower_.set(to_lower + s, l);
            end.is_finite &= isfinite(l);
            index_t t = s + 1;
            for (index_t e = f_.upper.begin[as_size(k)]; e < f_.upper.begin[as_size(k) + 1]; ++e) {
                const column_t j = f_.upper.column[as_size(e)];
                while (t < length && column[t] < j) ++t;
                if (t == length) break;
                if (column[t] != j) continue;
                value[t] = value[t] - l * upper_.get(e);
                ++end.operations;
            }
        }
        const index_t to_upper = f_.upper.begin[as_size(i)];
        for (index_t s = in_lower + 1; s < length; ++s) {
            f_.upper.column[as_size(to_upper + s - in_lower - 1)] = column[s];
            upper_.set(to_upper + s - in_lower - 1, value[s]);
            end.is_finite &= isfinite(value[s]);
        }
        return with_pivot(end, value[in_lower]);
    }
    /// The row of A on the pattern.
    void load(column_t i, const column_t* column, index_t length, F* value, row_end<F>& end) const
    {
        const index_t first = a_.begin(i);
        if (is_own_) {
            for (index_t s = 0; s < length; ++s) value[s] = a_.value(i, first + s);
        } else {
            index_t k = first;
            for (index_t s = 0; s < length; ++s) {
                const bool has = k < a_.end(i) && a_.column(k) == column[s];
                value[s] = has ? a_.value(i, k) : F(0);
                k += has;
            }
        }
        for (index_t s = 0; s < length; ++s)
            end.largest = std::max(end.largest, magnitude(value[s]));
    }
    row_end<F> long_row(column_t i, working_row<F>& w) const
    {
        const index_t begin = p_.begin[i], end_of_row = p_.begin[i + 1];
        row_end<F> end;
        w.start(i);
        for (index_t s = begin; s < end_of_row; ++s) w.add(p_.column[s], F(0));
        for (index_t k = a_.begin(i); k < a_.end(i); ++k) {
            w[a_.column(k)] = a_.value(i, k);
            end.largest = std::max(end.largest, magnitude(w[a_.column(k)]));
        }
        index_t s = begin;
        for (index_t to = f_.lower.begin[as_size(i)]; to < f_.lower.begin[as_size(i) + 1];
             ++to, ++s) {
            const column_t k = p_.column[s];
            const F l = w[k] = w[k] / pivot_.get(k);
            f_.lower.column[as_size(to)] = k;
            lower_.set(to, l);
            end.is_finite &= isfinite(l);
            count_work(tuning::nanoseconds_of_incomplete<F> * f_.upper.length(k));
            for (index_t e = f_.upper.begin[as_size(k)]; e < f_.upper.begin[as_size(k) + 1]; ++e) {
                const column_t j = f_.upper.column[as_size(e)];
                if (!w.has(j)) continue;
                w[j] = w[j] - l * upper_.get(e);
                ++end.operations;
            }
        }
        for (index_t to = f_.upper.begin[as_size(i)]; to < f_.upper.begin[as_size(i) + 1]; ++to) {
            const column_t j = p_.column[++s];
            f_.upper.column[as_size(to)] = j;
            upper_.set(to, w[j]);
            end.is_finite &= isfinite(w[j]);
        }
        return with_pivot(end, w[i]);
    }
    static row_end<F> with_pivot(row_end<F> end, const F& pivot)
    {
        end.pivot = pivot;
        end.bad_part_of = word<0>(pivot);
        end.bad_part_to = end.largest;
        return end;
    }

    const scaled_rows<F>& a_;
    const pattern_rows& p_;
    bool is_own_;
    row_factors<F>& f_;
    vec<F> lower_, upper_, pivot_;
};

/// Makes all rows: by levels if there are threads and the levels are worth it.
template <scalar F, class Row>
void make_rows(const Row& row, const pattern_rows& p, index_t longest, const incomplete_options& o,
               row_factors<F>& f)
{
    known_rows<F, Row> rows(row, longest > longest_short_row, o, f);
    if (o.run.threads() > 1) {
        const index_t n = f.lower.rows(), entries = p.begin[n];
        if (n > 0 && 2 * o.run.work() * f.levels.lower.levels() <= entries) {
            rows.by_levels(f.levels.lower);
            return;
        }
    }
    rows.in_order();
}

/// Where the rows of the halves of a pattern begin, and its longest row.
inline row_look look_at(const fill_pattern& p)
{
    const std::size_t n = p.diagonal.size();
    row_look r;
    r.lower.assign(n + 1, 0);
    r.upper.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        r.lower[i + 1] = r.lower[i] + p.diagonal[i] - p.begin[i];
        r.upper[i + 1] = r.upper[i] + p.begin[i + 1] - p.diagonal[i] - 1;
        r.longest = std::max(r.longest, p.begin[i + 1] - p.begin[i]);
    }
    return r;
}

template <scalar F>
row_factors<F> ilu(const scaled_rows<F>& a, row_look look, const incomplete_options& o)
{
    const index_t n = a.rows();
    row_factors<F> f;
    const std::int64_t most =
        o.most_bytes / static_cast<std::int64_t>(sizeof(F) + sizeof(column_t));
    const bool is_own = o.fill == 0 && look.has_full_diagonal;
    fill_pattern found;
    if (is_own) {
        if (a.entries() > most) f.end = factor_end::over_memory;
    } else {
        found = fill_levels(n, o).run(a.pattern, most);
        f.end = found.end;
        f.steps_before = n;
    }
    if (f.end != factor_end::complete) return f;
    if (!is_own) look = look_at(found);
    const pattern_rows p =
        is_own ? a.pattern : pattern_rows{found.begin.data(), found.column.data()};
    if (o.run.threads() > 1)
        f.levels = levels_of_halves(n, p.begin, p.column, look.lower, look.upper, o.run);
    f.make_room(std::move(look.lower), std::move(look.upper));
    make_rows(ilu_row<F>(a, p, is_own, f), p, look.longest, o, f);
    return f;
}

}  // namespace ddla::factor::detail
