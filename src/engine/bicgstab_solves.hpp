// Whole solves by BiCGStab, in a unit of their own.
#pragma once

#include "matrix_solves.hpp"

namespace ddla {

template <class Context, scalar T, scalar V>
solve_result bicgstab_solves<Context, T, V>::solve(const Context& context,
                                                   const matrix_request<T, V>& request)
{
    return solve_by_schedule(context, request,
                             [](auto&&... all) { return steps::run_bicgstab(all...); });
}

}  // namespace ddla
