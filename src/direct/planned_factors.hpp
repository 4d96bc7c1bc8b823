// Factors that a solve would make, counted, of a matrix at any place.
#pragma once

#include "answer/counted_factors.hpp"
#include "calls/at_host.hpp"

#include <vector>

namespace ddla::api {

/// See refine::count_factors.
template <scalar V>
std::vector<std::optional<refine::counted_factors>>
count_factors(const csr<V>& a, place where, const std::vector<refine::factor_work>& stages,
              const factorisation_options& asked)
{
    const rows_at_host<V> rows(a, where);
    return refine::count_factors(rows.view(), stages, asked);
}

}  // namespace ddla::api
