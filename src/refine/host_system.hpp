// A x = b at the host, as refinement and error estimates look at it.
#pragma once

#include "four_words.hpp"

#include "engine/engine.hpp"

#include "ddla/csr_matrix.hpp"

#include <optional>

namespace ddla::refine {

/// max |x_i|, by high words; NaN if one is.  0 for no elements.
double largest_magnitude(vec<const dd_real> x);

bool all_finite(vec<const dd_real> x);

/// max |a_ij|, by high words.
template <scalar V>
double largest_entry(const csr<V>& a)
{
    double most = 0;
    for (index_t e = 0; e < a.nonzeros(); ++e)
        if (const double m = a.value.word(0)[e]; m > most || -m > most) most = m < 0 ? -m : m;
    return most;
}

/// Components of x, one after the other.
struct component_range {
    index_t begin = 0, end = 0;

    bool has(index_t i) const { return begin <= i && i < end; }
    template <class X>
    vec<X> part(vec<X> x) const
    {
        return x.part(begin, end - begin);
    }
};

template <scalar V>
class host_system {
public:
    /// b with the rows of A, both finite and at the host; they are kept by reference.  A is square
    /// but where residuals alone are asked for.
    host_system(const csr<V>& a, vec<const dd_real> b);

    index_t size() const { return a_.rows; }
    const csr<V>& matrix() const { return a_; }
    vec<const dd_real> right_hand_side() const { return b_; }
    double largest_of_b() const { return largest_b_; }
    /// Whether A^T is A, entry by entry as they are stored.  Cost: one pass, the first time.
    bool is_own_transpose() const;
    /// A^T.  Made when it is asked for first: one pass, one more matrix.  A itself where that is
    /// the same, its order of entries included.
    csr<V> transposed() const;
    /// Of A^T, if it was made.
    std::int64_t transposed_bytes() const;

    /// r = s (b - A x) from exact products and K-fold sums of 265 bits (477 for an x of four
    /// words), rounded once; returns s, a power of two, 1 unless b or x is near the ends of the
    /// range.  A watch can end the work, but not once one has ended other work: a report is made
    /// then.
    double residual(const_solution_view x, vec<dd_real> r) const;
    /// The least s of such residuals, whatever x is.
    double scale_of_residuals() const;
    /// The 2-norm of such a residual over that of b: what a report calls the true relative
    /// residual.
    double relative_residual(const_solution_view x) const;
    /// The same of r = residual(x), which returned `scale`.
    double relative_residual(const_solution_view x, vec<const dd_real> r, double scale) const;
    /// After an interruption: by single products where those are enough, NaN where it would take
    /// more than a tenth of a second.
    double hasty_relative_residual(const_solution_view x) const;
    /// Whether an exact residual takes less.
    bool is_quick(int words) const;

    /// w_i = (|A| |x|)_i by high words; the sum in stored order.
    std::vector<double> magnitudes(vec<const dd_real> x) const;

private:
    double relative_residual_of_zero() const;
    void residual_of_parts(vec<const dd_real> x, double scale, vec<dd_real> r) const;

    csr<V> a_;
    vec<const dd_real> b_;
    double largest_b_;
    mutable std::optional<bool> is_own_transpose_;
    mutable std::optional<csr_matrix<V>> transposed_;
};

}  // namespace ddla::refine
