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

/// Beside A, b and x, as the list has them: without a preconditioner, with Jacobi, or with another.
inline std::int64_t working_vectors(const ddla::solve_options& o, bool has_object = false)
{
    // What is no method of its own counts what it holds by itself.
    if (o.method == ddla::method::automatic || o.method == ddla::method::refinement) return 0;
    const auto cost = ddla::detail::cost_of(
        o.method, {.cycle = static_cast<double>(std::min(o.restart, o.max_iterations)),
                   .l = static_cast<double>(o.l),
                   .s = static_cast<double>(o.s)});
    const bool jacobi = o.precond == ddla::preconditioning::jacobi;
    return static_cast<std::int64_t>(has_object ? cost.memory_with_k
                                     : jacobi   ? cost.memory_with_jacobi
                                                : cost.memory);
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
