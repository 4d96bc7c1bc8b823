// The device backend: a step is one kernel, an iteration a graph of kernels.
#pragma once

#include "gpu.hpp"
#include "graph.hpp"
#include "long_rows.cuh"
#include "schedule.hpp"
#include "sweep.cuh"

#include <algorithm>
#include <cstring>

namespace ddla::device_backend {

class backend {
public:
    /// The device is current as long as this lives.
    explicit backend(queue& in)
        : here_(in.on().index()), in_(in), scratch_(in.borrow()), stream_(in.stream()),
          schedule_(current_schedule())
    {
    }
    ~backend() { in_.give_back(std::move(scratch_)); }
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
                recorded_.replay(in_.stream());
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
                              in_.stream()),
              "cudaMemcpyAsync");
        in_.wait();
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
                              in_.stream()),
              "cudaMemcpyAsync");
        in_.wait();
        return q;
    }
    template <class State>
    void write(State* shared, const std::type_identity_t<State>& q) const
    {
        cudaLaunchConfig_t how{};
        how.gridDim = how.blockDim = 1;
        how.stream = in_.stream();
        check(cudaLaunchKernelEx(&how, store<State>, shared, q), "cudaLaunchKernelEx");
    }
    /// Room for a few scalars, the same for all steps of a call.
    template <class State>
    State* small() const
    {
        static_assert(sizeof(State) <= scratch::small_bytes);
        return static_cast<State*>(scratch_->small.data());
    }
    /// What the backend allocated itself.
    std::size_t scratch_bytes() const { return scratch_->bytes(); }

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
        const auto terms = steps::terms_of(step);
        if constexpr (has_short_row_sums<decltype(terms), V>) {
            using short_rows = short_row_sums<std::remove_const_t<decltype(terms)>,
                                              typename decltype(step.operand)::value_type>;
            if (a.longest_row <= short_rows::longest)
                return launch(step, short_rows(terms, a, step.operand), a.rows);
        }
        row_sums rows(terms, a, step.operand);
        if (a.long_rows.count > 0) rows.long_sums = sums_of_long_rows(rows, a.long_rows);
        launch(step, rows, a.rows);
    }

    /// The sums of rows longer than a tile, each tile by a warp of its own.
    template <class Rows>
    const typename Rows::value* sums_of_long_rows(const Rows& rows, const long_row_list& list)
    {
        using value = typename Rows::value;
        auto& memory = scratch_->of_rows;
        memory.reserve(static_cast<std::size_t>(2 * list.tiles + list.count) * sizeof(value),
                       static_cast<std::size_t>(list.count));
        auto* const part = static_cast<value*>(memory.sums);
        value* const total = part + 2 * list.tiles;
        start(sum_long_rows<Rows>, blocks(list.tiles, warps_per_block), rows, list, part,
              memory.arrived, total);
        return total;
    }

    template <class Step, class Rows>
    void launch(const Step& step, const Rows& rows, index_t n)
    {
        using sum = typename Step::sum;
        const index_t m = tiles(n);
        if constexpr (std::is_void_v<sum>) {
            const int each = tiles_for<Step>(1);
            if (n > 0) start(sweep<Step, Rows>, blocks(m, each), step, rows, n, each);
        } else {
            const ladder<sum> up{static_cast<sum*>(scratch_->of_tiles.sums),
                                 scratch_->of_tiles.arrived};
            if constexpr (requires { Step::only_reads; }) {
                // Four tiles a warp, where there are enough for all multiprocessors.
                const int each =
                    warps_times<Step>(m < 65536 ? warps_per_block : 4 * warps_per_block);
                if (m >= warp_tiles_from(1024))
                    return start(sweep_and_sum_by_warps<Step>, blocks(m, each), step, n, each, up);
            } else if constexpr (has_room_for_turns<Step, Rows>) {
                const int each = warps_times<Step>(warps_per_block);
                if (m >= warp_tiles_from(4096))
                    return start(sweep_and_sum_by_turns<Step, Rows>, blocks(m, each), step, rows, n,
                                 each, up);
            }
            const int each = tiles_for<Step>(1);
            start(sweep_and_sum<Step, Rows>, blocks(m, each), step, rows, n, each, up);
        }
    }

    /// Launch a kernel of sweeps.  Its blocks may take their places while the last ones of the work
    /// before are still busy: see block_after_work_before().
    template <class... Parameters, class... Arguments>
    void start(void (*kernel)(Parameters...), unsigned grid, const Arguments&... arguments)
    {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t how{};
        how.gridDim = grid;
        how.blockDim = block_size;
        how.stream = stream_;
        how.attrs = &early;
        how.numAttrs = in_.on().starts_early() ? 1 : 0;
        check(cudaLaunchKernelEx(&how, kernel, Parameters(arguments)...), "cudaLaunchKernelEx");
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
            scratch_->of_tiles.reserve(static_cast<std::size_t>(sums) * sizeof(typename Step::sum),
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
            ~back_to_work() { b.stream_ = b.in_.stream(); }
        } at_end{*this};
        recorded_.record(std::move(key), stream_, [&] {
            for (index_t k = 0; k < burst; ++k) once();
        });
    }

    static unsigned blocks(index_t m, int each)
    {
        return static_cast<unsigned>(std::max<index_t>(1, (m + each - 1) / each));
    }
    /// Steps that hardly ever do anything get few blocks: to find that out is all their cost.
    template <class Step>
    int tiles_for(int usual) const
    {
        if (schedule_.tiles_per_block > 0) return schedule_.tiles_per_block;
        if constexpr (requires { Step::rare; }) return tile_size;
        return usual;
    }
    index_t warp_tiles_from(index_t usual) const
    {
        return schedule_.warp_tiles_from > 0 ? schedule_.warp_tiles_from : usual;
    }
    /// Tiles a block, for kernels whose warps have tiles of their own.
    template <class Step>
    int warps_times(int usual) const
    {
        return std::max(warps_per_block, tiles_for<Step>(usual));
    }

    current_device here_;
    queue& in_;
    std::unique_ptr<scratch> scratch_;
    cudaStream_t stream_;  ///< where launches go: the device's, or the one that records
    schedule schedule_;
    graph recorded_;
};

}  // namespace ddla::device_backend
