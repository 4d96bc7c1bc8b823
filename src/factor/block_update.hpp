// A supernode's update of a column: entry - l u for each of its columns in ascending order, and for
// all rows at once.
#pragma once

#include "lu_columns.hpp"

#include "isa/isa.hpp"

namespace ddla::factor::detail {

/// t[i] -= l[first[c] + i] u[c], i < n, for each c from 0 on.  Views of lists that do not overlap.
/// Cost: a pass over t for four columns.
template <class Numbers, class ConstNumbers, class F>
[[gnu::always_inline]] inline void subtract_columns(Numbers t, const ConstNumbers& l,
                                                    const index_t* first, const F* u,
                                                    index_t columns, index_t n)
{
    index_t c = 0;
    for (; c + 4 <= columns; c += 4) {
        const index_t f0 = first[c], f1 = first[c + 1], f2 = first[c + 2], f3 = first[c + 3];
        const F u0 = u[c], u1 = u[c + 1], u2 = u[c + 2], u3 = u[c + 3];
#pragma GCC ivdep
        for (index_t i = 0; i < n; ++i) {
            F x = t.get(i) - l.get(f0 + i) * u0;
            x = x - l.get(f1 + i) * u1;
            x = x - l.get(f2 + i) * u2;
            t.set(i, x - l.get(f3 + i) * u3);
        }
    }
    for (; c < columns; ++c) {
        const index_t f0 = first[c];
        const F u0 = u[c];
#pragma GCC ivdep
        for (index_t i = 0; i < n; ++i) t.set(i, t.get(i) - l.get(f0 + i) * u0);
    }
}

template <class F>
class block_update {
public:
    /// Columns `from` to `last` of a supernode update the column in `work`.
    void run(lu_columns<F>& f, column_t from, column_t last, number_list<F>& work)
    {
        const index_t width = last - from + 1, below = f.length(last);
        if constexpr (std::is_same_v<F, double>) {
            if (width == 1) return update_by_one(f, last, work);
        }
        first_.resize(as_size(width));
        u_.resize(as_size(width));
        rows_.resize(std::max(rows_.size(), width + below));
        const auto all = [&](index_t, index_t) { update(f, from, width, below, work); };
        if constexpr (scalar<F>)
            host_backend::in_current_isa(all, 0, 1);
        else
            all(0, 1);
        f.operations += double(width) * double(below) + double(width) * double(width - 1) / 2;
    }

private:
    /// Without a copy: most columns of very sparse factors are by themselves.
    static void update_by_one(lu_columns<F>& f, column_t c, number_list<F>& work)
    {
        const index_t n = f.length(c);
        const F u = work.get(f.row_of[as_size(c)]);
        const column_t* const row = f.l_row.data() + f.row_begin[as_size(c)];
        const auto x = work.view();
        const auto l = std::as_const(f.l_value).view();
        const index_t first = f.value_begin[as_size(c)];
        for (index_t e = 0; e < n; ++e) x.set(row[e], x.get(row[e]) - l.get(first + e) * u);
        f.operations += double(n);
    }

    /// The rows of the supernode's pivots, then those below, in rows_.
    void update(lu_columns<F>& f, column_t from, index_t width, index_t below, number_list<F>& work)
    {
        const column_t* const pivot_row = f.row_of.data() + from;
        const column_t* const row = f.l_row.data() + f.row_begin[as_size(from + width - 1)];
        auto&& t = rows_.view();
        auto&& x = work.view();
        for (index_t c = 0; c < width; ++c) t.set(c, x.get(pivot_row[c]));
        for (index_t i = 0; i < below; ++i) t.set(width + i, x.get(row[i]));
        auto&& l = std::as_const(f.l_value).view();
        for (index_t c = 0; c < width; ++c) {
            u_[as_size(c)] = t.get(c);
            first_[as_size(c)] = f.value_begin[as_size(from + c)] + width - 1 - c;
            subtract_columns(part(t, c + 1, width - 1 - c), l, &f.value_begin[as_size(from + c)],
                             &u_[as_size(c)], 1, width - 1 - c);
        }
        subtract_columns(part(t, width, below), l, first_.data(), u_.data(), width, below);
        for (index_t c = 0; c < width; ++c) x.set(pivot_row[c], t.get(c));
        for (index_t i = 0; i < below; ++i) x.set(row[i], t.get(width + i));
    }

    /// Numbers from `first` on.
    template <class Numbers>
    static auto part(Numbers& t, index_t first, index_t n)
    {
        if constexpr (scalar<F>) {
            return t.part(first, n);
        } else {
            struct {
                Numbers& all;
                index_t first;
                const F& get(index_t i) const { return all.get(first + i); }
                void set(index_t i, const F& x) const { all.set(first + i, x); }
            } view{t, first};
            return view;
        }
    }

    number_list<F> rows_;
    std::vector<F> u_;
    std::vector<index_t> first_;
};

}  // namespace ddla::factor::detail
