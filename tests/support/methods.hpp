// The methods that iterate, from the list of the library, and what tests need to know of each.
#pragma once

#include "ddla/method.hpp"

#include <vector>

namespace test {

#define DDLA_METHOD(name, text, title) ddla::method::name,
inline constexpr ddla::method krylov_methods[] = {DDLA_FOR_KRYLOV_METHODS(DDLA_METHOD)};
#undef DDLA_METHOD

constexpr bool needs_symmetry(ddla::method m)
{
    return m == ddla::method::cg || m == ddla::method::minres;
}

/// For least squares, so without preconditioners.
constexpr bool takes_any_shape(ddla::method m)
{
    return m == ddla::method::lsmr;
}

/// With tests of their own beside those of all methods: two have schedules, one restarts.
constexpr bool is_tested_alone(ddla::method m)
{
    return m == ddla::method::bicgstab || m == ddla::method::cg || m == ddla::method::fgmres;
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
