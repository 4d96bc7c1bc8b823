// L L^T by supernodes.
#pragma once

#include "supernode_maker.hpp"

namespace ddla::factor {

namespace detail {

template <scalar F>
class llt_maker : public supernode_maker<F> {
    using base = supernode_maker<F>;
    using base::s_, base::size;

public:
    llt_maker(const supernodes& s, const sparse_columns<F>& lower, llt_values<F>& l,
              const chunk_runner& run, std::atomic<double>& done)
        : base(s, {{lower, l, l, current_kernels().factor<F>().update, true, false}}, run, done),
          l_(l), kernels_(current_kernels().factor<F>())
    {
    }

private:
    column_t factor_diagonal(column_t q) override
    {
        const column_t bad = kernels_.factor_definite(l_.diagonal(q), s_.width(q));
        return bad < 0 ? -1 : s_.first[as_size(q)] + bad;
    }
    void divide(column_t q, index_t begin, index_t end) override
    {
        const index_t w = s_.width(q);
        kernels_.divide_rows(l_.diagonal(q), s_.width(q),
                             l_.diagonal(q) + l_.lower_offset(w) + begin * w * size, end - begin);
    }

    llt_values<F>& l_;
    const factor_kernels<F>& kernels_;
};

}  // namespace detail

/// L of the symmetric matrix, of which the lower triangle is given in the order of s; l: memory is
/// there.  Returns the first column without a positive pivot, or -1.  `done`: operations so far.
/// A watch of the thread can end it (ddla/watched_scope.hpp).  Cost: s.operations of all
/// supernodes.
template <scalar F>
column_t make_llt(const supernodes& s, const sparse_columns<F>& lower, llt_values<F>& l,
                  const chunk_runner& run, std::atomic<double>& done)
{
    return detail::llt_maker<F>(s, lower, l, run, done).run();
}

}  // namespace ddla::factor
