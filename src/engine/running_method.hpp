// The solver of one method, ready to run on one backend.  Each method is compiled in a unit of its
// own (method_unit.hpp), so that they compile side by side.
#pragma once

#include "ddla/method.hpp"
#include "steps/running_solver.hpp"
#include "steps/solver_step.hpp"
#include "workspace.hpp"

#include <memory>

namespace ddla {

template <method M, class Backend, scalar T, class K>
std::unique_ptr<steps::running_solver<T, Backend>>
running_method(workspace& memory, const steps::problem<T>& p, const K& k);

}  // namespace ddla
