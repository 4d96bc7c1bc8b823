// L D L^T by supernodes, with pivots of one or two rows from diagonal blocks alone.
#pragma once

#include "block_diagonal.hpp"
#include "pivoting_maker.hpp"

namespace ddla::factor {

/// What a factorisation leaves: L, its diagonal 1, and D.
template <scalar F>
struct ldlt_values : exchanged_pivots {
    explicit ldlt_values(const supernodes& s) : l(s) {}

    llt_values<F> l;
    block_diagonal<F> d;
};

namespace detail {

template <scalar F>
class ldlt_maker : public pivoting_maker<F> {
    using base = pivoting_maker<F>;
    using base::s_, base::size;
    using typename base::worker;

public:
    ldlt_maker(const supernodes& s, const sparse_columns<F>& lower, const pivot_rule& rule,
               ldlt_values<F>& f, const chunk_runner& run, std::atomic<double>& done)
        : base(s, {{lower, f.l, f.l, current_kernels().factor<F>().update, true, false}}, f, run,
               done),
          f_(f), rule_(rule), kernels_(current_kernels().factor<F>())
    {
    }

private:
    pivot_numbers numbers(column_t q) { return f_.d.numbers(s_.first[as_size(q)]); }

    column_t factor_block(column_t q, column_t* row) override
    {
        return kernels_.factor_symmetric({f_.l.diagonal(q), s_.width(q), numbers(q), row, rule_});
    }
    void divide(column_t q, index_t begin, index_t end) override
    {
        const column_t w = s_.width(q);
        unfilled<double> scratch(as_size(llt_values<F>::lower_offset(w)));
        double* const rows = f_.l.diagonal(q) + llt_values<F>::lower_offset(w) + begin * w * size;
        kernels_.divide_symmetric({f_.l.diagonal(q), numbers(q), w, base::exchanged(q), rows,
                                   end - begin, scratch.data()});
    }
    /// The rows of L D that are columns of the target.
    void set_columns(const supernode_update& u, worker& me, supernode_product& p) override
    {
        const column_t w = s_.width(u.from), block = u.begin / 8, end = (u.end - 1) / 8 + 1;
        const std::size_t doubles = as_size((end - block) * w * size);
        if (me.columns.size() < doubles) me.columns.resize(doubles);
        kernels_.times_pivots(p.columns + block * w * size, w, numbers(u.from), end - block,
                              me.columns.data());
        p.columns = me.columns.data();
        p.columns_block = block;
    }

    ldlt_values<F>& f_;
    const pivot_rule rule_;
    const factor_kernels<F>& kernels_;
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
    return detail::ldlt_maker<F>(s, lower, rule, f, run, done).run();
}

}  // namespace ddla::factor
