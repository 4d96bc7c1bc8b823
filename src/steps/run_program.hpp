// How solvers that are programs run: start, then bursts of iterations with the ends of cycles
// between them; the host polls the scalars after each burst.
//
// Several systems with one A run in lock-step: part by part for all that still run, so that their
// products with A come together.  Each has the bits, the history and the end that it has alone: its
// steps are the same, in the same order, and systems share no numbers.
//
// A machine offers:  reserve(list), for memory;  run(lists), of one kind;  repeat(lists, times,
// is_idle), which may end early where is_idle() says so, or where its owner ends a product, which
// was_ended() tells then (only if reads_freely);  steps_on(), its backend;
// usual_interval(), the iterations between two polls; and reads_freely: reading scalars costs
// nothing.  Where it does not, systems run on between two looks, and what comes after their end
// changes nothing.
#pragma once

#include "running_solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

namespace ddla::steps {

/// Iterations after which the end of a solve is asked for, however rarely the host looks.
inline constexpr index_t iterations_unasked = 64;

/// Iterations to the next look.  Operators and preconditioners know nothing of the end of a solve:
/// at most an eighth of the iterations makes them work in vain.
inline index_t burst_of(index_t interval, const stopping& rule, index_t done)
{
    return rule.check_every > 0 ? interval : std::clamp<index_t>(done / 8, 1, interval);
}

/// What the owner of solves decides, by the number of a system.
template <class T>
struct decisions {
    /// False ends the solve.
    std::function<bool(std::size_t, const control<T>&)> look;
    /// The bytes of A that a product reads for each of so many systems.
    std::function<double(std::size_t)> share;
    /// Of a renewable solver that has met its tolerance: writes another residual, and returns the
    /// tolerance for that; or nothing.
    std::function<std::optional<double>(vec<T> r, double scale)> renew = {};
};

/// The runs of solvers on one machine.  All memory is there before the first iteration.
template <class Machine>
class lockstep_run {
public:
    using T = typename Machine::scalar_type;
    using solver = running_solver<T, typename Machine::backend_type>;
    using list = typename solver::list;
    using solvers = std::span<const std::unique_ptr<solver>>;
    using systems = std::vector<std::size_t>;

    lockstep_run(Machine& machine, solvers all, std::function<double(std::size_t)> share)
        : on_(machine), solvers_(all), share_(std::move(share)), in_cycle_(all.size()),
          read_(all.size())
    {
        for (const auto& one : all) {
            iteration_.push_back(one->iteration());
            closing_.push_back(one->closing());
            renewed_.push_back(one->renewed());
        }
        for (systems* room : {&running_, &due_, &closed_}) room->reserve(all.size());
        lists_.reserve(all.size());
        if (!all.empty()) on_.reserve(iteration_.front());
    }

    /// Writes the scalars, runs the start of all, and reads.
    void start(const std::vector<control<T>>& initial)
    {
        std::vector<list> start;
        systems all;
        for (std::size_t j = 0; j < solvers_.size(); ++j) {
            solvers_[j]->write_first(on_.steps_on(), initial[j]);
            start.push_back(solvers_[j]->start());
            all.push_back(j);
        }
        run(start, all);
        read(all);
    }
    /// So many iterations of those systems that still run; then their scalars are read.
    void iterate(const systems& which, index_t times)
    {
        if (Machine::reads_freely && solvers_.size() > 1)
            iterate_by_one(which, times);
        else
            iterate_unasked(which, times);
    }
    /// System j goes on from another residual, which is there.
    void go_on(std::size_t j, double tolerance)
    {
        solvers_[j]->write_tolerance(on_.steps_on(), tolerance);
        closed_.assign(1, j);
        run(renewed_, closed_);
        read(closed_);
    }
    /// x of the iterations so far, in solves that end where their scalars say.
    void leave(const systems& which)
    {
        closed_.clear();
        for (const std::size_t j : which) {
            if (!solvers_[j]->has_cycles() || solvers_[j]->control().stopped()) continue;
            solvers_[j]->write_close(on_.steps_on());
            closed_.push_back(j);
        }
        close();
    }
    /// What a product of system j reads of A: its share, the mean of all iterations.
    std::size_t product_bytes(std::size_t j) const
    {
        const auto& [bytes, iterations] = read_[j];
        return static_cast<std::size_t>(
            std::llround(iterations > 0 ? bytes / static_cast<double>(iterations) : share_(1)));
    }

private:
    void read(const systems& which)
    {
        for (const std::size_t j : which) solvers_[j]->read(on_.steps_on());
    }
    void iterate_by_one(const systems& all, index_t times)
    {
        running_ = all;
        for (index_t k = 0; k < times && !running_.empty(); ++k) {
            leave_out_stopped();
            due_ = running_;
            std::erase_if(due_, [&](std::size_t j) { return solvers_[j]->is_idle(); });
            if (!due_.empty()) on_.repeat(those(iteration_, due_), 1, [] { return false; });
            if (was_ended()) return;
            count(due_, 1);
            for (const std::size_t j : running_) ++in_cycle_[j];
            close_full_cycles();
            close_early(running_);
        }
    }
    /// Up to the end of the next cycle of any system, and so on.  The end of a solve is asked for
    /// every 64 iterations.
    void iterate_unasked(const systems& all, index_t times)
    {
        running_ = all;
        index_t unasked = 0;
        for (index_t left = times; left > 0 && !running_.empty();) {
            index_t now = std::min(left, iterations_unasked - unasked);
            for (const std::size_t j : running_)
                now = std::min(now, solvers_[j]->cycle() - in_cycle_[j]);
            repeat(now);
            if (was_ended()) break;
            count(running_, now);
            left -= now;
            for (const std::size_t j : running_) in_cycle_[j] += now;
            close_full_cycles();
            unasked += now;
            if (unasked == iterations_unasked && left > 0) {
                unasked = 0;
                read(running_);
                leave_out_stopped();
            }
        }
        close_early(all);
    }
    /// Whether the owner has ended a product of an iteration; its look ends the solve.
    bool was_ended() const
    {
        if constexpr (Machine::reads_freely)
            return on_.was_ended();
        else
            return false;
    }
    void leave_out_stopped()
    {
        std::erase_if(running_, [&](std::size_t j) { return solvers_[j]->control().stopped(); });
    }
    /// The running ones.
    void repeat(index_t times)
    {
        const auto is_idle = [&] {
            read(running_);
            return std::ranges::all_of(running_,
                                       [&](std::size_t j) { return solvers_[j]->is_idle(); });
        };
        on_.repeat(those(iteration_, running_), times, is_idle);
    }
    void count(const systems& which, index_t times)
    {
        const double bytes = static_cast<double>(times) * share_(which.size());
        for (const std::size_t j : which) {
            read_[j].bytes += bytes;
            read_[j].iterations += times;
        }
    }
    void close_full_cycles()
    {
        closed_.clear();
        for (const std::size_t j : running_)
            if (in_cycle_[j] == solvers_[j]->cycle()) closed_.push_back(j);
        close();
    }
    /// Earlier than counted; the scalars are read.
    void close_early(const systems& which)
    {
        read(which);
        closed_.clear();
        for (const std::size_t j : which)
            if (solvers_[j]->is_closing()) closed_.push_back(j);
        close();
        read(closed_);
    }
    void close()
    {
        run(closing_, closed_);
        for (const std::size_t j : closed_) in_cycle_[j] = 0;
    }
    void run(const std::vector<list>& lists, const systems& which)
    {
        if (!which.empty()) on_.run(those(lists, which));
    }
    std::span<const list* const> those(const std::vector<list>& lists, const systems& which)
    {
        lists_.clear();
        for (const std::size_t j : which) lists_.push_back(&lists[j]);
        return lists_;
    }

    struct reading {
        double bytes = 0;
        index_t iterations = 0;
    };

    Machine& on_;
    solvers solvers_;
    std::function<double(std::size_t)> share_;
    std::vector<list> iteration_, closing_, renewed_;
    std::vector<index_t> in_cycle_;
    std::vector<reading> read_;
    systems running_, due_, closed_;  ///< of the call at hand
    std::vector<const list*> lists_;  ///< that run now
};

/// Runs each solver until it stops, or until the owner's look(j, control) returns false for it.
template <class Machine, class Memory>
std::vector<ending>
run_programs(Machine& machine, Memory& memory, typename lockstep_run<Machine>::solvers solvers,
             const stopping& rule, const std::vector<std::vector<double>*>& histories,
             const decisions<typename Machine::scalar_type>& owner)
{
    using T = typename Machine::scalar_type;
    using clock = std::chrono::steady_clock;
    const index_t interval = interval_of_looks(machine.usual_interval(), rule);
    lockstep_run<Machine> run(machine, solvers, owner.share);
    std::vector<control<T>> initial(solvers.size());
    std::vector<history_reader> residuals;
    std::vector<std::size_t> running;
    for (std::size_t j = 0; j < solvers.size(); ++j) {
        residuals.emplace_back(interval, histories[j]);
        residuals[j].begin(initial[j], memory, rule);
        running.push_back(j);
    }
    const auto collect = [&] {
        for (const std::size_t j : running)
            residuals[j].collect(machine.steps_on(), solvers[j]->control());
    };
    const auto renewed = [&](std::size_t j) {
        if (!owner.renew || !solvers[j]->is_renewable()) return false;
        if (solvers[j]->control().end != end_of_solve::recurrence_met) return false;
        const std::optional<double> tolerance =
            owner.renew(solvers[j]->residual(), solvers[j]->scale_of_residual());
        if (tolerance) run.go_on(j, *tolerance);
        return tolerance.has_value();
    };
    const auto goes_on = [&](std::size_t j) {
        while (solvers[j]->control().stopped())
            if (!renewed(j)) return false;
        return owner.look(j, solvers[j]->control());
    };
    run.start(initial);
    collect();
    std::vector<ending> endings(solvers.size());
    std::vector<std::size_t> on_their_way, over;
    on_their_way.reserve(solvers.size());
    over.reserve(solvers.size());
    const auto started = clock::now();
    while (!running.empty()) {
        on_their_way.clear(), over.clear();
        for (const std::size_t j : running) (goes_on(j) ? on_their_way : over).push_back(j);
        for (const std::size_t j : over) {
            const std::chrono::duration<double> elapsed = clock::now() - started;
            const control<T>& now = solvers[j]->control();
            endings[j] = {now.end,
                          now.culprit,
                          now.iterations,
                          now.relative_residual(),
                          solvers[j]->moved(),
                          run.product_bytes(j),
                          elapsed.count()};
        }
        run.leave(over);
        std::swap(running, on_their_way);
        if (running.empty()) break;
        index_t done = solvers[running.front()]->control().iterations;
        for (const std::size_t j : running) done = std::min(done, solvers[j]->control().iterations);
        run.iterate(running, burst_of(interval, rule, done));
        collect();
    }
    return endings;
}

/// The same of one solver, of any method.
template <class Machine, class Memory, class Solver, class Look>
ending run_program(Machine& machine, Memory& memory, const Solver& solver, const stopping& rule,
                   std::vector<double>* history, const Look& look)
{
    using T = typename Machine::scalar_type;
    using backend = typename Machine::backend_type;
    const std::unique_ptr<running_solver<T, backend>> one =
        std::make_unique<running_as<Solver, T, backend>>(solver);
    return run_programs(machine, memory, {&one, 1}, rule, {history},
                        {[&](std::size_t, const control<T>& now) { return look(now); },
                         [](std::size_t) { return 0.0; }})
        .front();
}

}  // namespace ddla::steps
