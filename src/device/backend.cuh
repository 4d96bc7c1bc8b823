// The device backend: a step is one kernel, an iteration a graph of kernels.
#pragma once

#include "graph.hpp"
#include "schedule.hpp"
#include "sweep.cuh"

#include <algorithm>
#include <cstring>

namespace ddla::device_backend {

class backend {
public:
    /// The device is current as long as this lives.
    explicit backend(gpu& on)
        : here_(on.index()), gpu_(on), scratch_(on.borrow()), stream_(on.stream()),
          schedule_(current_schedule())
    {
    }
    ~backend() { gpu_.give_back(std::move(scratch_)); }
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;

    /// One sweep over n elements, then step.finish.
    template <class Step>
    void run(const Step& step, index_t n)
    {
        reserve<Step>(n);
        launch(step, no_rows{}, n);
    }

    /// One sweep over the rows of A, then step.finish.
    template <class Step, class V>
    void run(const Step& step, const csr<V>& a)
    {
        reserve<Step>(a.rows);
        launch_rows(step, a);
    }

    /// Iterations, each its steps in order; those after the stop do nothing.
    template <class V, class... Steps>
    void run(const steps::sequence<Steps...>& iteration, const csr<V>& a, index_t times)
    {
        (reserve<Steps>(a.rows), ...);
        const auto once = [&] {
            std::apply([&](const Steps&... step) { (launch_on(step, a), ...); }, iteration.steps);
        };
        const index_t wanted = schedule_.iterations_per_graph > 0 ? schedule_.iterations_per_graph
                                                                  : iterations_per_graph;
        const index_t burst = std::min(times, wanted);
        if (burst > 1) record(iteration, a, burst, once);
        const auto& first = std::get<0>(iteration.steps);
        for (index_t done = 0, seen = 0; done < times;) {
            if (burst > 1 && done + burst <= times) {
                recorded_.replay(gpu_.stream());
                done += burst;
            } else {
                once();
                ++done;
            }
            if (done - seen < patience) continue;
            if (first.stopped(read(first.shared))) return;
            seen = done;
        }
    }

    /// The shared scalars, once all work before it is done.
    template <class State>
    State read(const State* shared) const
    {
        static_assert(std::is_trivially_copyable_v<State>);
        static_assert(sizeof(State) <= scratch::mailbox_bytes);
        check(cudaMemcpyAsync(scratch_->mailbox, shared, sizeof(State), cudaMemcpyDeviceToHost,
                              gpu_.stream()),
              "cudaMemcpyAsync");
        gpu_.wait();
        State q;
        std::memcpy(static_cast<void*>(&q), scratch_->mailbox, sizeof q);
        return q;
    }
    /// `count` of them from `shared` on.
    template <class State>
    std::vector<State> read(const State* shared, index_t count) const
    {
        std::vector<State> q(static_cast<std::size_t>(count));
        check(cudaMemcpyAsync(q.data(), shared, q.size() * sizeof(State), cudaMemcpyDeviceToHost,
                              gpu_.stream()),
              "cudaMemcpyAsync");
        gpu_.wait();
        return q;
    }
    template <class State>
    void write(State* shared, const std::type_identity_t<State>& q) const
    {
        store<<<1, 1, 0, gpu_.stream()>>>(shared, q);
        check_launch("store");
    }

private:
    /// Few enough that recording costs less than a solve, enough that gaps between replays vanish.
    static constexpr index_t iterations_per_graph = 8;
    /// Iterations after which the host asks whether a long burst still does anything.
    static constexpr index_t patience = 64;

    template <class Step, class V>
    void launch_on(const Step& step, const csr<V>& a)
    {
        if constexpr (Step::sweeps == steps::over::rows)
            launch_rows(step, a);
        else
            launch(step, no_rows{}, a.rows);
    }

    template <class Step, class V>
    void launch_rows(const Step& step, const csr<V>& a)
    {
        launch(step, row_sums(steps::terms_of(step), a, step.operand), a.rows);
    }

    template <class Step, class Rows>
    void launch(const Step& step, const Rows& rows, index_t n)
    {
        using sum = typename Step::sum;
        const index_t m = tiles(n);
        if constexpr (std::is_void_v<sum>) {
            if (n == 0) return;
            const int each = tiles_for(1);
            sweep<<<blocks(m, each), block_size, 0, stream_>>>(step, rows, n, each);
        } else {
            const ladder<sum> up{static_cast<sum*>(scratch_->sums), scratch_->arrived};
            if constexpr (std::is_same_v<Rows, no_rows>) {
                if (m >= warp_tiles_from()) {
                    // Blocks of four rounds, where there are enough for all multiprocessors.
                    const int each =
                        std::max(warps_per_block,
                                 tiles_for(m < 65536 ? warps_per_block : 4 * warps_per_block));
                    sweep_and_sum_by_warps<<<blocks(m, each), block_size, 0, stream_>>>(step, n,
                                                                                        each, up);
                    return check_launch("sweep_and_sum_by_warps");
                }
            }
            const int each = tiles_for(1);
            sweep_and_sum<<<blocks(m, each), block_size, 0, stream_>>>(step, rows, n, each, up);
        }
        check_launch("sweep");
    }

    /// Room for the sums of all levels and their counters.
    template <class Step>
    void reserve(index_t n)
    {
        if constexpr (!std::is_void_v<typename Step::sum>) {
            index_t sums = 1, counters = 1;
            for (index_t m = tiles(n); m > 1; m = tiles(m)) {
                sums += m;
                counters += tiles(m);
            }
            gpu_.reserve(*scratch_, static_cast<std::size_t>(sums) * sizeof(typename Step::sum),
                         static_cast<std::size_t>(counters));
        }
    }

    template <class Iteration, class V, class Once>
    void record(const Iteration& iteration, const csr<V>& a, index_t burst, const Once& once)
    {
        // The kernels and all their arguments follow from these.
        static constexpr char kind = 0;
        const struct {
            const void* kind;
            csr<V> a;
            index_t burst;
        } rest{&kind, a, burst};
        std::vector<std::byte> key(sizeof iteration + sizeof rest);
        std::memcpy(key.data(), &iteration, sizeof iteration);
        std::memcpy(key.data() + sizeof iteration, &rest, sizeof rest);
        if (recorded_.holds(key)) return;
        stream_ = scratch_->recorder;
        const struct back_to_work {
            backend& b;
            ~back_to_work() { b.stream_ = b.gpu_.stream(); }
        } at_end{*this};
        recorded_.record(std::move(key), stream_, [&] {
            for (index_t k = 0; k < burst; ++k) once();
        });
    }

    static unsigned blocks(index_t m, int each)
    {
        return static_cast<unsigned>(std::max<index_t>(1, (m + each - 1) / each));
    }
    int tiles_for(int usual) const
    {
        return schedule_.tiles_per_block > 0 ? schedule_.tiles_per_block : usual;
    }
    index_t warp_tiles_from() const
    {
        return schedule_.warp_tiles_from > 0 ? schedule_.warp_tiles_from : 1024;
    }
    current_device here_;
    gpu& gpu_;
    std::unique_ptr<scratch> scratch_;
    cudaStream_t stream_;  ///< where launches go: the device's, or the one that records
    schedule schedule_;
    graph recorded_;
};

}  // namespace ddla::device_backend
