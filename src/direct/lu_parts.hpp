// What factors as an object are made of.
#pragma once

#include "refine/factor_stages.hpp"

#include "ddla/factors.hpp"

#include <variant>

namespace ddla {

template <scalar F>
struct lu_factors<F>::parts {
    using made = std::variant<factor::factors<F>, factor::static_factors<F>>;

    made factors;
    factorisation_options options = {};

    const factorisation_report& about() const
    {
        return std::visit([](const auto& f) -> const factorisation_report& { return f.about(); },
                          factors);
    }
    /// See refine::inverse_by.
    refine::approximate_inverse inverse() const
    {
        return std::visit([](const auto& f) { return refine::inverse_by(f); }, factors);
    }
};

}  // namespace ddla
