// The memory of a solve, as the documentation of solve() counts it.
#pragma once

#include "ddla/solve.hpp"

#include <algorithm>

namespace test {

/// A, b, x and the working vectors.
template <class T, class V>
std::size_t documented_bytes(const ddla::csr<V>& a, const ddla::solve_options& options)
{
    const bool jacobi = options.precond == ddla::preconditioning::jacobi;
    const auto m = std::min(options.restart, options.max_iterations);
    const auto working = [&]() -> std::int64_t {
        switch (options.method) {
        case ddla::method::bicgstab:
            return jacobi ? 9 : 6;
        case ddla::method::cg:
            return jacobi ? 4 : 3;
        case ddla::method::fgmres:
            return jacobi ? 2 * m + 3 : m + 2;
        case ddla::method::bicgstabl:
            return 2 * options.l + (jacobi ? 6 : 4);
        case ddla::method::minres:
            return jacobi ? 9 : 6;
        case ddla::method::idr:
            return 3 * options.s + (jacobi ? 5 : 3);
        case ddla::method::lsmr:
            return 6;
        case ddla::method::automatic:
        case ddla::method::refinement:
            break;
        }
        return 0;
    };
    const auto n = static_cast<std::size_t>(a.rows),
               entries = static_cast<std::size_t>(a.nonzeros());
    const std::size_t offset = a.row_begin.is_wide() ? 8 : 4;
    return (n + 1) * offset + entries * (4 + sizeof(V)) +
           static_cast<std::size_t>(2 + working()) * n * sizeof(T);
}

/// Equal up to two parts in a hundred.
inline bool nearly(std::size_t bytes, std::size_t expected)
{
    return bytes * 100 >= expected * 98 && bytes * 100 <= expected * 102;
}

}  // namespace test
