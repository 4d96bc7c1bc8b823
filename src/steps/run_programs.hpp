// How several systems with one A are solved in lock-step: part by part for all that still run, so
// that their products with A come together.  Each has the bits, the history and the end that it has
// alone: its steps are the same, in the same order, and systems share no numbers.
//
// The machine also offers  run(programs), for programs of one kind,  and either reads_freely, that
// is, reading scalars costs nothing, or  repeat(programs, times).  Where it does not read freely,
// systems run on between two looks, and what comes after their end changes nothing.
#pragma once

#include "run_program.hpp"

#include <cmath>
#include <span>
#include <utility>

namespace ddla::steps {

template <class Machine, class Solver, class Share>
class lockstep_run {
public:
    using state = typename program_run<Machine, Solver>::state;

    /// share(m): the bytes of A that a product reads for each of m systems.
    lockstep_run(Machine& on, const std::vector<Solver>& solvers, Share share)
        : on_(on), share_(std::move(share)), in_cycle_(solvers.size()), read_(solvers.size())
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
    /// So many iterations of those systems that still run.
    void iterate(std::vector<std::size_t> which, index_t times)
    {
        if constexpr (Machine::reads_freely)
            for (index_t k = 0; k < times && !which.empty(); ++k) iterate_once(which);
        else
            iterate_unasked(which, times);
    }
    /// What a product of system j reads of A: its share, the mean of all iterations.
    std::size_t product_bytes(std::size_t j) const
    {
        const auto& [bytes, iterations] = read_[j];
        return static_cast<std::size_t>(
            std::llround(iterations > 0 ? bytes / static_cast<double>(iterations) : share_(1)));
    }
    /// x of the iterations so far, in solves that end where their scalars say.
    void leave(const std::vector<std::size_t>& which, const std::vector<state>& now)
    {
        if constexpr (Solver::has_cycles) {
            std::vector<std::size_t> open;
            for (const std::size_t j : which) {
                state q = now[j];
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

    void iterate_once(std::vector<std::size_t>& which)
    {
        std::erase_if(which, [&](std::size_t j) { return scalars(j).at.stopped(); });
        std::vector<std::size_t> due = which;
        std::erase_if(due, [&](std::size_t j) { return is_idle(scalars(j)); });
        on_.run(iterations_of(due));
        count(due, 1);
        if constexpr (Solver::has_cycles) {
            for (const std::size_t j : which) ++in_cycle_[j];
            close_full_cycles(which);
            close_early(which);
        }
    }
    /// Up to the end of the next cycle of any system, and so on.  As in run_program, the end of a
    /// solve is asked for every 64 iterations.
    void iterate_unasked(const std::vector<std::size_t>& all, index_t times)
    {
        std::vector<std::size_t> which = all;
        index_t unasked = 0;
        for (index_t left = times; left > 0 && !which.empty();) {
            index_t now = std::min(left, iterations_unasked - unasked);
            if constexpr (Solver::has_cycles)
                for (const std::size_t j : which)
                    now = std::min(now, solvers_[j]->cycle() - in_cycle_[j]);
            on_.repeat(iterations_of(which), now);
            count(which, now);
            left -= now;
            if constexpr (Solver::has_cycles) {
                for (const std::size_t j : which) in_cycle_[j] += now;
                close_full_cycles(which);
            }
            unasked += now;
            if (unasked == iterations_unasked && left > 0) {
                unasked = 0;
                std::erase_if(which, [&](std::size_t j) { return scalars(j).at.stopped(); });
            }
        }
        if constexpr (Solver::has_cycles) close_early(all);
    }
    std::vector<const program*> iterations_of(const std::vector<std::size_t>& which) const
    {
        std::vector<const program*> all;
        for (const std::size_t j : which) all.push_back(&iteration_[j]);
        return all;
    }
    void count(const std::vector<std::size_t>& which, index_t times)
    {
        const double bytes = static_cast<double>(times) * share_(which.size());
        for (const std::size_t j : which) {
            read_[j].bytes += bytes;
            read_[j].iterations += times;
        }
    }
    void close_full_cycles(const std::vector<std::size_t>& which)
    {
        close_if(which, [&](std::size_t j) { return in_cycle_[j] == solvers_[j]->cycle(); });
    }
    /// Earlier than counted.
    void close_early(const std::vector<std::size_t>& which)
    {
        close_if(which, [&](std::size_t j) { return scalars(j).closing; });
    }
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

    struct reading {
        double bytes = 0;
        index_t iterations = 0;
    };

    Machine& on_;
    Share share_;
    std::vector<const Solver*> solvers_;
    std::vector<program> iteration_;
    std::vector<index_t> in_cycle_;
    std::vector<reading> read_;
};

/// Runs each solver until it stops, or until look(j, control) returns false for it.  share: as
/// above.
template <class Machine, class Memory, class Solver, class Look, class Share>
std::vector<ending> run_programs(Machine& on, Memory& memory, const std::vector<Solver>& solvers,
                                 const stopping& rule,
                                 const std::vector<std::vector<double>*>& histories,
                                 const Look& look, const Share& share)
{
    using clock = std::chrono::steady_clock;
    const index_t interval = interval_of_looks(on.usual_interval(), rule);
    lockstep_run run(on, solvers, share);
    std::vector<typename decltype(run)::state> initial(solvers.size());
    std::vector<history_reader> residuals;
    for (std::size_t j = 0; j < solvers.size(); ++j) {
        residuals.emplace_back(interval, histories[j]);
        residuals[j].begin(initial[j].at, memory, rule);
    }
    run.start(initial);
    std::vector<std::size_t> running;
    for (std::size_t j = 0; j < solvers.size(); ++j) running.push_back(j);
    std::vector<typename decltype(run)::state> now(solvers.size());
    const auto collect = [&] {
        for (const std::size_t j : running) {
            now[j] = run.scalars(j);
            residuals[j].collect(on, now[j].at);
        }
    };
    collect();
    std::vector<ending> endings(solvers.size());
    const auto started = clock::now();
    while (!running.empty()) {
        std::vector<std::size_t> on_their_way, over;
        for (const std::size_t j : running)
            (!now[j].at.stopped() && look(j, now[j].at) ? on_their_way : over).push_back(j);
        for (const std::size_t j : over) {
            const std::chrono::duration<double> elapsed = clock::now() - started;
            const auto& q = now[j];
            endings[j] = {q.at.end,
                          q.at.culprit,
                          q.at.iterations,
                          q.at.relative_residual(),
                          solvers[j].moved(q),
                          run.product_bytes(j),
                          elapsed.count()};
        }
        run.leave(over, now);
        running = on_their_way;
        if (running.empty()) break;
        index_t done = now[running.front()].at.iterations;
        for (const std::size_t j : running) done = std::min(done, now[j].at.iterations);
        run.iterate(running, burst_of(interval, rule, done));
        collect();
    }
    return endings;
}

}  // namespace ddla::steps
