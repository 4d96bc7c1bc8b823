// The sparse operations and solvers of the host engine.
#pragma once

#include "context.hpp"
#include "engine/matrix_operations.hpp"
#include "operations.hpp"

namespace ddla::host_backend {

template <class T, class V>
void multiply(backend& on, const csr<V>& a, vec<const T> x, vec<T> y)
{
    on.run(steps::spmv<T>{{}, x, y, T(1), T(0), true}, a);
}

template <scalar T, scalar V>
matrix_operations<T, V>& matrices_on_host()
{
    static matrix_operations_on<context, T, V> only{{}};
    return only;
}

}  // namespace ddla::host_backend
