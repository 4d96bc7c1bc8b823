// What stays at a device of a factorisation.
#pragma once

#include "numbers.cuh"

#include "engine/workspace.hpp"
#include "factor/supernodal/factor_operations.hpp"

#include <memory>

namespace ddla::device_backend {

class queue;

/// Supernodes, and the numbers of factors.
struct kept_numbers {
    explicit kept_numbers(ddla::memory& in) : memory(in) {}

    workspace memory;
    supernode_lists lists{};
    column_t* of_column = nullptr;    ///< the supernode of each column
    index_t* update_begin = nullptr;  ///< of each supernode
    double *l = nullptr, *u = nullptr;
    pivot_values d{};  ///< of L D L^T
};

/// Which rows became pivots; none, if each its own.
struct rows_of_pivots {
    const std::vector<column_t>* row = nullptr;
};

/// Solves with factors at a device: L U if `u` is there, L D L^T if `d` is, else L L^T.  `s` must
/// outlive it.  Throws out_of_device_memory where there is no room for them.
template <scalar F>
std::shared_ptr<factor::placed_factors<F>>
solves_on_device(queue& in, const factor::supernodes& s,
                 std::shared_ptr<const kept_numbers> numbers, const rows_of_pivots& pivots);

}  // namespace ddla::device_backend
