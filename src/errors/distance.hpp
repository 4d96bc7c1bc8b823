// How far b is from the range of a singular A.
#pragma once

#include "ddla/vector.hpp"

#include <optional>
#include <vector>

namespace ddla::refine {

/// At most so many null vectors are kept for that.
inline constexpr index_t most_null_vectors = 16;

/// Vectors of the same span, of length 1 and at right angles: each is made so twice, after which
/// the error is a few units of the last place (Giraud, Langou, Rozloznik, Comput. Math. Appl. 50,
/// 2005).
std::vector<vector<dd_real>> orthonormal(std::vector<vector<dd_real>> of);

/// ||b less its part in the range|| / ||b||: the part that lies in the span of these orthonormal y
/// with A^T y = 0.  Empty without any.
std::optional<double> distance_from_range(const std::vector<vector<dd_real>>& y,
                                          vec<const dd_real> b);

}  // namespace ddla::refine
