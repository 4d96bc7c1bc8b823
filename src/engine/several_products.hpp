// Products of a matrix with several vectors, on any backend.
#pragma once

#include "matrix_operations.hpp"

namespace ddla {

template <class Context, scalar T, scalar V>
std::span<const steps::spmv<T>>
several_products<Context, T, V>::run(backend_of<Context>& backend, const csr<V>& a,
                                     std::span<const steps::spmv<T>> all)
{
    return backend.run_together(all, a);
}

}  // namespace ddla
