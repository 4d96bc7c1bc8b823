// The system modulo a prime of 61 bits: rank, consistency, components that are zero.
#pragma once

#include "factor_stages.hpp"

#include "ddla/solve.hpp"

namespace ddla::refine {

template <scalar V>
class modular_system {
public:
    modular_system(const csr<V>&, const factorisation_options&, const factor_watch&) {}
    bool is_complete() const { return false; }
    rank_report rank_with(vec<const dd_real>) const { return {}; }
    std::vector<bool> zeros_of_solution(vec<const dd_real> b) const
    {
        return std::vector<bool>(static_cast<std::size_t>(b.size), false);
    }
};

}  // namespace ddla::refine
