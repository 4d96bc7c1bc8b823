// The memory of a solve, as the documentation of solve() counts it.
#pragma once

#include "methods.hpp"

#include "ddla/solve.hpp"

namespace test {

/// A, b, x and the working vectors, maybe with a preconditioner object that keeps nothing.
template <class T, class V>
std::size_t documented_bytes(const ddla::csr<V>& a, const ddla::solve_options& options,
                             bool has_object = false)
{
    const auto n = static_cast<std::size_t>(a.rows),
               entries = static_cast<std::size_t>(a.nonzeros());
    const std::size_t offset = a.row_begin.is_wide() ? 8 : 4;
    return (n + 1) * offset + entries * (4 + sizeof(V)) +
           static_cast<std::size_t>(2 + working_vectors(options, has_object)) * n * sizeof(T);
}

/// Equal up to two parts in a hundred.
inline bool nearly(std::size_t bytes, std::size_t expected)
{
    return bytes * 100 >= expected * 98 && bytes * 100 <= expected * 102;
}

}  // namespace test
