// Solvers as programs, on any backend.
#pragma once

#include "engine.hpp"
#include "running_method.hpp"
#include "steps/run_program.hpp"
#include "steps/scaling.hpp"

namespace ddla {

/// `Context` makes a call: `on`, the backend, and `memory`, a workspace at its place.  A
/// Machine<T> runs programs with the maps of a request; finish() waits for what needs the machine.
template <class Context, template <scalar> class Machine, scalar T>
class program_operations_on final : public program_operations<T> {
public:
    explicit program_operations_on(Context context) : context_(context) {}

    solve_result solve(const program_request<T>& request) override
    {
        return solve_all({&request, 1}).front();
    }
    std::size_t most_in_lockstep() const override { return Machine<T>::most_in_lockstep; }
    std::vector<solve_result> solve(std::span<const program_request<T>> all) override
    {
        if (all.size() > most_in_lockstep())
            throw internal_error("solve: too many systems in lock-step");
        return all.empty() ? std::vector<solve_result>() : solve_all(all);
    }

private:
    using requests = std::span<const program_request<T>>;
    using backend = typename Machine<T>::backend_type;
    using running = steps::running_solver<T, backend>;

    std::vector<solve_result> solve_all(requests all)
    {
        auto c = context_.call();
        const program_request<T>& first = all.front();
        if (first.preconditioner) return solve_with(c, all, steps::applied<T>{});
        if (first.inverse_diagonal)
            return solve_with(c, all, steps::jacobi<T>{*first.inverse_diagonal});
        if (!first.invert_diagonal) return solve_with(c, all, steps::identity<T>{});
        const vec<T> d = c.memory.template room<T>(first.b.size);
        first.invert_diagonal(d);
        return solve_with(c, all, steps::jacobi<T>{d});
    }
    template <class Call, class K>
    std::vector<solve_result> solve_with(Call& c, requests all, K k)
    {
        std::vector<std::unique_ptr<running>> solvers;
        for (const program_request<T>& q : all) solvers.push_back(solver_of(c, q, k));
        return run(c, all, solvers);
    }
    template <class Call, class K>
    std::unique_ptr<running> solver_of(Call& c, const program_request<T>& q, K k) const
    {
        const steps::system_scale scale =
            steps::scale_for(q.largest_a, steps::largest_of(c.backend, c.memory, q.b));
        const steps::problem<T> p{q.b,
                                  q.x,
                                  scale,
                                  q.restart,
                                  q.rule.max_iterations,
                                  q.l,
                                  q.s,
                                  q.norm_a,
                                  context_.first_element(q.b.size),
                                  context_.all_elements()};
        switch (q.method) {
#define DDLA_CASE(name, ...)                                                                       \
    case method::name:                                                                             \
        return running_method<method::name, backend>(c.memory, p, k);
            DDLA_FOR_KRYLOV_METHODS(DDLA_CASE)
#undef DDLA_CASE
        case method::automatic:
        case method::refinement:
            break;
        }
        throw internal_error("solve: no such method");
    }
    template <class Call>
    std::vector<solve_result> run(Call& c, requests all,
                                  const std::vector<std::unique_ptr<running>>& solvers)
    {
        const program_request<T>& first = all.front();
        Machine<T> machine(context_, c, first);
        std::vector<std::vector<double>*> histories;
        for (const program_request<T>& q : all) histories.push_back(q.history);
        steps::decisions<T> owner{
            [&](std::size_t j, const steps::control<T>& now) {
                return !all[j].look || all[j].look(now.iterations, now.relative_residual());
            },
            [&](std::size_t systems) {
                return first.share_of_product ? first.share_of_product(systems) : 0.0;
            }};
        if (all.size() == 1) owner.renew = first.renew;
        const std::vector<steps::ending> endings =
            steps::run_programs(machine, c.memory, solvers, first.rule, histories, owner);
        machine.finish();
        const std::size_t bytes = c.memory.bytes() + c.backend.scratch_bytes() + machine.bytes();
        std::vector<solve_result> results;
        for (const steps::ending& e : endings) results.push_back({e, bytes});
        return results;
    }

    Context context_;
};

}  // namespace ddla
