// The methods that iterate, from the list of the library, and what tests need to know of each.
#pragma once

#include "ddla/solve_options.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test {

#define DDLA_METHOD(name, ...) ddla::method::name,
inline constexpr ddla::method krylov_methods[] = {DDLA_FOR_KRYLOV_METHODS(DDLA_METHOD)};
#undef DDLA_METHOD

using ddla::needs_symmetry;
using ddla::takes_any_shape;

/// With tests of their own beside those of all methods: two have schedules, one restarts.
constexpr bool is_tested_alone(ddla::method m)
{
    return m == ddla::method::bicgstab || m == ddla::method::cg || m == ddla::method::fgmres;
}

/// Beside A, b and x, as docs/methods.md counts them: without a preconditioner, or with Jacobi.
inline std::int64_t working_vectors(const ddla::solve_options& o)
{
    const bool jacobi = o.precond == ddla::preconditioning::jacobi;
    const std::int64_t m = std::min<std::int64_t>(o.restart, o.max_iterations);
    switch (o.method) {
    case ddla::method::bicgstab:
        return jacobi ? 9 : 6;
    case ddla::method::cg:
        return jacobi ? 4 : 3;
    case ddla::method::fgmres:
        return jacobi ? 2 * m + 3 : m + 2;
    case ddla::method::bicgstabl:
        return 2 * o.l + (jacobi ? 6 : 4);
    case ddla::method::minres:
        return jacobi ? 9 : 6;
    case ddla::method::idr:
        return 3 * o.s + (jacobi ? 5 : 3);
    case ddla::method::lsmr:
        return 6;
    case ddla::method::automatic:
    case ddla::method::refinement:
        break;
    }
    return 0;
}

template <class Holds>
std::vector<ddla::method> methods_where(const Holds& holds)
{
    std::vector<ddla::method> some;
    for (const ddla::method m : krylov_methods)
        if (holds(m)) some.push_back(m);
    return some;
}

inline std::vector<ddla::method> square_methods()
{
    return methods_where([](ddla::method m) { return !takes_any_shape(m); });
}

inline std::vector<ddla::method> methods_tested_together()
{
    return methods_where([](ddla::method m) { return !is_tested_alone(m); });
}

}  // namespace test
