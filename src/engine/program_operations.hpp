// Solvers as programs, on any backend.
#pragma once

#include "engine.hpp"
#include "steps/methods.hpp"
#include "steps/run_program.hpp"

namespace ddla {

/// `Context` makes a call: `on`, the backend, and `memory`, a workspace at its place.  A
/// Machine<T> runs programs with the maps of a request; finish() waits for what needs the machine.
template <class Context, template <scalar> class Machine, scalar T>
class program_operations_on final : public program_operations<T> {
public:
    explicit program_operations_on(Context context) : context_(context) {}

    solve_result solve(const program_request<T>& request) override
    {
        auto c = context_.call();
        if (request.preconditioner) return solve_with(c, request, steps::applied<T>{});
        if (request.inverse_diagonal.size > 0)
            return solve_with(c, request, steps::jacobi<T>{request.inverse_diagonal});
        if (!request.invert_diagonal) return solve_with(c, request, steps::identity<T>{});
        const vec<T> d = c.memory.template room<T>(request.b.size);
        request.invert_diagonal(d);
        return solve_with(c, request, steps::jacobi<T>{d});
    }

private:
    template <class Call, class K>
    solve_result solve_with(Call& c, const program_request<T>& q, K k)
    {
        const steps::system_scale scale =
            steps::scale_for(q.largest_a, steps::largest_of(c.on, c.memory, q.b));
        const steps::problem<T> of{q.b, q.x, scale,   q.restart, q.rule.max_iterations,
                                   q.l, q.s, q.norm_a};
        switch (q.method) {
#define DDLA_CASE(name, text, title)                                                               \
    case method::name:                                                                             \
        return run<steps::name::solver<T, K>>(c, q, of, k);
            DDLA_FOR_KRYLOV_METHODS(DDLA_CASE)
#undef DDLA_CASE
        case method::automatic:
        case method::refinement:
            break;
        }
        throw internal_error("solve: no such method");
    }
    template <class Solver, class Call, class K>
    solve_result run(Call& c, const program_request<T>& q, const steps::problem<T>& of, K k)
    {
        const Solver solver(c.memory, of, k);
        Machine<T> machine(context_, c, q);
        const auto look = [&](const steps::control<T>& at) {
            return !q.look || q.look(at.iterations, at.relative_residual());
        };
        const steps::ending e =
            steps::run_program(machine, c.memory, solver, q.rule, q.history, look);
        machine.finish();
        return {e, c.memory.bytes() + c.on.scratch_bytes() + machine.bytes()};
    }

    Context context_;
};

}  // namespace ddla
