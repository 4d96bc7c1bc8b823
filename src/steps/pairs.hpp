// Between a vector of dd_real, words apart, and an array of pairs, as steps.
#pragma once

#include "ddla/interop/pair.hpp"
#include "step.hpp"

namespace ddla::steps {

struct interleave : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    vec<const dd_real> x;
    dd_pair* pairs;
    DDLA_HD void operator()(index_t i, no_scalars) const { pairs[i] = x.get(i); }
};

struct split : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    const dd_pair* pairs;
    vec<dd_real> x;
    DDLA_HD void operator()(index_t i, no_scalars) const
    {
        const dd_pair both = pairs[i];  // one load of 16 bytes
        x.set(i, both);
    }
};

}  // namespace ddla::steps
