// D of L D L^T.
#pragma once

#include "kernels/kernels.hpp"

#include "factor/numbers.hpp"

#include <cmath>

namespace ddla::factor {

/// Signs of eigenvalues.
struct inertia {
    index_t positive = 0, negative = 0;
    bool clear = true;  ///< false: the sign of a block's determinant is within its rounding errors
};

/// Blocks of one row and of two.
template <scalar F>
struct block_diagonal {
    number_list<F> diagonal;
    number_list<F> beside;  ///< of column k: entry (k + 1, k); 0 unless it starts a block of two

    index_t size() const { return diagonal.size(); }
    void resize_unfilled(index_t n)
    {
        diagonal.resize_unfilled(n);
        beside.resize_unfilled(n);
    }
    bool starts_pair(index_t k) const { return word<0>(beside.get(k)) != 0; }
    /// From pivot k on.
    pivot_numbers numbers(index_t k)
    {
        const vec<F> d = diagonal.view(), b = beside.view();
        constexpr int last = words_of<F> - 1;
        return {{d.word(0) + k, d.word(last) + k}, {b.word(0) + k, b.word(last) + k}};
    }

    /// The largest magnitude by high words; infinity if one is not finite.
    double largest() const
    {
        double most = 0;
        for (index_t k = 0; k < size(); ++k)
            for (const double m : {magnitude(diagonal.get(k)), magnitude(beside.get(k))}) {
                if (!(m < HUGE_VAL)) return HUGE_VAL;
                most = std::max(most, m);
            }
        return most;
    }
    index_t pairs() const
    {
        index_t count = 0;
        for (index_t k = 0; k < size(); ++k) count += starts_pair(k) ? 1 : 0;
        return count;
    }

    /// y of D y = y for the blocks that start in begin, …, end - 1; unknown(k): the numbers of
    /// systems that unknown k has.
    template <scalar W, class Unknown>
    void divide(index_t begin, index_t end, const Unknown& unknown) const
    {
        if (begin > 0 && starts_pair(begin - 1)) ++begin;
        for (index_t k = begin; k < end; ++k) {
            const vec<W> y = unknown(k);
            const W d(diagonal.get(k));
            if (!starts_pair(k)) {
                for (index_t s = 0; s < y.size; ++s) y.set(s, y.get(s) / d);
                continue;
            }
            const vec<W> z = unknown(++k);
            const W b(beside.get(k - 1)), p = d / b, q = W(diagonal.get(k)) / b,
                                          rest = W(1) / (b * (W(1) - p * q));
            for (index_t s = 0; s < y.size; ++s) {
                const W v = y.get(s), w = z.get(s);
                y.set(s, rest * (w - q * v));
                z.set(s, rest * (v - p * w));
            }
        }
    }

    /// Exactly: by Sylvester's law that of L D L^T.
    inertia signs() const
    {
        constexpr double more = 1 + 0x1p-40, tiny = 0x1p-1000;
        inertia all;
        for (index_t k = 0; k < size(); ++k) {
            const double a = word<0>(diagonal.get(k));
            if (!starts_pair(k)) {
                ++(a > 0 ? all.positive : all.negative);
                continue;
            }
            const double c = word<0>(diagonal.get(++k)), b = word<0>(beside.get(k - 1));
            // a c - b^2 from high words: off by less than 2^-50 of |a c| + b^2, and tiny.
            if (std::fabs(b) < tiny) all.clear = false;
            const double product = a * c, square = b * b;
            // By signs, as a product of equal ones may underflow.
            const bool opposite = (a <= 0 && c >= 0) || (a >= 0 && c <= 0);
            // Pairs that Bunch and Kaufman's rule takes have one eigenvalue of each sign.
            all.clear = all.clear && (opposite || product * more + tiny < square);
            ++all.positive;
            ++all.negative;
        }
        return all;
    }
};

}  // namespace ddla::factor
