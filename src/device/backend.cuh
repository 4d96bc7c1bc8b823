// The device backend: a step is one kernel or shares one, an iteration a graph of kernels; where a
// system is small, many iterations are one kernel.
#pragma once

#include "device/core/graph.hpp"
#include "device/core/primitives.hpp"
#include "device/products/tiles.cuh"
#include "device/schedule/basis_sums.cuh"
#include "device/schedule/rank_tiles.cuh"
#include "device/schedule/resident_launcher.cuh"
#include "device/schedule/sequence_launcher.cuh"
#include "steps/blas.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace ddla::device_backend {

class backend {
public:
    /// Sums are over the elements of this backend, or over those of all ranks: `shared` completes
    /// them.
    explicit backend(queue& in, shared_sums* shared = nullptr)
        : in_(in), shared_(shared), launch_(in, schedule_.early_launch >= 0)
    {
    }
    backend(const backend&) = delete;  // its parts know each other by address
    backend& operator=(const backend&) = delete;

    /// One sweep over n elements, then step.finish.
    template <steps::element_step Step>
    void run(const Step& step, index_t n)
    {
        if constexpr (!std::is_void_v<typename Step::sum>)
            if (shared_) return steps_.finish(step, sum_of_ranks(step, n));
        run_here(step, n);
    }

    /// The sums of a basis.
    template <steps::basis_sums Step>
    void run(const Step& step, index_t n)
    {
        if (shared_) return run_on_ranks(step, n);
        launch_sums_of_basis(launch_, step, n);
    }
    /// A step over one element that belongs to no vector.
    template <steps::element_step Step>
    void run_alone(const Step& step)
    {
        run_here(step, 1);
    }
    /// A combination of a basis, then the step's own sweep.
    template <steps::combination Step>
    void run(const Step& step, index_t n)
    {
        run(steps::combined<Step>{step}, n);
    }

    /// One sweep over the rows of A, then step.finish.
    template <steps::row_step Step, class V>
    void run(const Step& step, const csr<V>& a)
    {
        steps_.reserve<Step>(a.rows);
        steps_.launch_rows(step, a);
    }

    /// run(step, n), of a step with a sum, in parts: the sums of tiles, or of all n elements here,
    /// to memory at this place, ...
    template <steps::element_step Step>
    void run_tiles(const Step& step, index_t n, typename Step::sum* of_tile)
    {
        steps_.launch_tiles(step, n, of_tile);
    }
    template <steps::element_step Step>
    void run_sum(const Step& step, index_t n, typename Step::sum* total)
    {
        steps_.reserve<Step>(n);
        steps_.launch_sum(step, n, total);
    }
    /// ... and what the step does with the sum.  Between the two, sums of others may be combined:
    /// see steps::combine.
    template <steps::element_step Step>
    void finish(const Step& step, const typename Step::sum* total)
    {
        steps_.finish(step, total);
    }

    /// Products with several vectors: A is read once for up to eight of them.  Returns those that
    /// are left to be run one by one.
    template <class T, class V>
    std::span<const steps::spmv<T>> run_together(std::span<const steps::spmv<T>> all,
                                                 const csr<V>& a)
    {
        constexpr std::size_t most = most_columns;
        for (; all.size() > 1; all = all.subspan(std::min(most, all.size())))
            products_.multiply(column_products<T>(all.first(std::min(most, all.size()))), a,
                               nullptr);
        return all;
    }

    /// The bytes of A that `count` products read from memory.
    template <class T, class V>
    static std::size_t bytes_of_products(const csr<V>& a, std::size_t count)
    {
        return (count + most_columns - 1) / most_columns * bytes_read_by_product<T>(a);
    }
    /// Not where many iterations of one system are one kernel, nor where a product computes sums of
    /// a step, too, which it does for one vector.
    template <class V>
    static bool gains_in_lockstep(const csr<V>& a)
    {
        const schedule s = current_schedule();
        return !iterates_in_one_kernel(s, a.rows, a.longest_row) &&
               !product_launcher::leaves_sums(s, a);
    }

    /// Iterations, each its steps in order; those after the stop do nothing.
    template <class V, class... Steps>
    void run(const steps::sequence<Steps...>& iteration, const csr<V>& a, index_t times)
    {
        const auto& first = std::get<0>(iteration.steps);
        const auto is_over = [&] { return first.stopped(read(first.shared)); };
        index_t done = resident_.run(iteration, a, times, is_over);
        if (done == times) return;
        (steps_.reserve<Steps>(a.rows), ...);
        const auto once = [&] { sequences_.launch_iteration(iteration, a); };
        const index_t wanted = schedule_.iterations_per_graph > 0 ? schedule_.iterations_per_graph
                                                                  : tuning::iterations_per_graph;
        const index_t burst = std::min(times, wanted);
        bool is_recorded = false;
        for (index_t seen = done; done < times;) {
            if (burst > 1 && done + burst <= times) {
                is_recorded = is_recorded || record(iteration, a, burst, once);
                if (!is_recorded || !recorded_.replay(in_.stream())) {
                    // The stream has fewer multiprocessors than the device.
                    schedule_.sequence_tiles = -1;
                    is_recorded = false;
                    continue;
                }
                done += burst;
            } else {
                once();
                ++done;
            }
            if (done - seen < tuning::iterations_per_look) continue;
            if (is_over()) return;
            seen = done;
        }
    }
    /// Iterations between two looks at a solve, where the caller leaves it to the backend.
    template <class V, class... Steps>
    index_t usual_interval(const steps::sequence<Steps...>& iteration, const csr<V>& a)
    {
        return resident_.fits(iteration, a) ? tuning::iterations_per_kernel
                                            : tuning::usual_interval;
    }
    /// What each product of an iteration reads of A: one kernel has its compressed rows, whatever
    /// else is stored.
    template <class V, class... Steps>
    std::size_t product_bytes(const steps::sequence<Steps...>& iteration, const csr<V>& a)
    {
        return resident_.fits(iteration, a) ? bytes_of_compressed_rows(a)
                                            : bytes_read_by_product<steps::operand_of<Steps...>>(a);
    }

    /// The shared scalars, once all work before it is done.
    template <class State>
    State read(const State* shared) const
    {
        static_assert(std::is_trivially_copyable_v<State>);
        static_assert(sizeof(State) <= scratch::mailbox_bytes);
        check(cudaMemcpyAsync(launch_.memory().mailbox.data(), shared, sizeof(State),
                              cudaMemcpyDeviceToHost, in_.stream()),
              "cudaMemcpyAsync");
        in_.wait();
        State q;
        std::memcpy(static_cast<void*>(&q), launch_.memory().mailbox.data(), sizeof q);
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
        return static_cast<State*>(launch_.memory().small.data());
    }
    /// What the backend allocated itself.
    std::size_t scratch_bytes() const { return launch_.memory().bytes(); }

    // What conversions need beside steps: see formats/convert.hpp.
    void exclusive_scan(index_t* x, index_t n, workspace& memory)
    {
        device_backend::exclusive_scan(x, n, launch_.stream(), memory);
    }
    const std::uint32_t* sort(std::uint64_t* key, std::uint32_t* value, index_t n, int bits,
                              workspace& memory)
    {
        return device_backend::sort(key, value, n, bits, launch_.stream(), memory);
    }
    std::pair<const std::uint32_t*, const std::uint32_t*>
    sort_pairs(std::uint32_t* key, std::uint32_t* value, index_t n, int bits, workspace& memory)
    {
        return device_backend::sort_pairs(key, value, n, bits, launch_.stream(), memory);
    }
    std::span<const std::uint64_t> sort_distinct(std::uint64_t* key, index_t n, int bits,
                                                 workspace& memory)
    {
        return device_backend::sort_distinct(key, n, bits, in_, memory);
    }
    template <class V>
    int longest_list() const
    {
        return device_backend::longest_list<V>(launch_.device());
    }
    std::vector<std::uint64_t> distinct_values(vec<const double> x, int most)
    {
        return device_backend::distinct_values(x, most, in_);
    }

private:
    template <steps::element_step Step>
    void run_here(const Step& step, index_t n)
    {
        steps_.reserve<Step>(n);
        steps_.launch(step, n);
    }

    /// The sum over the elements of all ranks, in memory that kernels read until the next one is
    /// there.  Of a step that is stopped, anything.
    template <steps::element_step Step>
    const typename Step::sum* sum_of_ranks(const Step& step, index_t n)
    {
        rank_tiles_at_device<typename Step::sum> mine(launch_, in_, n, 1);
        steps_.launch_tiles(step, n, mine.tiles());
        shared_->complete(mine, n, summand_of<typename Step::sum>());
        return mine.total(0);
    }
    /// Sums of a basis, as many as there are: the scalars are read first, so that no others travel.
    template <steps::basis_sums Step>
    void run_on_ranks(const Step& step, index_t n)
    {
        using T = typename Step::scalar;
        const auto q = read(step.shared);
        if (Step::stopped(q)) return;
        const index_t count = Step::count(q);
        rank_tiles_at_device<sums<T, 1>> mine(launch_, in_, n, count);
        launch_tile_sums_of_basis(launch_, step, n, reinterpret_cast<T*>(mine.tiles()));
        shared_->complete(mine, n, summand_of<sums<T, 1>>());
        check(cudaMemcpyAsync(step.results, mine.total(0),
                              static_cast<std::size_t>(count) * sizeof(T), cudaMemcpyHostToDevice,
                              in_.stream()),
              "cudaMemcpyAsync");
    }
    /// Unless it holds them already; false if that cannot be.
    template <class Iteration, class V, class Once>
    bool record(const Iteration& iteration, const csr<V>& a, index_t burst, const Once& once)
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
        if (recorded_.holds(key)) return true;
        launch_.launch_on(launch_.memory().recorder);
        const struct back_to_work {
            backend& b;
            ~back_to_work() { b.launch_.launch_on(b.in_.stream()); }
        } at_end{*this};
        return recorded_.record(std::move(key), launch_.stream(), [&] {
            for (index_t k = 0; k < burst; ++k) once();
        });
    }

    queue& in_;
    shared_sums* shared_;
    schedule schedule_ = current_schedule();
    launcher launch_;
    product_launcher products_{launch_, schedule_};
    step_launcher steps_{launch_, products_, schedule_};
    sequence_launcher sequences_{launch_, steps_, schedule_};
    resident_launcher resident_{launch_, schedule_};
    graph recorded_;
};

}  // namespace ddla::device_backend
