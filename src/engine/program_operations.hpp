// Solvers as programs, on any backend.
#pragma once

#include "engine.hpp"
#include "steps/methods.hpp"
#include "steps/run_programs.hpp"

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

    std::vector<solve_result> solve_all(requests all)
    {
        auto c = context_.call();
        const program_request<T>& first = all.front();
        if (first.preconditioner) return solve_with(c, all, steps::applied<T>{});
        if (first.inverse_diagonal.size > 0)
            return solve_with(c, all, steps::jacobi<T>{first.inverse_diagonal});
        if (!first.invert_diagonal) return solve_with(c, all, steps::identity<T>{});
        const vec<T> d = c.memory.template room<T>(first.b.size);
        first.invert_diagonal(d);
        return solve_with(c, all, steps::jacobi<T>{d});
    }
    template <class Call, class K>
    std::vector<solve_result> solve_with(Call& c, requests all, K k)
    {
        switch (all.front().method) {
#define DDLA_CASE(name, text, title)                                                               \
    case method::name:                                                                             \
        return run<steps::name::solver<T, K>>(c, all, k);
            DDLA_FOR_KRYLOV_METHODS(DDLA_CASE)
#undef DDLA_CASE
        case method::automatic:
        case method::refinement:
            break;
        }
        throw internal_error("solve: no such method");
    }
    template <class Solver, class Call, class K>
    static Solver solver_of(Call& c, const program_request<T>& q, K k)
    {
        const steps::system_scale scale =
            steps::scale_for(q.largest_a, steps::largest_of(c.on, c.memory, q.b));
        return Solver(c.memory,
                      steps::problem<T>{q.b, q.x, scale, q.restart, q.rule.max_iterations, q.l, q.s,
                                        q.norm_a},
                      k);
    }
    template <class Solver, class Call, class K>
    std::vector<solve_result> run(Call& c, requests all, K k)
    {
        std::vector<Solver> solvers;
        for (const program_request<T>& q : all) solvers.push_back(solver_of<Solver>(c, q, k));
        Machine<T> machine(context_, c, all.front());
        const auto look = [&](std::size_t j, const steps::control<T>& at) {
            return !all[j].look || all[j].look(at.iterations, at.relative_residual());
        };
        const std::vector<steps::ending> endings = run(machine, c, all, solvers, look);
        machine.finish();
        const std::size_t bytes = c.memory.bytes() + c.on.scratch_bytes() + machine.bytes();
        std::vector<solve_result> results;
        for (const steps::ending& e : endings) results.push_back({e, bytes});
        return results;
    }
    template <class Call, class Solver, class Look>
    static std::vector<steps::ending> run(Machine<T>& machine, Call& c, requests all,
                                          const std::vector<Solver>& solvers, const Look& look)
    {
        const program_request<T>& first = all.front();
        const auto share = [&](std::size_t systems) {
            return first.share_of_product ? first.share_of_product(systems) : 0.0;
        };
        if (all.size() > 1) {
            std::vector<std::vector<double>*> histories;
            for (const program_request<T>& q : all) histories.push_back(q.history);
            return steps::run_programs(machine, c.memory, solvers, first.rule, histories, look,
                                       share);
        }
        const auto renew = [&](const auto& solver) {
            return first.renew ? first.renew(solver.residual(), solver.scale_of_residual())
                               : std::nullopt;
        };
        steps::ending only = steps::run_program(
            machine, c.memory, solvers.front(), first.rule, first.history,
            [&](const steps::control<T>& at) { return look(0, at); }, renew);
        only.product_bytes = static_cast<std::size_t>(share(1));
        return {only};
    }

    Context context_;
};

}  // namespace ddla
