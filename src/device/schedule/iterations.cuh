// Launches kernels that do many iterations each, for systems that are small enough.
#pragma once

#include "looping.cuh"
#include "schedule.hpp"
#include "sequence_launcher.cuh"

#include <algorithm>

namespace ddla::device_backend {

class launcher_of_iterations : protected sequence_launcher {
protected:
    using sequence_launcher::sequence_launcher;

    /// How kernels do many iterations each, if they do.
    struct kernel_of_iterations {
        bool has_block_a_tile;
        int blocks;  ///< 0: they do not
    };
    /// The system is small or of middle size, and all blocks can be on the device at once.
    template <class V, class... Steps>
    kernel_of_iterations kernel_of(const steps::sequence<Steps...>& iteration, const csr<V>& a)
    {
        const index_t m = tiles(a.rows);
        const auto& first = std::get<0>(iteration.steps);
        if (iterates_in_one_kernel(schedule_, a.rows, a.longest_row) &&
            m <= places_.most(*this, iterate<V, Steps...>, resident_bytes(first)))
            return {true, static_cast<int>(m)};
        using T = steps::operand_of<Steps...>;
        const std::size_t bytes = bytes_of_compressed_rows(a) + static_cast<std::size_t>(a.rows) *
                                                                    words_of_vectors(first) *
                                                                    sizeof(double);
        if (!iterates_in_turns(schedule_, a.rows, a.longest_row, words_of<T>, a.storage != nullptr,
                               bytes, in_.on().cache_bytes()))
            return {};
        int most = places_.most(*this, iterate_in_turns<V, Steps...>, 0);
        if (schedule_.looping_blocks > 0) most = std::min(most, schedule_.looping_blocks);
        return {false, static_cast<int>(std::min<index_t>(m, most))};
    }

    /// How many of these iterations are done, by kernels that do many each: all or none, unless
    /// the stream has no room for another kernel.  None is left to do once is_over().
    template <class V, class IsOver, class... Steps>
    index_t run_in_kernels(const steps::sequence<Steps...>& iteration, const csr<V>& a,
                           index_t times, const IsOver& is_over)
    {
        const auto parameter =
            std::apply([](const auto&... step) { return chained(step...); }, iteration.steps);
        index_t done = 0;
        while (done < times) {
            const index_t now = std::min(times - done, iterations_per_kernel);
            const kernel_of_iterations k = kernel_of(iteration, a);
            if (k.blocks == 0) return done;
            if (!(k.has_block_a_tile ? start_block_a_tile(parameter, a, now)
                                     : start_in_turns(parameter, a, now, k.blocks)))
                continue;
            count_resident_kernel();
            done += now;
            if (done < times && is_over()) return times;
        }
        return times;
    }

private:
    // False if the stream has fewer multiprocessors than the device.  Nobody has to begin anew:
    // between two kernels all that lasts is where other kernels find it.
    template <class V, class... Steps>
    bool start_block_a_tile(const chain<Steps...>& iteration, const csr<V>& a, index_t times)
    {
        const auto& first = iteration.first;
        scratch_->slots.reserve(resident_slots(first, tiles(a.rows)) * sizeof(slot), 0);
        if (!start_together(iterate<V, Steps...>, blocks(tiles(a.rows), 1), resident_bytes(first),
                            iteration, a, times, static_cast<slot*>(scratch_->slots.sums),
                            word{scratch_->meetings}))
            return places_.refuse(iterate<V, Steps...>);
        scratch_->meetings += static_cast<word>(times) * sizeof...(Steps) + 1;
        return true;
    }
    template <class V, class... Steps>
    bool start_in_turns(const chain<Steps...>& iteration, const csr<V>& a, index_t times,
                        int blocks)
    {
        scratch_->of_tiles.reserve(sums_of_tiles::bytes(tiles(a.rows)), 0);
        return start_together(iterate_in_turns<V, Steps...>, static_cast<unsigned>(blocks), 0,
                              iteration, a, times, static_cast<word*>(scratch_->of_tiles.sums)) ||
               places_.refuse(iterate_in_turns<V, Steps...>);
    }
};

}  // namespace ddla::device_backend
