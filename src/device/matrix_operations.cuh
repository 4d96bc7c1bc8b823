// The sparse operations and solvers of a device engine.
#pragma once

#include "context.cuh"
#include "engine/matrix_operations.hpp"
#include "operations.hpp"

namespace ddla::device_backend {

template <scalar T, scalar V>
std::unique_ptr<matrix_operations<T, V>> matrices_on_device(queue& in)
{
    return std::make_unique<matrix_operations_on<context, T, V>>(context{&in});
}

}  // namespace ddla::device_backend
