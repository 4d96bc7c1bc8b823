// L D L^T by supernodes, with pivots of one or two rows from diagonal blocks alone.
#pragma once

#include "block_diagonal.hpp"
#include "supernode_maker.hpp"

namespace ddla::factor {

/// What a factorisation leaves: L, its diagonal 1, and D.
template <scalar F>
struct ldlt_values {
    explicit ldlt_values(const supernodes& s) : l(s) {}

    /// Memory, without values.
    void allocate(index_t n)
    {
        l.allocate();
        d.resize_unfilled(n);
        row.resize(as_size(n));
    }

    llt_values<F> l;
    block_diagonal<F> d;
    /// The row and column, by its place in the order of elimination, that became each pivot.
    std::vector<column_t> row;
    column_t replaced = 0;  ///< pivots
    bool moved = false;     ///< a row became another pivot than its own
};

namespace detail {

template <scalar F>
class ldlt_maker : public supernode_maker<F> {
    using base = supernode_maker<F>;
    using base::s_, base::size;
    using typename base::worker;

public:
    ldlt_maker(const supernodes& s, const sparse_columns<F>& lower, const pivot_rule& rule,
               ldlt_values<F>& f, const chunk_runner& run, std::atomic<double>& done)
        : base(s, {{lower, f.l, f.l, current_kernels().factor<F>().update, true, false}}, run,
               done),
          f_(f), rule_(rule), kernels_(current_kernels().factor<F>()), moved_(as_size(s.size()), 0)
    {
    }

    column_t run()
    {
        const column_t failed = base::run();
        f_.replaced = replaced_;
        f_.moved = std::any_of(moved_.begin(), moved_.end(), [](char m) { return m != 0; });
        return failed;
    }

private:
    column_t factor_diagonal(column_t q) override
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q);
        column_t* const row = &f_.row[as_size(first)];
        for (column_t j = 0; j < w; ++j) row[j] = j;
        const column_t replaced =
            kernels_.factor_symmetric({f_.l.diagonal(q), w, f_.d.numbers(first), row, rule_});
        if (replaced < 0) return first;
        replaced_ += replaced;
        for (column_t j = 0; j < w; ++j)
            if (row[j] != j) moved_[as_size(q)] = 1;
        return -1;
    }
    void divide(column_t q, index_t begin, index_t end) override
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q);
        unfilled<double> scratch(as_size(llt_values<F>::lower_offset(w)));
        double* const rows = f_.l.diagonal(q) + llt_values<F>::lower_offset(w) + begin * w * size;
        kernels_.divide_symmetric({f_.l.diagonal(q), f_.d.numbers(first), w,
                                   moved_[as_size(q)] != 0 ? &f_.row[as_size(first)] : nullptr,
                                   rows, end - begin, scratch.data()});
    }
    /// The rows of L D that are columns of the target.
    void set_columns(const supernode_update& u, worker& me, supernode_product& p) override
    {
        const column_t w = s_.width(u.from), block = u.begin / 8, end = (u.end - 1) / 8 + 1;
        const std::size_t doubles = as_size((end - block) * w * size);
        if (me.columns.size() < doubles) me.columns.resize(doubles);
        kernels_.times_pivots(p.columns + block * w * size, w,
                              f_.d.numbers(s_.first[as_size(u.from)]), end - block,
                              me.columns.data());
        p.columns = me.columns.data();
        p.columns_block = block;
    }

    ldlt_values<F>& f_;
    const pivot_rule rule_;
    const factor_kernels<F>& kernels_;
    std::vector<char> moved_;  ///< of each supernode
    std::atomic<column_t> replaced_{0};
};

}  // namespace detail

/// L and D of the symmetric matrix, of which the lower triangle is given in the order of s; f:
/// memory is there.  Returns the first column of the supernode in which a pivot was not finite, or
/// -1.  `done`: as make_llt has it.  A watch of the thread can end it (ddla/watched_scope.hpp).
/// Cost: that of L L^T.
template <scalar F>
column_t make_ldlt(const supernodes& s, const sparse_columns<F>& lower, const pivot_rule& rule,
                   ldlt_values<F>& f, const chunk_runner& run, std::atomic<double>& done)
{
    const column_t failed = detail::ldlt_maker<F>(s, lower, rule, f, run, done).run();
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t j = s.first[as_size(q)]; j < s.first[as_size(q) + 1]; ++j)
            f.row[as_size(j)] += s.first[as_size(q)];
    return failed;
}

}  // namespace ddla::factor
