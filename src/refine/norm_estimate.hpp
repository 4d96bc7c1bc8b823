// An estimate of the 1-norm of a matrix that is only known by its products.
//
// Source: Higham and Tisseur, SIAM J. Matrix Anal. Appl. 21(4), 2000, "A block algorithm for matrix
// 1-norm estimation", algorithm 2.4.
#pragma once

#include "ddla/views.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ddla::refine {

using real_vector = std::vector<double>;

/// B x, or nothing if it cannot be had.
using linear_map = std::function<std::optional<real_vector>(const real_vector& x)>;

struct norm_estimate {
    double value = 0;
    bool complete = true;  ///< false: a product failed; the norm may be any larger
};

/// 1 or -1, by an integer hash: the same everywhere.
double random_sign(std::uint64_t column, std::uint64_t index);
/// From 1/2 to 1, or the same below 0, likewise; of all bits.  Sums of them do not cancel as those
/// of signs do.
double random_number(std::uint64_t column, std::uint64_t index);

/// A lower bound of ||B||_1, B n x n, mostly right within a factor of 3, often exact; exact for
/// n <= 4.  `transposed` is B^T x.  Two columns at once; those that are free come from an integer
/// hash of (column, index), so the estimate is the same everywhere.  Cost: at most 20 products with
/// B or B^T, some 8 in the mean.
norm_estimate estimate_norm1(index_t n, const linear_map& product, const linear_map& transposed);

}  // namespace ddla::refine
