// What each component of x may be wrong by, from the correction that would come next.
#pragma once

#include "four_words.hpp"
#include "shared_scale.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddla::refine {

/// A norm for errors, max |e_i| / scale_i, and how much of an error a correction leaves in it.
struct error_norm {
    shared_scale scale = {};  ///< 0: components without error; empty: all 1
    double rate = 1;

    double scale_of(index_t i) const { return scale.empty() ? 1 : scale[i]; }
    /// Of magnitudes |e_i| + more.
    double of(vec<const dd_real> e, double more = 0) const;
};

/// How much larger a norm may be than what vectors of hashed numbers show of it: rows of n entries
/// of mixed signs give a part of about 1 / sqrt(n).
double unlucky_probe(index_t n);

/// e_i = |d_i| + u + rate ||d|| scale_i: what x_i may be wrong by, d being the correction of x and
/// u = 2^-1074, by which also the norm takes each |d_i| to be larger.  0 where the scale is 0.
std::vector<double> component_errors(vec<const dd_real> d, const error_norm& norm);

/// The scale in which relative errors of components are alike: |x_i|, or more where `left`, what
/// x_i may still move, is more than `rounding` of it; 0 for known zeros.  Of an x_i that is 0 and
/// does not move what it may be wrong by, e_i, counts instead.
std::vector<double> scale_of_components(const_solution_view x, const std::vector<double>& left,
                                        const std::vector<double>& e,
                                        const std::vector<bool>& known_zero, double rounding);

}  // namespace ddla::refine
