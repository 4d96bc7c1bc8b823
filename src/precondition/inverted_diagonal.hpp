// The inverse of the diagonal of a matrix.
#pragma once

#include "calls/place_of.hpp"

#include "ddla/error.hpp"

#include <memory>
#include <string>

namespace ddla::api {

/// Throws input_error unless there is a diagonal without zeros.
template <scalar T, scalar V>
void require_diagonal(engine& here, const csr<V>& a)
{
    const index_t i = here.matrices<T, V>().first_zero_diagonal(a);
    if (i != steps::first_index::none)
        throw input_error("solve: Jacobi needs a diagonal without zeros, row " +
                          std::to_string(i + 1) + " of A has none");
}

/// Of a matrix at the place of the engine, which may still be at work; throws as require_diagonal.
template <scalar T, scalar V>
std::shared_ptr<vector<T>> inverted_diagonal(engine& here, const csr<V>& a, place where)
{
    require_diagonal<T>(here, a);
    auto d = std::make_shared<vector<T>>(a.rows, where);
    here.matrices<T, V>().invert_diagonal(a, d->view());
    return d;
}

}  // namespace ddla::api
