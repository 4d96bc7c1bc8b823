// Residuals without rounding: exact products, summed as expansions.
//
// Source of the expansions: Shewchuk, Discrete & Computational Geometry 18(3), 1997, "Adaptive
// precision floating-point arithmetic and fast robust geometric predicates", section 2.
#pragma once

#include "ddla/eft.hpp"
#include "ddla/views.hpp"

#include <cmath>
#include <vector>

namespace ddla::refine {

/// An exact sum of doubles: the sum of its words, which do not overlap, smallest first.
class expansion {
public:
    void clear()
    {
        words_.clear();
        products_ = 0;
    }
    /// Exact unless it overflows; then at() is not finite.  Cost: six operations a word.
    void add(double x)
    {
        std::size_t kept = 0;
        for (const double w : words_) {
            const exact s = two_sum(x, w);
            x = s.value;
            if (s.error != 0) words_[kept++] = s.error;
        }
        words_.resize(kept);
        if (x != 0) words_.push_back(x);
    }
    /// Exact but for at most 2^-1074, where the error of the product underflows.
    void subtract_product(double x, double y)
    {
        if (x == 0 || y == 0) return;
        const exact p = two_prod(x, y);
        add(-p.value);
        add(-p.error);
        ++products_;
    }
    /// The two largest words.
    dd_real rounded() const
    {
        const std::size_t n = words_.size();
        if (n == 0) return dd_real(0);
        return n == 1 ? dd_real(words_[0]) : dd_real(words_[n - 1]) + words_[n - 2];
    }
    /// At least its magnitude, underflow of products included; not finite where it overflowed.
    double at_most() const
    {
        double sum = std::ldexp(static_cast<double>(products_), -1073);
        for (const double w : words_) sum += std::fabs(w);
        return sum * (1 + 0x1p-40);
    }

private:
    std::vector<double> words_;
    std::int64_t products_ = 0;
};

}  // namespace ddla::refine
