// The sparse operations and solvers of the host engine.
#pragma once

#include "context.hpp"
#include "engine/matrix_operations.hpp"
#include "operations.hpp"

namespace ddla::host_backend {

template <scalar T, scalar V>
matrix_operations<T, V>& matrices_on_host()
{
    static matrix_operations_on<context, T, V> only{{}};
    return only;
}

}  // namespace ddla::host_backend
