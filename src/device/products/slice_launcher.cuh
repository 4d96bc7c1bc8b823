// Launches products of slices: picks the kernel, the grid and the slices per warp.
#pragma once

#include "long_row_launcher.cuh"
#include "multiply.cuh"
#include "slice_loads.cuh"
#include "steps/blas.hpp"

namespace ddla::device_backend {

/// `end`, in all of these: if not null, nothing is written once that solve has ended.
class slice_launcher {
public:
    explicit slice_launcher(launcher& to) : to_(to), long_rows_(to) {}

    template <bool Repeats, class Step, class V, class X>
    void multiply(const Step& step, const csr<V>& a, const X& x, const steps::end_of_solve* end)
    {
        if (a.storage->slices.of_long > 0) {
            sum_tiles_in_slices<Repeats>(step, a, x, end);
            using T = element_of<Step>;
            long_rows_.fold<T>(step, a.long_rows, finish_row<Step>{step, a.long_rows.row}, end);
            if (a.long_rows.count == a.rows) return;
        }
        multiply_short<Repeats>(step, a, x, end);
    }

    /// Where no row is longer than a tile, and neither do values repeat nor are columns scattered.
    template <class T>
    void multiply_pairs(const column_pairs<T>& pairs, const csr<double>& a,
                        const steps::end_of_solve* end)
    {
        multiply_by_levels<false, leaves::staged>(pairs, a, pairs.operand, end);
    }

private:
    template <bool Repeats, class Step, class V, class X>
    void multiply_short(const Step& step, const csr<V>& a, const X& x,
                        const steps::end_of_solve* end)
    {
        if constexpr (!Repeats)
            if (loads_directly<element_of<Step>>(a))
                return multiply_by_levels<false, leaves::direct>(step, a, x, end);
        multiply_by_levels<Repeats, leaves::staged>(step, a, x, end);
    }
    /// Sums the tiles of long rows that are stored as slices.  A tile has all lanes of a slice, so
    /// none has more than one leaf.  Direct loads if columns are scattered, unless x is short.
    template <bool Repeats, class Step, class V, class X>
    void sum_tiles_in_slices(const Step& step, const csr<V>& a, const X& x,
                             const steps::end_of_solve* end)
    {
        constexpr slices_of a_tile = slices_of::a_tile;
        if constexpr (!Repeats)
            if (is_scattered(*a.storage) && a.columns > tuning::short_x)
                return sum_tiles_by_kernel<slice_kernel<0, false, leaves::direct, a_tile>>(step, a,
                                                                                           x, end);
        sum_tiles_by_kernel<slice_kernel<0, Repeats, leaves::staged, a_tile>>(step, a, x, end);
    }
    template <class Kernel, class Step, class V, class X>
    void sum_tiles_by_kernel(const Step& step, const csr<V>& a, const X& x,
                             const steps::end_of_solve* end)
    {
        using T = element_of<Step>;
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        const auto& shared = without_step(step);
        to_.start_blocks_of<sums::threads>(
            sum_long_slices<std::remove_cvref_t<decltype(shared)>, sums>,
            count_of(step) * launcher::blocks(a.long_rows.tiles, Kernel::warps), shared,
            sums({}, a.storage->slices, x), long_rows_.parts<T>(step, a.long_rows),
            sums_apart(a.long_rows), end);
    }
    template <bool Repeats, leaves How, class Step, class V, class X>
    void multiply_by_levels(const Step& step, const csr<V>& a, const X& x,
                            const steps::end_of_solve* end)
    {
        const row_storage<V>& stored = *a.storage;
        const int widest = stored.slices.widest;
        if (widest <= 8) return multiply_by_kernel<slice_kernel<0, Repeats, How>>(step, a, x, end);
        if (widest <= 64) return multiply_by_kernel<slice_kernel<3, Repeats, How>>(step, a, x, end);
        multiply_by_kernel<slice_kernel<5, Repeats, How>>(step, a, x, end);
    }
    template <class Kernel, class Step, class V, class X>
    void multiply_by_kernel(const Step& step, const csr<V>& a, const X& x,
                            const steps::end_of_solve* end)
    {
        using T = element_of<Step>;
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        const auto& stored = *a.storage;
        const formats::slice_distribution distribution = shares<Kernel, T>(stored);
        const index_t grid = std::max<index_t>(distribution.blocks(Kernel::warps), 1);
        to_.start_blocks_of<sums::threads>(
            multiply_slices<Step, sums>, count_of(step) * static_cast<unsigned>(grid), step,
            sums({}, stored.slices, x), share_of_slices{distribution, stored.sorted, end});
    }
    template <class Kernel, class T, class V>
    static formats::slice_distribution shares(const row_storage<V>& stored)
    {
        return {stored.short_slices(), slices_of_warp(stored, Kernel::staged, words_of<T>),
                stored.slices.shorter};
    }
    /// Slices that a warp takes one after the other.
    template <class V>
    static int slices_of_warp(const row_storage<V>& stored, bool staged, int words)
    {
        const int most = launcher::some_for_each_warp(stored.short_slices());
        const double slots = stored.slots_of_short_slice();
        const auto& from = tuning::slices_of_warp;
        if (stored.sorted) {
            if (slots >= from.sorted_alone) return 1;
            // Blocks of rows of different lengths finish at different times.
            const bool unlike =
                stored.slices.of_long == 0 && slots < from.unlike * stored.slices.widest;
            const bool few = staged || words == 2 || unlike;
            return slots >= from.sorted_pair && few ? std::min(most, 2) : most;
        }
        if (slots <= from.single) return most == tuning::most_pieces ? from.many : most;
        if (is_scattered(stored)) {
            const bool alike =
                slots > from.scattered_alike && slots > from.alike * stored.slices.widest;
            return slots >= from.scattered_alone || alike ? 1 : most;
        }
        return slots >= from.pair ? std::min(most, 2) : most;
    }

    launcher& to_;
    long_row_launcher long_rows_;
};

}  // namespace ddla::device_backend
