// IC(0): A ~ L L^T on the pattern of A's lower half.
//
// Entry (i, j) starts as the scaled a_ij and becomes entry - l_ip l_jp for each p < j whose two
// entries are in the pattern, ascending; then l_ij = entry / l_jj, and l_ii the square root.  Where
// that has none, A + s diag(A) is factored, s = 2^-10, 2^-9, … (Manteuffel, Math. Comp. 34, 1980).
#pragma once

#include "ilu.hpp"

namespace ddla::factor::detail {

/// Makes row i of L of A + shift diag(A).
template <scalar F>
class ic_row {
public:
    ic_row(const scaled_rows<F>& a, double shift, double tiny, row_factors<F>& f)
        : a_(a), shift_(shift), tiny_(tiny), f_(f), lower_(f.lower.value.view()),
          pivot_(f.pivot.view())
    {
    }

    row_end<F> operator()(column_t i, working_row<F>& w) const
    {
        const index_t begin = a_.begin(i), in_lower = f_.lower.length(i);
        const index_t to = f_.lower.begin[as_size(i)];
        row_end<F> end;
        for (index_t s = 0; s < in_lower; ++s) {
            f_.lower.column[as_size(to + s)] = a_.column(begin + s);
            lower_.set(to + s, a_.value(i, begin + s));
        }
        if (in_lower <= longest_short_row)
            short_row(to, to + in_lower, end);
        else
            long_row(i, to, to + in_lower, w, end);
        F diagonal(0);
        if (begin + in_lower < a_.end(i) && a_.column(begin + in_lower) == i) {
            const F x = a_.value(i, begin + in_lower);
            diagonal = x + x * F(shift_);
        }
        for (index_t e = to; e < to + in_lower; ++e) {
            const F l = lower_.get(e);
            diagonal = diagonal - l * l;
            end.is_finite &= isfinite(l);
            ++end.operations;
        }
        return with_pivot(i, diagonal, end);
    }

private:
    /// Entries first, ..., last - 1 are those of the row.
    void short_row(index_t first, index_t last, row_end<F>& end) const
    {
        const column_t* const column = f_.lower.column.data();
        count_work(tuning::nanoseconds_of_incomplete<F> * (last - first) * (last - first + 1));
        for (index_t s = first; s < last; ++s) {
            const column_t j = column[s];
            F x = lower_.get(s);
            index_t t = first;
            for (index_t e = f_.lower.begin[as_size(j)]; e < f_.lower.begin[as_size(j) + 1]; ++e) {
                while (t < s && column[t] < column[e]) ++t;
                if (t == s) break;
                if (column[t] != column[e]) continue;
                x = x - lower_.get(t) * lower_.get(e);
                ++end.operations;
            }
            lower_.set(s, x / pivot_.get(j));
        }
    }
    void long_row(column_t i, index_t first, index_t last, working_row<F>& w, row_end<F>& end) const
    {
        const column_t* const column = f_.lower.column.data();
        w.start(i);
        for (index_t s = first; s < last; ++s) w.add(column[s], lower_.get(s));
        for (index_t s = first; s < last; ++s) {
            const column_t j = column[s];
            count_work(tuning::nanoseconds_of_incomplete<F> * f_.lower.length(j));
            for (index_t e = f_.lower.begin[as_size(j)]; e < f_.lower.begin[as_size(j) + 1]; ++e) {
                const column_t p = column[e];
                if (!w.has(p)) continue;
                w[j] = w[j] - w[p] * lower_.get(e);
                ++end.operations;
            }
            w[j] = w[j] / pivot_.get(j);
            lower_.set(s, w[j]);
        }
    }
    /// The root, or 0.
    row_end<F> with_pivot(column_t i, const F& square, row_end<F> end) const
    {
        const double largest = largest_of_row(a_, i);
        const bool has_root = word<0>(square) > tiny_ * largest;
        end.pivot = has_root || !isfinite(square) ? sqrt(square) : F(0);
        end.bad_part_of = word<0>(square);
        end.bad_part_to = largest;
        return end;
    }

    const scaled_rows<F>& a_;
    double shift_, tiny_;
    row_factors<F>& f_;
    vec<F> lower_, pivot_;
};

/// Into f, whose room and levels are there.
template <scalar F>
void ic_of_shifted(const scaled_rows<F>& a, double shift, index_t longest, incomplete_options o,
                   row_factors<F>& f)
{
    o.pivots = bad_pivots::refuse;
    make_rows(ic_row<F>(a, shift, o.tiny, f), a.pattern, longest, o, f);
}

/// Sets `shift` to that of the diagonal.
template <scalar F>
row_factors<F> ic(const scaled_rows<F>& a, const row_look& look, const incomplete_options& o,
                  double& shift)
{
    constexpr double first_shift = 0x1p-10, last_shift = 0x1p10;
    half_levels levels;
    if (o.run.threads() > 1)
        levels = levels_of_halves(a.rows(), a.pattern.begin, a.pattern.column, look.lower,
                                  look.upper, o.run);
    const auto attempt = [&](const incomplete_options& with) {
        count_work(10 * a.entries());
        row_factors<F> f;
        f.levels = std::move(levels);
        f.make_room(look.lower, {});
        ic_of_shifted(a, shift, look.longest, with, f);
        return f;
    };
    shift = 0;
    row_factors<F> f = attempt(o);
    const column_t bad_row = f.bad_row;
    const double bad_part = f.bad_part;
    index_t shifts = 0;
    while (f.end == factor_end::bad_pivot && o.pivots == bad_pivots::shift && shift < last_shift) {
        shift = shift == 0 ? first_shift : 2 * shift;
        const double operations = f.operations;
        incomplete_options left = o;
        left.most_operations -= operations;
        levels = std::move(f.levels);
        f = attempt(left);
        f.operations += operations;
        ++shifts;
    }
    f.shifts = shifts;
    f.bad_row = bad_row;
    f.bad_part = bad_part;
    return f;
}

/// The transpose of L, whose pattern is that of A above its diagonal: `begin` says where rows
/// begin.
template <scalar F>
sparse_rows<F> mirrored(const scaled_rows<F>& a, const unfilled<index_t>& begin,
                        const sparse_rows<F>& l, const chunk_runner& run)
{
    sparse_rows<F> u;
    u.begin = begin;
    u.column.resize(as_size(begin.back()));
    u.value.resize_unfilled(begin.back());
    const vec<F> value = u.value.view();
    run.parts(a.rows(), [&](index_t first, index_t last) {
        for (index_t j = first; j < last; ++j) {
            index_t k = a.end(j) - u.length(j);
            for (index_t to = begin[as_size(j)]; to < begin[as_size(j) + 1]; ++to, ++k) {
                const column_t i = a.column(k);
                const column_t* const row = l.column.data() + l.begin[as_size(i)];
                const column_t* const found = std::lower_bound(row, row + l.length(i), j);
                u.column[as_size(to)] = i;
                value.set(to, l.value.get(found - l.column.data()));
            }
        }
    });
    return u;
}

}  // namespace ddla::factor::detail
