// L U by supernodes of a symmetrised pattern, with pivots from diagonal blocks alone.
#pragma once

#include "pivoting_maker.hpp"

namespace ddla::factor {

/// What a factorisation leaves: L, its diagonal 1, and U^T.
template <scalar F>
struct static_lu : exchanged_pivots {
    explicit static_lu(const supernodes& s) : l(s), u(s) {}

    /// Memory, without values.
    void allocate()
    {
        return_freed_memory(l.bytes() + u.bytes());
        require_memory(l.bytes() + u.bytes(), needed_by::factors);
        l.allocate();
        u.allocate();
    }

    llt_values<F> l, u;
    std::vector<unsigned char> was_replaced;  ///< of each pivot, 0 before; empty: not asked
};

namespace detail {

template <scalar F>
class lu_maker : public pivoting_maker<F> {
    using base = pivoting_maker<F>;
    using base::s_, base::size;

public:
    lu_maker(const supernodes& s, const sparse_columns<F>& columns, const sparse_columns<F>& rows,
             const pivot_rule& rule, static_lu<F>& f, const chunk_runner& run,
             std::atomic<double>& done, const factor_kernels<F>& kernels)
        : base(s,
               {{columns, f.l, f.u, kernels.update, true, true},
                {rows, f.u, f.l, kernels.update_upper, false, false}},
               f, run, done),
          f_(f), rule_(rule), kernels_(kernels)
    {
    }

private:
    column_t factor_block(column_t q, column_t* row) override
    {
        unsigned char* const told =
            f_.was_replaced.empty() ? nullptr : f_.was_replaced.data() + s_.first[as_size(q)];
        return kernels_.factor_square(
            {f_.l.diagonal(q), f_.u.diagonal(q), s_.width(q), row, rule_, told});
    }
    void divide(column_t q, index_t begin, index_t end) override
    {
        const column_t w = s_.width(q);
        const index_t at = llt_values<F>::lower_offset(w) + begin * w * size;
        kernels_.divide_rows(f_.u.diagonal(q), w, f_.l.diagonal(q) + at, end - begin);
        kernels_.divide_upper(f_.l.diagonal(q), w, base::exchanged(q), f_.u.diagonal(q) + at,
                              end - begin);
    }

    static_lu<F>& f_;
    const pivot_rule rule_;
    const factor_kernels<F>& kernels_;
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
    return detail::lu_maker<F>(s, columns, rows, rule, f, run, done, kernels).run();
}

}  // namespace ddla::factor
