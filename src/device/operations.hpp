// The parts of a device engine, one per precision.
#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace ddla::device_backend {

template <scalar T>
std::unique_ptr<vector_operations<T>> vectors_on_device(int index);

template <scalar T, scalar V>
std::unique_ptr<matrix_operations<T, V>> matrices_on_device(int index);

}  // namespace ddla::device_backend
