// Where factors are made, and kept.
#pragma once

#include "ddla/views.hpp"

#include <functional>
#include <vector>

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
    /// The device's number.
    virtual int device() const = 0;
    /// What solve_through() does between its permutations, with the same bits.  Throws
    /// resource_error.  Cost: two passes over the factors.
    virtual void solve(const placed_systems& of) = 0;
};

/// Elements of b and of x by pivots, and exponents of the powers of two that scale them; on the
/// host.
struct placed_order {
    const std::vector<column_t>&in, &out;
    const std::vector<int>&scale_in, &scale_out;
};

/// x of A x = b, both at the device of the factors, again and again; enqueued.  The bits are those
/// of solves on the host.
template <class T>
class placed_solver {
public:
    virtual ~placed_solver() = default;
    virtual void solve(vec<const T> b, vec<T> x) = 0;
};

}  // namespace ddla::factor
