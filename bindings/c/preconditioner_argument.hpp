// The preconditioner of a solve as C gives it: a handle, or none.
#pragma once

#include "handles.hpp"

namespace ddla::c {

template <scalar T>
preconditioner<T> preconditioner_of(const ddla_preconditioner* k)
{
    return k ? alternative<T, preconditioner>(k->map, "k") : preconditioner<T>();
}
template <scalar T>
std::string name_of(const preconditioner<T>& k, const solve_options& o)
{
    return k.is_none() ? std::string(to_string(o.precond)) : k.name();
}

}  // namespace ddla::c
