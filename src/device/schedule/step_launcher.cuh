// Launches a step as a kernel, or as a product and a kernel.
#pragma once

#include "device/products/long_row_launcher.cuh"
#include "device/products/product_launcher.cuh"
#include "steps/after_product.hpp"
#include "sweep.cuh"

#include <algorithm>

namespace ddla::device_backend {

class step_launcher {
public:
    step_launcher(launcher& to, product_launcher& products, const schedule& s)
        : to_(to), products_(products), schedule_(s), long_rows_(to)
    {
    }

    /// A step over n elements.
    template <steps::element_step Step>
    void launch(const Step& step, index_t n)
    {
        using sum = typename Step::sum;
        if constexpr (std::is_void_v<sum>)
            launch_without_sum(step, no_rows{}, n);
        else
            launch_with_sum(step, n, destination<sum>{arrival_tree_of<sum>()});
    }
    /// The same, but the step is not finished: the sum goes to *total, ...
    template <steps::element_step Step>
    void launch_sum(const Step& step, index_t n, typename Step::sum* total)
    {
        launch_with_sum(step, n, destination{arrival_tree_of<typename Step::sum>(), total});
    }
    /// ... or the sums of tiles to of_tile.
    template <steps::element_step Step>
    void launch_tiles(const Step& step, index_t n, typename Step::sum* of_tile)
    {
        if (n > 0) launch_with_sum(step, n, destination<typename Step::sum>{{of_tile, nullptr}});
    }
    template <steps::element_step Step>
    void finish(const Step& step, const typename Step::sum* total)
    {
        to_.start(finish_step<Step>, 1, step, total);
    }

    /// A step over the rows of A.  Those of products are two kernels: the product, and a sweep over
    /// its elements.  (One kernel for both, a block a tile, was slower than two: a product by
    /// itself takes rows in any order and its warps do not wait for each other.)
    template <steps::row_step Step, class V>
    void launch_rows(const Step& step, const csr<V>& a)
    {
        const auto terms = steps::terms_of(step);
        using T = typename decltype(step.operand)::value_type;
        if constexpr (std::is_same_v<Step, steps::spmv<T>>) {
            products_.multiply(step, a, nullptr);
        } else if constexpr (std::is_same_v<decltype(terms), const steps::products<T>>) {
            const vec<T> ax = room_for_product<T>(step, a.rows);
            products_.multiply(steps::spmv<T>{{}, step.operand, ax, T(1), T(0), true}, a, nullptr);
            launch(steps::after_product<Step>{step, ax}, a.rows);
        } else {
            long_rows_.with_rows(terms, a, step.operand,
                                 [&](const auto& rows) { launch_without_sum(step, rows, a.rows); });
        }
    }

    /// The product of a step of a solve whose sums come after it: steps::sums_after_product.
    template <steps::row_step Step, class V>
    void multiply_for(const Step& step, const csr<V>& a)
    {
        using T = typename decltype(step.operand)::value_type;
        products_.multiply(
            steps::spmv<T>{{}, step.operand, step.product_vector(), T(step.power()), T(0), true}, a,
            &step.shared->control.end);
    }
    template <class V>
    bool leaves_sums(const csr<V>& a) const
    {
        return products_.leaves_sums(a);
    }
    /// The same product, which leaves the sums of tiles, too.
    template <steps::row_step Step, class V>
    steps::summed_by_tiles<Step> multiply_and_sum_for(const Step& step, const csr<V>& a)
    {
        using T = typename decltype(step.operand)::value_type;
        using sum = typename Step::sum;
        constexpr int most = 2;  // as much for all steps, so that a graph needs one piece
        static_assert(sum::count <= most);
        auto& memory = to_.memory().of_product_tiles;
        memory.reserve(static_cast<std::size_t>(most * tiles(a.rows)) * sizeof(T), 0);
        auto* const of_tile = static_cast<sum*>(memory.sums);
        products_.multiply_and_sum(product_with_sums<T>{step.operand, step.product_vector(),
                                                        step.power(), step.reads(), of_tile->value,
                                                        sum::count},
                                   a, &step.shared->control.end);
        return {step, of_tile};
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
            to_.memory().of_tiles.reserve(static_cast<std::size_t>(sums) *
                                              sizeof(typename Step::sum),
                                          static_cast<std::size_t>(counters));
        }
    }

private:
    template <class Step, class Rows>
    void launch_without_sum(const Step& step, const Rows& rows, index_t n)
    {
        static_assert(std::is_void_v<typename Step::sum>);
        // A block of one tile that moves few bytes, as a copy does, is done before the device has
        // started the next one.
        const index_t m = tiles(n);
        const int each = tiles_for<Step>(m < tuning::tiles_for_two ? 1 : 2);
        if (n > 0) to_.start(sweep<Step, Rows>, launcher::blocks(m, each), step, rows, n, each);
    }
    template <class Step>
    void launch_with_sum(const Step& step, index_t n, const destination<typename Step::sum>& to)
    {
        const index_t m = tiles(n);
        if constexpr (Step::has.only_reads) {
            // Four tiles a warp, where there are enough for all SMs.
            const int each = warps_times<Step>(m < tuning::tiles_for_four ? warps_per_block
                                                                          : 4 * warps_per_block);
            if (m >= warp_tiles_from(tuning::warp_tiles_of_reads))
                return to_.start(sweep_and_sum_by_warps<Step>, launcher::blocks(m, each), step, n,
                                 each, to);
        } else if constexpr (has_room_for_turns<Step>) {
            const int each = warps_times<Step>(warps_per_block);
            if (m >= warp_tiles_from(tuning::warp_tiles_of_writes))
                return to_.start(sweep_and_sum_by_turns<Step>, launcher::blocks(m, each), step, n,
                                 each, to);
        }
        const int each = tiles_for<Step>(1);
        to_.start(sweep_and_sum<Step>, launcher::blocks(m, each), step, n, each, to);
    }
    template <class Sum>
    arrival_tree<Sum> arrival_tree_of() const
    {
        auto& memory = to_.memory().of_tiles;
        return {static_cast<Sum*>(memory.sums), memory.arrived};
    }
    /// Scratch for A x between the product and the step.
    template <class T, class Step>
    vec<T> room_for_product(const Step& step, index_t rows)
    {
        if constexpr (Step::has.room) {
            return step.room();
        } else {
            auto& memory = to_.memory().of_product;
            memory.reserve(static_cast<std::size_t>(rows) * sizeof(T), 0);
            return vec<T>::in_memory(static_cast<double*>(memory.sums), rows);
        }
    }
    /// Steps that are mostly stopped get few blocks: launching them is their whole cost.
    template <class Step>
    int tiles_for(int usual) const
    {
        if (schedule_.tiles_per_block > 0) return schedule_.tiles_per_block;
        if constexpr (Step::has.rare) return tile_size;
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

    launcher& to_;
    product_launcher& products_;
    const schedule& schedule_;
    long_row_launcher long_rows_;
};

}  // namespace ddla::device_backend
