// x in four words: two double-double vectors, the second one what the first one leaves.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <cstdint>

namespace ddla::refine {

/// An x of two words or, where `low` is not empty, of four: high + low.
template <class D>
struct basic_solution_view {
    vec<D> high;
    vec<D> low = {};

    basic_solution_view(vec<D> x) : high(x) {}
    basic_solution_view(vec<D> x, vec<D> x_low) : high(x), low(x_low) {}

    index_t size() const { return high.size; }
    int words() const { return low.size > 0 ? 4 : 2; }
    void set_zero(index_t i) const
    {
        high.set(i, dd_real(0));
        if (low.size > 0) low.set(i, dd_real(0));
    }
};

struct solution_view : basic_solution_view<dd_real> {
    using basic_solution_view::basic_solution_view;
};
struct const_solution_view : basic_solution_view<const dd_real> {
    using basic_solution_view::basic_solution_view;
    const_solution_view(vec<dd_real> x) : basic_solution_view(vec<const dd_real>(x)) {}
    const_solution_view(const solution_view& x) : basic_solution_view(x.high, x.low) {}
};

/// What rounding to so many words leaves of a number, relative to it.
constexpr double rounding_of(int words)
{
    return words == 1 ? 0x1p-53 : words == 2 ? 0x1p-106 : 0x1p-212;
}

/// x_i + d_i for all i, each rounded once to the words of x.  In four words the high part is the
/// double-double number nearest to the sum, the low part that nearest to the rest.
void add_to(solution_view x, vec<const dd_real> d);

/// (x_i + x_low_i) - (y_i + y_low_i), rounded once; low parts may be missing.
dd_real difference(const_solution_view x, const_solution_view y, index_t i);

/// r_i = scale (b_i - (A (x + x_low))_i) from exact products and K-fold sums of 477 bits, more than
/// twice the 212 of x, rounded once; scale is a power of two.  The sum over a row follows the rule;
/// b is added last.  Error: that of a sum in 477 bits; of 2^-477 |A| |x| some bits are lost to the
/// growth of the sum, which leaves more than 200 bits below what rounding x does to the residual.
/// Cost: 8 words of products an entry at most, 54 operations each, and 486 for the sum; one thread.
template <scalar V>
void wide_residual(const csr<V>& a, const_solution_view x, vec<const dd_real> b, double scale,
                   vec<dd_real> r);
/// Nanoseconds that it takes, at most.
std::int64_t time_of_wide_residual(index_t rows, index_t entries);

}  // namespace ddla::refine
