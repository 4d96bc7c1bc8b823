// How several systems with one A are solved in lock-step: part by part for all that still run, so
// that their products with A come together.  Each has the bits, the history and the end that it has
// alone: its steps are the same, in the same order, and systems share no numbers.
//
// The machine is one where reading scalars is free, and also offers  run(programs), for programs of
// one kind.
#pragma once

#include "run_program.hpp"

#include <span>

namespace ddla::steps {

template <class Machine, class Solver>
class lockstep_run {
public:
    using state = typename program_run<Machine, Solver>::state;

    lockstep_run(Machine& on, const std::vector<Solver>& solvers)
        : on_(on), in_cycle_(solvers.size())
    {
        for (const Solver& s : solvers) solvers_.push_back(&s), iteration_.push_back(s.iteration());
        if (!solvers.empty()) on_.reserve(iteration_.front());
    }

    /// Writes the scalars and runs the start, of all.
    void start(const std::vector<state>& initial)
    {
        std::vector<std::size_t> all;
        for (std::size_t j = 0; j < solvers_.size(); ++j) {
            on_.write(solvers_[j]->shared, initial[j]);
            all.push_back(j);
        }
        run_all(all, [&](std::size_t j) { return solvers_[j]->start(); });
    }
    state scalars(std::size_t j) const { return on_.read(solvers_[j]->shared); }
    /// An iteration of those systems that still run.
    void iterate(std::vector<std::size_t> which)
    {
        std::erase_if(which, [&](std::size_t j) { return scalars(j).at.stopped(); });
        std::vector<const program*> due;
        for (const std::size_t j : which)
            if (!is_idle(scalars(j))) due.push_back(&iteration_[j]);
        on_.run(due);
        if constexpr (Solver::has_cycles) {
            for (const std::size_t j : which) ++in_cycle_[j];
            close_if(which, [&](std::size_t j) { return in_cycle_[j] == solvers_[j]->cycle(); });
            // Earlier than counted.
            close_if(which, [&](std::size_t j) { return scalars(j).closing; });
        }
    }
    /// x of the iterations so far, in solves that end where their scalars say.
    void leave(const std::vector<std::size_t>& which)
    {
        if constexpr (Solver::has_cycles) {
            std::vector<std::size_t> open;
            for (const std::size_t j : which) {
                state q = scalars(j);
                if (q.at.stopped()) continue;
                q.close();
                on_.write(solvers_[j]->shared, q);
                open.push_back(j);
            }
            close(open);
        }
    }

private:
    using program = decltype(std::declval<const Solver&>().iteration());

    template <class If>
    void close_if(const std::vector<std::size_t>& which, const If& due)
    {
        std::vector<std::size_t> closing;
        for (const std::size_t j : which)
            if (due(j)) closing.push_back(j);
        close(closing);
    }
    void close(const std::vector<std::size_t>& which)
    {
        run_all(which, [&](std::size_t j) { return solvers_[j]->closing(); });
        for (const std::size_t j : which) in_cycle_[j] = 0;
    }
    template <class Make>
    void run_all(const std::vector<std::size_t>& which, const Make& make)
    {
        std::vector<decltype(make(0))> programs;
        for (const std::size_t j : which) programs.push_back(make(j));
        std::vector<const decltype(make(0))*> all;
        for (const auto& one : programs) all.push_back(&one);
        on_.run(all);
    }

    Machine& on_;
    std::vector<const Solver*> solvers_;
    std::vector<program> iteration_;
    std::vector<index_t> in_cycle_;
};

/// Runs each solver until it stops, or until look(j, control) returns false for it.
template <class Machine, class Memory, class Solver, class Look>
std::vector<ending>
run_programs(Machine& on, Memory& memory, const std::vector<Solver>& solvers, const stopping& rule,
             const std::vector<std::vector<double>*>& histories, const Look& look)
{
    using clock = std::chrono::steady_clock;
    const index_t interval = interval_of_looks(on.usual_interval(), rule);
    lockstep_run run(on, solvers);
    std::vector<typename decltype(run)::state> initial(solvers.size());
    std::vector<history_reader> residuals;
    for (std::size_t j = 0; j < solvers.size(); ++j) {
        residuals.emplace_back(interval, histories[j]);
        residuals[j].begin(initial[j].at, memory, rule);
    }
    run.start(initial);
    std::vector<std::size_t> running;
    for (std::size_t j = 0; j < solvers.size(); ++j) {
        residuals[j].collect(on, run.scalars(j).at);
        running.push_back(j);
    }
    std::vector<ending> endings(solvers.size());
    const auto started = clock::now();
    while (!running.empty()) {
        std::vector<std::size_t> on_their_way, over;
        for (const std::size_t j : running) {
            const auto now = run.scalars(j).at;
            (!now.stopped() && look(j, now) ? on_their_way : over).push_back(j);
        }
        for (const std::size_t j : over) {
            const std::chrono::duration<double> elapsed = clock::now() - started;
            const auto q = run.scalars(j);
            endings[j] = {q.at.end,
                          q.at.culprit,
                          q.at.iterations,
                          q.at.relative_residual(),
                          solvers[j].moved(q),
                          0,
                          elapsed.count()};
        }
        run.leave(over);
        running = on_their_way;
        for (index_t k = 0; k < interval && !running.empty(); ++k) run.iterate(running);
        for (const std::size_t j : running) residuals[j].collect(on, run.scalars(j).at);
    }
    return endings;
}

}  // namespace ddla::steps
