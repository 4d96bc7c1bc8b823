// A solver that is a program, with its types forgotten, and its scalars as they were last read.
//
// A solver offers:  shared, start(), iteration(), moved(scalars); if it has_cycles:  cycle(), the
// iterations of one, and closing(), its end, which must run after so many iterations, and does
// nothing that is due already; and if it can go on from another residual:  residual(),
// scale_of_residual(), and renewed(), what follows from a residual that was written there.
#pragma once

#include "program_list.hpp"
#include "solver.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace ddla::steps {

template <class T, class Backend>
class running_solver {
public:
    using list = program_list<T, Backend>;

    virtual ~running_solver() = default;
    virtual list start() const = 0;
    virtual list iteration() const = 0;
    /// Of a cycle; an empty list where there are none.
    virtual list closing() const = 0;
    virtual bool has_cycles() const = 0;
    virtual index_t cycle() const = 0;

    /// Whether it can go on from another residual, which is to be written to ...
    virtual bool is_renewable() const = 0;
    virtual vec<T> residual() const = 0;
    virtual double scale_of_residual() const = 0;
    /// ... and what follows then.
    virtual list renewed() const = 0;

    /// Writes the scalars of a solve that begins.
    virtual void write_first(Backend& backend, const steps::control<T>& control) = 0;
    /// The same of one that goes on to another tolerance, or that ends here, in the middle of a
    /// cycle.
    virtual void write_tolerance(Backend& backend, double tolerance) = 0;
    virtual void write_close(Backend& backend) = 0;
    /// Waits.
    virtual void read(const Backend& backend) = 0;

    // As last read.
    virtual const steps::control<T>& control() const = 0;
    virtual bool is_idle() const = 0;
    virtual bool is_closing() const = 0;
    virtual iteration_traffic moved() const = 0;
};

template <class Solver, class T, class Backend>
class running_as final : public running_solver<T, Backend> {
    using typename running_solver<T, Backend>::list;
    using state = std::remove_reference_t<decltype(*std::declval<Solver>().shared)>;
    static constexpr bool renews = requires(const Solver& s) { s.renewed(); };

public:
    explicit running_as(const Solver& solver) : solver_(solver) {}

    list start() const override { return list(solver_.start()); }
    list iteration() const override { return list(solver_.iteration()); }
    list closing() const override
    {
        if constexpr (Solver::has_cycles)
            return list(solver_.closing());
        else
            return list(program_of());
    }
    bool has_cycles() const override { return Solver::has_cycles; }
    index_t cycle() const override
    {
        if constexpr (Solver::has_cycles)
            return solver_.cycle();
        else
            return INT64_MAX;
    }

    bool is_renewable() const override { return renews; }
    vec<T> residual() const override
    {
        if constexpr (renews)
            return solver_.residual();
        else
            return {};
    }
    double scale_of_residual() const override
    {
        if constexpr (renews)
            return solver_.scale_of_residual();
        else
            return 1;
    }
    list renewed() const override
    {
        if constexpr (renews)
            return list(solver_.renewed());
        else
            return list(program_of());
    }

    void write_first(Backend& backend, const steps::control<T>& control) override
    {
        now_ = {};
        now_.control = control;
        backend.write(solver_.shared, now_);
    }
    void write_tolerance(Backend& backend, double tolerance) override
    {
        now_.control.go_on(tolerance);
        backend.write(solver_.shared, now_);
    }
    void write_close(Backend& backend) override
    {
        if constexpr (Solver::has_cycles) now_.close();
        backend.write(solver_.shared, now_);
    }
    void read(const Backend& backend) override { now_ = backend.read(solver_.shared); }

    const steps::control<T>& control() const override { return now_.control; }
    bool is_idle() const override { return steps::is_idle(now_); }
    bool is_closing() const override
    {
        if constexpr (Solver::has_cycles)
            return now_.closing != 0;
        else
            return false;
    }
    iteration_traffic moved() const override { return solver_.moved(now_); }

private:
    Solver solver_;
    state now_{};
};

}  // namespace ddla::steps
