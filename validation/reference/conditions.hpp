// Condition numbers from an elimination in many digits.
#pragma once

#include "elimination.hpp"

#include "support/reference_answers.hpp"

namespace reference {

class conditions {
public:
    /// The whole inverse is computed where n times the entries of the factors is at most
    /// `inverse_cost`: some 200 ns each.
    conditions(const ddla::csr_matrix<double>& a, elimination& factors, double inverse_cost = 1e8);

    /// |A|_1 |A^-1|_1.
    condition kappa1();
    /// | |A^-1| |A| |x| |_inf / |x|_inf.
    condition skeel(const number_vector& x);

private:
    const ddla::csr_matrix<double>& a_;
    elimination& factors_;
    std::vector<std::vector<double>> inverse_;  ///< columns of |A^-1|, if it was computed
};

/// An integer vector, entries up to 2^20, near the left singular vector of the smallest singular
/// value: with it as b, x is large.  Six steps of inverse iteration with A A^T from b = ones, then
/// scaled and rounded.  The digits of the elimination decide nothing unless a rounding is a tie.
std::vector<double> vector_that_makes_x_large(elimination& factors, ddla::index_t n);

}  // namespace reference
