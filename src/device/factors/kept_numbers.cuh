// What stays at a device of a factorisation.
#pragma once

#include "numbers.cuh"

#include "device/core/queue.hpp"
#include "engine/workspace.hpp"
#include "factor/supernodal/factor_operations.hpp"

#include <algorithm>
#include <memory>

namespace ddla::device_backend {

/// Copied to a device; the memory is there for an empty list, too.
template <class X>
X* uploaded(queue& in, workspace& memory, const X* from, std::size_t count)
{
    X* const to = memory.objects<X>(static_cast<index_t>(std::max<std::size_t>(count, 1)));
    if (count > 0) in.copy_from_host(to, from, count * sizeof(X));
    return to;
}
template <class List>
auto* uploaded(queue& in, workspace& memory, const List& from)
{
    return uploaded(in, memory, from.data(), from.size());
}

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

/// Solves with factors at a device: L U if `u` is there, L D L^T if `d` is, else L L^T.
/// `row_of_pivot`: null, if each row became its own pivot.  Throws out_of_device_memory where there
/// is no room for them.
template <scalar F>
std::shared_ptr<factor::placed_factors<F>>
solves_on_device(queue& in, const factor::supernodes& s,
                 std::shared_ptr<const kept_numbers> numbers,
                 const std::vector<column_t>* row_of_pivot);

/// Of factors that solves_on_device() made at this device, for vectors there.
template <scalar T, scalar F>
std::unique_ptr<factor::placed_solver<T>>
bound_on_device(queue& in, const std::shared_ptr<factor::placed_factors<F>>& of,
                const factor::placed_order& by);

}  // namespace ddla::device_backend
