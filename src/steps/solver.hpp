// How a solver runs: start, then iterations in bursts, looking at the scalars between bursts.
//
// A stopped step changes nothing that anybody reads, so how long the bursts are cannot show in the
// result.
#pragma once

#include "bicgstab.hpp"
#include "cg.hpp"
#include "traffic.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace ddla::steps {

struct stopping {
    double tolerance;  ///< on |r| / |b|
    index_t max_iterations;
    index_t check_every;
};

/// How a solve ended, without its data.
struct ending {
    end_of_solve end = end_of_solve::none;  ///< none: stopped by the caller's look
    named_scalar culprit = named_scalar::none;
    index_t iterations = 0;
    double relative_residual = 0;
    iteration_traffic traffic = {};  ///< of one iteration
    double seconds = 0;              ///< of all iterations, without the start
};

/// Run `start` once and `iteration` until it stops, or until look(control) says no.  `history`,
/// if not null, receives the relative residual after 0, 1, … iterations.
template <class Backend, class V, class Start, class Iteration, class State, class Look>
ending iterate(Backend& on, const csr<V>& a, const Start& start, const Iteration& iteration,
               State* shared, const State& initial, index_t check_every,
               std::vector<double>* history, const Look& look)
{
    index_t recorded = 0;
    const auto collect = [&](const auto& at) {
        if (!history) return;
        const std::vector<double> ring =
            on.read(at.history, std::min(at.iterations + 1, at.history_size));
        for (; recorded <= at.iterations; ++recorded)
            history->push_back(ring[static_cast<std::size_t>(recorded % at.history_size)]);
    };
    on.write(shared, initial);
    on.run(start, a);
    State now = on.read(shared);
    collect(now.at);
    const auto started = std::chrono::steady_clock::now();
    while (!now.at.stopped() && look(now.at)) {
        on.run(iteration, a, check_every);
        now = on.read(shared);
        collect(now.at);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    return {now.at.end,
            now.at.culprit,
            now.at.iterations,
            now.at.relative_residual(),
            traffic_of(iteration),
            elapsed.count()};
}

template <class T>
control<T> fresh_control(const stopping& rule, double* history, index_t history_size)
{
    control<T> at{};
    at.tolerance = rule.tolerance;
    at.max_iterations = rule.max_iterations;
    at.history = history;
    at.history_size = history_size;
    return at;
}

/// BiCGStab for A x = b from the guess in x.
/// Memory: `memory` gives 6 vectors, 8 with a preconditioner, and the scalars.
template <class Backend, class Memory, class T, class V, class K, class Look>
ending run_bicgstab(Backend& on, Memory& memory, const csr<V>& a, vec<const T> b, vec<T> x, K k,
                    const stopping& rule, std::vector<double>* history, const Look& look)
{
    const auto room = [&] { return memory.template room<T>(a.rows); };
    // A K^-1 is what (t, t) squares; Jacobi has it near one already.
    const double largest_a = K::is_identity ? largest_of(on, memory, a.value) : 1;
    const system_scale scale = scale_for(largest_a, largest_of(on, memory, b));
    bicgstab::vectors<T> w{b, x, room(), room(), room(), room(), room(), room(), {}, {}};
    w.p_hat = K::is_identity ? w.p : room();
    w.s_hat = K::is_identity ? w.s : room();
    auto* shared = memory.template objects<bicgstab::scalars<T>>(1);
    const index_t ring = rule.check_every + 1;
    bicgstab::scalars<T> initial{};
    initial.at =
        fresh_control<T>(rule, history ? memory.template objects<double>(ring) : nullptr, ring);
    return iterate(on, a, bicgstab::starting(shared, w, k, scale),
                   bicgstab::iteration(shared, w, k, scale), shared, initial, rule.check_every,
                   history, look);
}

/// CG, likewise.  Memory: 3 vectors and the scalars.
template <class Backend, class Memory, class T, class V, class K, class Look>
ending run_cg(Backend& on, Memory& memory, const csr<V>& a, vec<const T> b, vec<T> x, K k,
              const stopping& rule, std::vector<double>* history, const Look& look)
{
    const auto room = [&] { return memory.template room<T>(a.rows); };
    // (p, A p) takes any A: unlike (t, t) it holds its entries but once.
    const system_scale scale = scale_for(1, largest_of(on, memory, b));
    const cg::vectors<T> w{b, x, room(), room(), room()};
    auto* shared = memory.template objects<cg::scalars<T>>(1);
    const index_t ring = rule.check_every + 1;
    cg::scalars<T> initial{};
    initial.at =
        fresh_control<T>(rule, history ? memory.template objects<double>(ring) : nullptr, ring);
    return iterate(on, a, cg::starting(shared, w, k, scale), cg::iteration(shared, w, k, scale),
                   shared, initial, rule.check_every, history, look);
}

}  // namespace ddla::steps
