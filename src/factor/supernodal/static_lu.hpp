// L U by supernodes of a symmetrised pattern, with pivots from diagonal blocks alone.
#pragma once

#include "supernode_maker.hpp"

namespace ddla::factor {

/// What a factorisation leaves: L, its diagonal 1, and U^T.
template <scalar F>
struct static_lu {
    explicit static_lu(const supernodes& s) : l(s), u(s) {}

    llt_values<F> l, u;
    /// The row, by its place in the order of elimination, that became each pivot.
    std::vector<column_t> row;
    column_t replaced = 0;  ///< pivots
    bool moved = false;     ///< a row became another pivot than its own
};

namespace detail {

template <scalar F>
class lu_maker : public supernode_maker<F> {
    using base = supernode_maker<F>;
    using base::s_, base::size;

public:
    lu_maker(const supernodes& s, const sparse_columns<F>& columns, const sparse_columns<F>& rows,
             const pivot_rule& rule, static_lu<F>& f, const chunk_runner& run,
             std::atomic<double>& done, const factor_kernels<F>& kernels)
        : base(s,
               {{columns, f.l, f.u, kernels.update, true, true},
                {rows, f.u, f.l, kernels.update_upper, false, false}},
               run, done),
          f_(f), rule_(rule), kernels_(kernels), moved_(as_size(s.size()), 0)
    {
        f.row.resize(as_size(s.columns()));
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
            kernels_.factor_square({f_.l.diagonal(q), f_.u.diagonal(q), w, row, rule_});
        if (replaced < 0) return first;
        replaced_ += replaced;
        for (column_t j = 0; j < w; ++j)
            if (row[j] != j) moved_[as_size(q)] = 1;
        return -1;
    }
    void divide(column_t q, index_t begin, index_t end) override
    {
        const column_t w = s_.width(q);
        const index_t at = llt_values<F>::lower_offset(w) + begin * w * size;
        kernels_.divide_rows(f_.u.diagonal(q), w, f_.l.diagonal(q) + at, end - begin);
        kernels_.divide_upper(f_.l.diagonal(q), w,
                              moved_[as_size(q)] != 0 ? &f_.row[as_size(s_.first[as_size(q)])]
                                                      : nullptr,
                              f_.u.diagonal(q) + at, end - begin);
    }

    static_lu<F>& f_;
    const pivot_rule rule_;
    const factor_kernels<F>& kernels_;
    std::vector<char> moved_;  ///< of each supernode
    std::atomic<column_t> replaced_{0};
};

}  // namespace detail

/// L and U of a matrix in the order of s, given by columns and by rows: those of the transpose; of
/// both memory is there.  Returns the first column of the supernode in which a pivot was not
/// finite, or -1.  `done`: as make_llt has it.  A watch of the thread can end it
/// (ddla/watched_scope.hpp).  `kernels`: those of F, or of residues.  Cost: twice that of L L^T.
template <scalar F>
column_t make_static_lu(const supernodes& s, const sparse_columns<F>& columns,
                        const sparse_columns<F>& rows, const pivot_rule& rule, static_lu<F>& f,
                        const chunk_runner& run, std::atomic<double>& done,
                        const factor_kernels<F>& kernels = current_kernels().factor<F>())
{
    const column_t failed =
        detail::lu_maker<F>(s, columns, rows, rule, f, run, done, kernels).run();
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t j = s.first[as_size(q)]; j < s.first[as_size(q) + 1]; ++j)
            f.row[as_size(j)] += s.first[as_size(q)];
    return failed;
}

}  // namespace ddla::factor
