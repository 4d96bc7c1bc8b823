// Products of a matrix with several vectors, on any backend.
#pragma once

#include "matrix_operations.hpp"

namespace ddla {

template <class Context, scalar T, scalar V>
void several_products<Context, T, V>::run(backend_of<Context>& on, const csr<V>& a,
                                          std::span<const steps::spmv<T>> all)
{
    on.run(all, a);
}

}  // namespace ddla
