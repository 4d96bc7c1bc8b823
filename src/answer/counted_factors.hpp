// Factors of a solve, counted before they are made.
#pragma once

#include "factor_plan.hpp"
#include "refine/factor_stages.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddla::refine {

/// What the report of the factors will have.
struct counted_factors {
    std::int64_t entries = 0;  ///< without stored zeros
    double work = 0;           ///< as ddla::planned_stage counts it
    std::int64_t bytes = 0;
    std::optional<passed_limit> limit = {};  ///< the one that they would pass
};

/// Those that a solve of a square matrix at the host makes in each of these stages; nothing where
/// that is not by supernodes, whose analysis alone tells it.  Throws interrupted_error.  Cost: that
/// of the orders, and of what each stores.
template <scalar V>
std::vector<std::optional<counted_factors>> count_factors(const csr<V>& a,
                                                          const std::vector<factor_work>& stages,
                                                          const factorisation_options& asked);

}  // namespace ddla::refine
