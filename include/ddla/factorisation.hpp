// How a matrix is factored, and what may be spent on it.
//
//     ddla::factorisation_options options;
//     options.ordering = ddla::column_ordering::colamd;
//     options.most_memory = 1'000'000'000;
//     const ddla::lu_factors<double> f(a, options);
#pragma once

#include "number.hpp"

#include <cstdint>
#include <limits>

namespace ddla {

/// The order in which columns are eliminated.
enum class column_ordering {
    automatic,  ///< AMD where the pattern is nearly symmetric with a diagonal, else COLAMD
    natural,
    amd,          ///< Amestoy, Davis, Duff, ACM TOMS 30(3), 2004, algorithm 837
    colamd,       ///< Davis, Gilbert, Larimore, Ng, ACM TOMS 30(3), 2004, algorithm 836
    rcm,          ///< reversed Cuthill and McKee, of A + A^T
    multicolour,  ///< greedy colours of A + A^T, one after the other
};

/// The numbers that factors are made of.
enum class factor_precision {
    automatic,  ///< double first; double-double where these do not suffice
    in_double,
    in_double_double,
};

struct factorisation_options {
    factor_precision factors = factor_precision::automatic;
    column_ordering ordering = column_ordering::automatic;
    bool scale = true;  ///< rows and columns, by powers of two
    /// Permute rows first so that the product of the diagonal is as large as possible; only where
    /// the ordering wants a diagonal that the matrix lacks.
    bool match = true;
    /// Multiplications with a subtraction, in units of 10^9, at most; one in double-double counts
    /// as 10.
    double most_work = 4;
    /// Bytes of the factors, at most.
    std::int64_t most_memory = std::int64_t{8} << 30;
};

}  // namespace ddla
