// The parts of a device engine, one per precision.
#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace ddla::factor {
class factor_operations;
}

namespace ddla::device_backend {

class queue;

/// Of an engine of one rank among several, whose vectors are parts of those of all: what completes
/// its sums, and the engine that maps of all ranks are bound to.
struct rank_part {
    shared_sums* sums = nullptr;
    engine* maps = nullptr;
};

template <scalar T>
std::unique_ptr<vector_operations<T>> vectors_on_device(queue& in, rank_part of = {});

std::unique_ptr<pair_operations> pairs_on_device(queue& in);

template <scalar T, scalar V>
std::unique_ptr<matrix_operations<T, V>> matrices_on_device(queue& in);

template <scalar T>
std::unique_ptr<program_operations<T>> programs_on_device(queue& in, rank_part of = {});

template <scalar T>
std::unique_ptr<triangle_operations<T>> triangles_on_device(queue& in, rank_part of = {});

std::shared_ptr<factor::factor_operations> factors_on_device(queue& in);

/// An engine for the work of a queue.
std::unique_ptr<engine> engine_on(queue& in);

template <scalar V>
std::unique_ptr<format_operations<V>> formats_on_device(queue& in);

}  // namespace ddla::device_backend
