// Launches a step as a kernel, or as a product and a kernel.
#pragma once

#include "device/products/stored_launcher.cuh"
#include "schedule.hpp"

#include <algorithm>

namespace ddla::device_backend {

class step_launcher : protected stored_launcher {
protected:
    using stored_launcher::stored_launcher;

    template <class Step, class V>
    void launch_rows(const Step& step, const csr<V>& a)
    {
        const auto terms = steps::terms_of(step);
        using T = typename decltype(step.operand)::value_type;
        if constexpr (std::is_same_v<Step, steps::spmv<T>>) {
            if (multiplies_alone<T>(a)) return multiply_alone(step, a);
        } else if constexpr (std::is_same_v<decltype(terms), const steps::products<T>> &&
                             !requires { step.power(); }) {
            // Those that can come after their product do: see sequence_launcher.cuh.
            if (a.storage && a.rows > 0) return launch_after_product(step, a);
        }
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

    /// A step over the rows of a matrix that is stored in another format, too.
    template <class Step, class V>
    void launch_after_product(const Step& step, const csr<V>& a)
    {
        using T = typename decltype(step.operand)::value_type;
        const vec<T> ax = room_for_product<T>(step, a.rows);
        multiply(steps::spmv<T>{{}, step.operand, ax, T(1), T(0), true}, a);
        launch(step, known_sums<T>{ax}, a.rows);
    }
    /// Whether the product of A is best a kernel of its own: A is stored in another format, all
    /// rows are longer than tiles, or rows have threads of their own.
    template <class T, class V>
    bool multiplies_alone(const csr<V>& a) const
    {
        return a.rows > 0 && (a.storage || a.long_rows.count == a.rows || threads_of<T>(a) > 0);
    }
    template <class T, class V>
    void multiply_alone(const steps::spmv<T>& step, const csr<V>& a)
    {
        if (a.storage)
            multiply(step, a);
        else if (const int threads = threads_of<T>(a); threads > 0)
            multiply_in_groups(step, a, step.operand, threads);
        else
            multiply_compressed_long(step, a);
    }
    /// The product of a step of a solve whose sums come after it.  A product by itself takes slices
    /// in any order and its warps do not wait for each other: one kernel for both, a block a tile,
    /// was slower than two (bench/NOTES.md).
    template <class Step, class V>
    void multiply_for(const Step& step, const csr<V>& a)
    {
        using T = typename decltype(step.operand)::value_type;
        end_ = &step.shared->at.end;
        multiply_alone(steps::spmv<T>{{}, step.operand, step.to(), T(step.power()), T(0), true}, a);
        end_ = nullptr;
    }
    /// Whether it can leave the sums of tiles, too.
    template <class V>
    bool leaves_sums(const csr<V>& a) const
    {
        return a.storage && schedule_.product_sums >= 0 && has_whole_tiles(a);
    }
    template <class Step, class V>
    steps::summed_by_tiles<Step> multiply_and_sum_for(const Step& step, const csr<V>& a)
    {
        using T = typename decltype(step.operand)::value_type;
        using sum = typename Step::sum;
        constexpr int most = 2;  // as much for all steps, so that a graph needs one piece
        static_assert(sum::count <= most);
        auto& memory = scratch_->of_product_tiles;
        memory.reserve(static_cast<std::size_t>(most * tiles(a.rows)) * sizeof(T), 0);
        auto* const of_tile = static_cast<sum*>(memory.sums);
        end_ = &step.shared->at.end;
        multiply_and_sum(product_with_sums<T>{step.operand, step.to(), step.power(), step.beside(),
                                              of_tile->value, sum::count},
                         a);
        end_ = nullptr;
        count_product_with_sums();
        return {step, of_tile};
    }
    /// For A x on its way to the step.
    template <class T, class Step>
    vec<T> room_for_product(const Step& step, index_t rows)
    {
        if constexpr (requires { step.room(); }) {
            return step.room();
        } else {
            scratch_->of_product.reserve(static_cast<std::size_t>(rows) * sizeof(T), 0);
            auto* const words = static_cast<double*>(scratch_->of_product.sums);
            return {words, words_of<T> == 2 ? words + rows : nullptr, rows};
        }
    }
    template <class Step, class Rows>
    void launch(const Step& step, const Rows& rows, index_t n)
    {
        using sum = typename Step::sum;
        const index_t m = tiles(n);
        if constexpr (std::is_void_v<sum>) {
            // A block of one tile that moves few bytes, as a copy does, is done before the device
            // has started the next one.
            const int each = tiles_for<Step>(m < 65536 ? 1 : 2);
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

    schedule schedule_ = current_schedule();

private:
    template <class T, class V>
    int threads_of(const csr<V>& a) const
    {
        return threads_of_row(schedule_, a.rows, a.nonzeros(), a.longest_row, words_of<T>);
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
};

}  // namespace ddla::device_backend
