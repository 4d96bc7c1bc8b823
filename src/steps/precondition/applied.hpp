// Preconditioners that are applied to whole vectors, by a part of the program: apply.
#pragma once

#include "jacobi.hpp"

namespace ddla::steps {

/// Stands in a step for K^-1 that does not fuse into it.
template <class T>
struct applied {
    static constexpr bool is_identity = false;
    static constexpr bool fuses = false;
    DDLA_HD auto reads() const { return fields<nothing>(); }
};

// As in jacobi.hpp: for steps that need not know all of K.

/// Tells only whether there is a K.
template <class T, class K>
using any_or_none = std::conditional_t<K::is_identity, identity<T>, applied<T>>;
/// K where it is applied to whole vectors.
template <class T, class K>
using whole_or_none = std::conditional_t<K::fuses, identity<T>, K>;

}  // namespace ddla::steps
