// Preconditioners that are applied to whole vectors, by a part of the program: apply.
#pragma once

#include "steps/step.hpp"

namespace ddla::steps {

/// Stands in a step for K^-1 that does not fuse into it.
template <class T>
struct applied {
    static constexpr bool is_identity = false;
    static constexpr bool fuses = false;
    DDLA_HD auto reads() const { return fields<nothing>(); }
};

}  // namespace ddla::steps
