// Launches products of slices: a kernel for what their rows look like, and those of long rows.
#pragma once

#include "device/core/launcher.cuh"
#include "multiply.cuh"
#include "single_entries.cuh"
#include "slice_loads.cuh"
#include "steps/blas.hpp"

namespace ddla::device_backend {

class slice_launcher : protected launcher {
protected:
    using launcher::launcher;

    /// Of the solve that wants the next product, if one does: then nothing is written.
    const steps::end_of_solve* end_ = nullptr;

    template <bool Repeats, class T, class V, class X>
    void multiply_in_slices(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        if (a.storage->slices.of_long > 0) {
            sum_tiles_in_slices<Repeats>(step, a, x);
            // Its blocks are few, and wait while those of the short rows, if there are any, fill
            // the device.
            fold_tiles_of_long_rows<T>(
                a.long_rows, finish_row<steps::spmv<T>>{step, a.long_rows.row}, end_, true);
            if (a.long_rows.count == a.rows) return;
        }
        multiply_in_short_slices<Repeats>(step, a, x);
    }
    template <bool Repeats, class T, class V, class X>
    void multiply_in_short_slices(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        const auto& slices = a.storage->slices;
        if (slices.widest == 1)
            return start(multiply_single_entries<Repeats, steps::spmv<T>, steps::products<T>, X, V>,
                         blocks_of_single_entries(slices), step, steps::products<T>{}, slices, x,
                         end_);
        if constexpr (!Repeats)
            if (loads_directly<T>(a)) return multiply_by_levels<false, leaves::direct>(step, a, x);
        multiply_by_levels<Repeats, leaves::staged>(step, a, x);
    }
    template <bool Repeats, class T, class V, class X>
    void multiply_single_entries_by(const product_with_sums<T>& product, const csr<V>& a,
                                    const X& x)
    {
        const auto& slices = a.storage->slices;
        start(multiply_single_entries_and_sum<Repeats, T, steps::products<T>, X, V>,
              blocks_of_single_entries(slices), product, steps::products<T>{}, slices, x, end_);
    }
    template <class V>
    static unsigned blocks_of_single_entries(const formats::slice_list<V>& slices)
    {
        return blocks(slices.count, single_slices_of_warp * warps_per_block);
    }
    /// Of rows that are stored tile by tile.  Where a tile has all lanes of a slice, none has more
    /// than one leaf; past shared memory then unless x is short: measured with 12,000 and with
    /// 50,000 columns, the same in both precisions.
    template <bool Repeats, class T, class V, class X>
    void sum_tiles_in_slices(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        constexpr index_t few = 16384;
        if (a.storage->slices.log2_lanes_of_long < 5)
            return walk_through_tiles<slice_kernel<5, Repeats, leaves::direct, slices_of::tiles>>(
                step, a, x);
        constexpr slices_of a_tile = slices_of::a_tile;
        if constexpr (!Repeats)
            if (a.storage->scattered() && a.columns > few)
                return sum_tiles_by_kernel<slice_kernel<0, false, leaves::direct, a_tile>>(step, a,
                                                                                           x);
        sum_tiles_by_kernel<slice_kernel<0, Repeats, leaves::staged, a_tile>>(step, a, x);
    }
    template <class Kernel, class T, class V, class X>
    void sum_tiles_by_kernel(const steps::spmv<T>&, const csr<V>& a, const X& x)
    {
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        start_blocks_of<sums::threads>(
            sum_long_slices<sums>, blocks(a.long_rows.tiles, Kernel::warps),
            sums({}, a.storage->slices, x), parts_of_long_rows<T>(a.long_rows), end_);
    }
    /// Slices of several tiles, shared by the blocks that are on the device at once, each with as
    /// many warps as make the fewest rounds of them.
    template <class Kernel, class T, class V, class X>
    void walk_through_tiles(const steps::spmv<T>&, const csr<V>& a, const X& x)
    {
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        const auto& slices = a.storage->slices;
        const int at_once = in_.on().blocks_at_once(sums::blocks_of_tiles);
        const unsigned grid =
            at_once > 0 ? static_cast<unsigned>(at_once) : blocks(slices.of_long, Kernel::warps);
        const index_t full = slices.full_of_long, others = slices.of_long - full;
        const index_t each = (full + grid - 1) / grid + (others + grid - 1) / grid;
        const index_t rounds = (each + Kernel::warps - 1) / Kernel::warps;
        const auto warps = static_cast<unsigned>((each + rounds - 1) / rounds);
        start_some_threads(walk_long_slices<sums>, grid, warps * warp_size, sums({}, slices, x),
                           parts_of_long_rows<T>(a.long_rows), end_);
    }
    template <bool Repeats, leaves How, class T, class V, class X>
    void multiply_by_levels(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        const row_storage<V>& stored = *a.storage;
        const int widest = stored.slices.widest;
        if (widest <= 8) return multiply_by_kernel<slice_kernel<0, Repeats, How>>(step, a, x);
        if (widest <= 64) return multiply_by_kernel<slice_kernel<3, Repeats, How>>(step, a, x);
        if constexpr (How == leaves::staged && !Repeats && words_of<T> == 1)
            if (stored.scattered() && !stored.sorted && stored.slices.of_long == 0)
                return multiply_by_kernel<slice_kernel<5, false, leaves::in_step>>(step, a, x);
        multiply_by_kernel<slice_kernel<5, Repeats, How>>(step, a, x);
    }
    template <class Kernel, class T, class V, class X>
    void multiply_by_kernel(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        const auto& stored = *a.storage;
        const formats::slice_shares of_blocks = shares<Kernel, T>(stored);
        const index_t grid = std::max<index_t>(of_blocks.blocks(Kernel::warps), 1);
        const auto begin = [this](const auto&... all) {
            if constexpr (Kernel::how == leaves::in_step)
                start_blocks_late<sums::threads>(all...);
            else
                start_blocks_of<sums::threads>(all...);
        };
        begin(multiply_slices<steps::spmv<T>, sums>, static_cast<unsigned>(grid), step,
              sums({}, stored.slices, x), share_of_slices{of_blocks, stored.sorted, end_},
              stored.slices.of_long > 0);
    }
    /// One, that is, once x is gathered: see with_gathered().
    template <class T, class V, class X>
    void multiply_in_one_launch(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        using kernel = slice_kernel<5, false, leaves::staged>;
        using sums = slice_sums<steps::products<T>, X, V, kernel>;
        using rows = row_sums<steps::products<T>, T, V, X>;
        const auto& stored = *a.storage;
        const formats::slice_shares of_blocks = shares<kernel, T>(stored);
        const bool whole = takes_whole_rows(a);
        const int each = whole ? 0 : some_for_each_warp(2 * a.long_rows.tiles);
        const unsigned others = blocks(whole ? a.long_rows.count : a.long_rows.tiles,
                                       std::max(each, 1) * kernel::warps);
        start_blocks_of<sums::threads>(
            multiply_slices_and_long_rows<steps::spmv<T>, sums, rows>,
            others + static_cast<unsigned>(of_blocks.blocks(kernel::warps)), step,
            sums({}, stored.slices, x), share_of_slices{of_blocks, stored.sorted, end_},
            rows({}, a, x), a.long_rows, ladders_for<T>(a.long_rows), others, each);
    }
    /// Whether one warp sums a long row from end to end: where rows keep all warps busy so, none of
    /// them for long.  Measured in EVC-HYB, bench/NOTES.md.
    template <class V>
    static bool takes_whole_rows(const csr<V>& a)
    {
        constexpr index_t many_rows = 4096;
        const index_t most_tiles = a.long_rows.count >= many_rows ? 16 : 4;
        return a.longest_row <= most_tiles * tile_size;
    }
    template <class Kernel, class T, class V>
    static formats::slice_shares shares(const row_storage<V>& stored)
    {
        return {stored.short_slices(), slices_of_warp(stored, Kernel::staged, words_of<T>),
                stored.slices.shorter};
    }
    /// So many slices a warp, one after the other: with little work in each the device would spend
    /// its time on starting blocks, with much of it blocks end too unevenly.  Measured:
    /// bench/NOTES.md.
    template <class V>
    static int slices_of_warp(const row_storage<V>& stored, bool staged, int words)
    {
        const int most = some_for_each_warp(stored.short_slices());
        const double slots = stored.slots_of_short_slice();
        if (stored.sorted) {
            if (slots >= 7.5) return 1;
            // Blocks of long and short rows end unevenly.
            const bool unlike = stored.slices.of_long == 0 && slots < 0.6 * stored.slices.widest;
            const bool few = staged || words == 2 || unlike;
            return slots >= 5 && few ? std::min(most, 2) : most;
        }
        if (slots <= 1.5) return most == 4 ? 8 : most;
        if (stored.scattered()) {
            const bool alike = slots > 2 && slots > 0.9 * stored.slices.widest;
            return slots >= 7.5 || alike ? 1 : most;
        }
        return slots >= 16 ? std::min(most, 2) : most;
    }
};

}  // namespace ddla::device_backend
