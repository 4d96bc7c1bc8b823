// The preconditioner of a solve as Python gives it: an object, or None.
#pragma once

#include "factors.hpp"

namespace ddla::python {

template <scalar T>
preconditioner<T> preconditioner_of(const nb::object& k)
{
    if (k.is_none()) return {};
    const auto& given = nb::cast<const placed_preconditioner&>(k);
    if (const auto* const map = std::get_if<preconditioner<T>>(&given.map)) return *map;
    throw nb::type_error("M is not in the precision of the solve");
}
template <scalar T>
std::string name_of(const preconditioner<T>& k, const solve_options& o)
{
    return k.is_none() ? std::string(to_string(o.precond)) : k.name();
}

}  // namespace ddla::python
