// The parts of the host engine, one per precision.
#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace ddla::host_backend {

template <scalar T>
vector_operations<T>& vectors_on_host();

pair_operations& pairs_on_host();

template <scalar T, scalar V>
matrix_operations<T, V>& matrices_on_host();

template <scalar T>
program_operations<T>& programs_on_host();

template <scalar T>
triangle_operations<T>& triangles_on_host();

struct rank_context;
/// Of one rank: the power of two that scales r is that of all ranks.
template <scalar T>
std::unique_ptr<triangle_operations<T>> triangles_of_rank(const rank_context& on);

template <scalar V>
format_operations<V>& formats_on_host();

}  // namespace ddla::host_backend
