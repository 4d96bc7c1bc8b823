// How a solver runs: start, then bursts of iterations; the host polls the scalars after each burst.
//
// A stopped step changes nothing that is read later, so the length of bursts cannot change the
// result.
#pragma once

#include "steps/methods/bicgstab.hpp"
#include "steps/methods/cg.hpp"
#include "traffic.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace ddla::steps {

struct stopping {
    double tolerance;  ///< on |r| / |b|
    index_t max_iterations;
    index_t check_every;  ///< iterations between two polls; 0: the backend's choice
};

/// How a solve ended, without its data.
struct ending {
    end_of_solve end = end_of_solve::none;  ///< none: ended by the caller's `look`
    named_scalar culprit = named_scalar::none;
    index_t iterations = 0;
    double relative_residual = 0;
    iteration_traffic traffic = {};
    std::size_t product_bytes = 0;  ///< what each of its products reads of A, or its share in it
    double seconds = 0;             ///< of all iterations, without the start
};

/// Iterations between two polls, at most max_iterations.
inline index_t interval_of_looks(index_t usual, const stopping& rule)
{
    return std::clamp<index_t>(rule.check_every > 0 ? rule.check_every : usual, 1,
                               std::max<index_t>(1, rule.max_iterations));
}

/// The history of a solve: a ring at the place, read after each burst.
class history_reader {
public:
    /// `history`, if not null, receives the relative residual after 0, 1, … iterations.
    history_reader(index_t interval, std::vector<double>* history)
        : size_(interval + 1), history_(history)
    {
    }
    /// What the control of a solve begins with.
    template <class T, class Memory>
    void begin(control<T>& control, Memory& memory, const stopping& rule) const
    {
        control.tolerance = rule.tolerance;
        control.max_iterations = rule.max_iterations;
        control.history_size = size_;
        if (history_) control.history = memory.template objects<double>(size_);
    }
    template <class Backend, class T>
    void collect(Backend& backend, const control<T>& control)
    {
        if (!history_) return;
        const std::vector<double> ring =
            backend.read(control.history, std::min(control.iterations + 1, size_));
        for (; recorded_ <= control.iterations; ++recorded_)
            history_->push_back(ring[static_cast<std::size_t>(recorded_ % size_)]);
    }

private:
    index_t size_, recorded_ = 0;
    std::vector<double>* history_;
};

/// Runs `start` once and `iteration` until it stops, or until look(control) returns false.
template <class Backend, class Memory, class V, class Start, class Iteration, class State,
          class Look>
ending iterate(Backend& backend, Memory& memory, const csr<V>& a, const Start& start,
               const Iteration& iteration, State* shared, const stopping& rule,
               std::vector<double>* history, const Look& look)
{
    const index_t usual = rule.check_every > 0 ? 0 : backend.usual_interval(iteration, a);
    const index_t interval = interval_of_looks(usual, rule);
    history_reader residuals(interval, history);
    State initial{};
    residuals.begin(initial.control, memory, rule);
    backend.write(shared, initial);
    backend.run(start, a);
    State now = backend.read(shared);
    residuals.collect(backend, now.control);
    const auto started = std::chrono::steady_clock::now();
    while (!now.control.stopped() && look(now.control)) {
        backend.run(iteration, a, interval);
        now = backend.read(shared);
        residuals.collect(backend, now.control);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    return {now.control.end,        now.control.culprit,
            now.control.iterations, now.control.relative_residual(),
            traffic_of(iteration),  backend.product_bytes(iteration, a),
            elapsed.count()};
}

/// BiCGStab for A x = b from the guess in x.
/// Memory: `memory` gives 6 vectors, 8 with a preconditioner, and the scalars.
template <class Backend, class Memory, class T, class V, class K, class Look>
ending run_bicgstab(Backend& backend, Memory& memory, const csr<V>& a, vec<const T> b, vec<T> x,
                    K k, const stopping& rule, std::vector<double>* history, const Look& look)
{
    const auto room = [&] { return memory.template room<T>(a.rows); };
    // (t, t) squares A K^-1; with Jacobi, its entries are about one already.
    const double largest_a = !K::is_identity        ? 1
                             : a.largest_value >= 0 ? a.largest_value
                                                    : largest_of(backend, memory, a.value);
    const system_scale scale = scale_for(largest_a, largest_of(backend, memory, b));
    bicgstab::vectors<T> w{b, x, room(), room(), room(), room(), room(), room(), {}, {}};
    w.p_hat = K::is_identity ? w.p : room();
    w.s_hat = K::is_identity ? w.s : room();
    auto* shared = memory.template objects<bicgstab::scalars<T>>(1);
    return iterate(backend, memory, a, bicgstab::starting(shared, w, k, scale),
                   bicgstab::iteration(shared, w, k, scale), shared, rule, history, look);
}

/// CG, likewise.  Memory: 3 vectors and the scalars.
template <class Backend, class Memory, class T, class V, class K, class Look>
ending run_cg(Backend& backend, Memory& memory, const csr<V>& a, vec<const T> b, vec<T> x, K k,
              const stopping& rule, std::vector<double>* history, const Look& look)
{
    const auto room = [&] { return memory.template room<T>(a.rows); };
    // (p, A p) needs no scale for A: unlike (t, t) it is linear in A.
    const system_scale scale = scale_for(1, largest_of(backend, memory, b));
    const cg::vectors<T> w{b, x, room(), room(), room()};
    auto* shared = memory.template objects<cg::scalars<T>>(1);
    return iterate(backend, memory, a, cg::starting(shared, w, k, scale),
                   cg::iteration(shared, w, k, scale), shared, rule, history, look);
}

}  // namespace ddla::steps
