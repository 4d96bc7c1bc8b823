// How a solver that is a program runs: start, then bursts of iterations with the ends of cycles
// between them; the host polls the scalars after each burst.
//
// A solver offers:  shared, start(), iteration(), moved(scalars); and if it has_cycles:  cycle(),
// the iterations of one, and closing(), its end, which must run after so many iterations, and does
// nothing that is due already.
#pragma once

#include "program.hpp"
#include "solver.hpp"

#include <optional>

namespace ddla::steps {

/// Iterations after which the end of a solve is asked for, however rarely the host looks.
inline constexpr index_t iterations_unasked = 64;

/// Iterations to the next look.  Operators and preconditioners know nothing of the end of a solve:
/// at most an eighth of the iterations makes them work in vain.
inline index_t burst_of(index_t interval, const stopping& rule, index_t done)
{
    return rule.check_every > 0 ? interval : std::clamp<index_t>(done / 8, 1, interval);
}

/// Whether a solver can go on from another residual: it offers  residual(), scale_of_residual(),
/// and renewed(), what follows from a residual that was written there.
template <class Solver>
inline constexpr bool is_renewable = requires(const Solver& s)
{
    s.renewed();
};

struct no_renewal {
    template <class Solver>
    std::optional<double> operator()(const Solver&) const
    {
        return {};
    }
};

/// The run of one solver on one machine.
template <class Machine, class Solver>
class program_run {
public:
    using state = std::remove_reference_t<decltype(*std::declval<Solver>().shared)>;

    program_run(Machine& on, const Solver& solver)
        : on_(on), solver_(solver), iteration_(solver.iteration())
    {
    }

    /// Writes the scalars and runs the start.
    state start(const state& initial)
    {
        on_.reserve(iteration_);
        on_.write(solver_.shared, initial);
        on_.run(solver_.start());
        return on_.read(solver_.shared);
    }
    /// So many iterations, fewer if the solve ends: asked every 64 iterations.
    state iterate(index_t times)
    {
        index_t unasked = 0;
        for (index_t left = times; left > 0;) {
            index_t now = std::min(left, iterations_unasked - unasked);
            if constexpr (Solver::has_cycles) now = std::min(now, solver_.cycle() - in_cycle_);
            on_.repeat(iteration_, solver_.shared, now);
            left -= now;
            in_cycle_ += now;
            if constexpr (Solver::has_cycles)
                if (in_cycle_ == solver_.cycle()) close();
            unasked += now;
            if (unasked == iterations_unasked && left > 0) {
                unasked = 0;
                if (on_.read(solver_.shared).at.stopped()) break;
            }
        }
        state q = on_.read(solver_.shared);
        if constexpr (Solver::has_cycles)
            if (q.closing) {  // earlier than counted
                close();
                q = on_.read(solver_.shared);
            }
        return q;
    }
    /// Goes on from another residual, which is there.
    state go_on(state q, double tolerance)
    {
        q.at.go_on(tolerance);
        on_.write(solver_.shared, q);
        on_.run(solver_.renewed());
        return on_.read(solver_.shared);
    }
    /// x of the iterations so far, in a solve that ends where q says.
    void leave(state q)
    {
        if constexpr (Solver::has_cycles) {
            if (q.at.stopped()) return;
            q.close();
            on_.write(solver_.shared, q);
            close();
            on_.read(solver_.shared);
        }
    }

private:
    void close()
    {
        on_.run(solver_.closing());
        in_cycle_ = 0;
    }

    Machine& on_;
    const Solver& solver_;
    const decltype(std::declval<const Solver&>().iteration()) iteration_;
    index_t in_cycle_ = 0;
};

/// Runs a solver until it stops, or until look(control) returns false.  Where it has met its
/// tolerance, renew(solver) may give it another residual, and returns the tolerance for that.
template <class Machine, class Memory, class Solver, class Look, class Renew = no_renewal>
ending run_program(Machine& on, Memory& memory, const Solver& solver, const stopping& rule,
                   std::vector<double>* history, const Look& look, const Renew& renew = {})
{
    const index_t interval = interval_of_looks(on.usual_interval(), rule);
    history_reader residuals(interval, history);
    program_run run(on, solver);
    typename decltype(run)::state initial{};
    residuals.begin(initial.at, memory, rule);
    auto now = run.start(initial);
    residuals.collect(on, now.at);
    const auto started = std::chrono::steady_clock::now();
    const auto until_it_stops = [&] {
        while (!now.at.stopped() && look(now.at)) {
            now = run.iterate(burst_of(interval, rule, now.at.iterations));
            residuals.collect(on, now.at);
        }
    };
    until_it_stops();
    if constexpr (is_renewable<Solver>)
        while (now.at.end == end_of_solve::recurrence_met) {
            const std::optional<double> tolerance = renew(solver);
            if (!tolerance) break;
            now = run.go_on(now, *tolerance);
            until_it_stops();
        }
    run.leave(now);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    return {now.at.end,        now.at.culprit,
            now.at.iterations, now.at.relative_residual(),
            solver.moved(now), 0,
            elapsed.count()};
}

}  // namespace ddla::steps
