// Where factors are made, and kept.
#pragma once

#include "ddla/views.hpp"

#include <functional>

namespace ddla::factor {

class factor_operations;

/// An operation in double-double, in those of double, both by supernodes.
inline constexpr double supernodes_in_dd = 12;

/// Of so many operations, in those of double: a device, see factor_operations.hpp; null: the host.
using place_of_factors = std::function<factor_operations*(double operations)>;

/// Numbers on their way into factors and back, by pivots.
struct placed_systems {
    bool by_transpose;  ///< A^T x = b
    int words;          ///< of an unknown
    index_t systems;    ///< systems_at_once at most
    /// Word w of unknown k of system s of n unknowns is at (s words + w) n + k.
    std::function<void(double*numbers)> put, take;
};

/// Factors in one precision that stay where they were made.  Copies share nothing; calls from
/// several threads take turns.
template <class F>
class placed_factors {
public:
    virtual ~placed_factors() = default;
    /// What solve_through() does between its permutations, with the same bits.  Throws
    /// resource_error.  Cost: two passes over the factors.
    virtual void solve(const placed_systems& of) = 0;
};

}  // namespace ddla::factor
