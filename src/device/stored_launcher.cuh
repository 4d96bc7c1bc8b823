// Launches what works on a matrix in another format than compressed rows.
#pragma once

#include "launcher.cuh"
#include "multiply.cuh"
#include "patterned.cuh"
#include "single_entries.cuh"
#include "steps/blas.hpp"
#include "tiles.cuh"

#include <bit>

namespace ddla::device_backend {

/// Rows whose sums are there already.
template <class T>
struct known_sums {
    using value = T;
    using number = index_t;
    static constexpr int blocks = 3, shared_bytes = 0;
    vec<const T> sum;

    template <class Fetch>
    __device__ __forceinline__ T operator()(index_t i, const Fetch& fetch) const
    {
        fetch();
        return i < sum.size ? sum.get(i) : T(0);
    }
};

class stored_launcher : protected launcher {
protected:
    using launcher::launcher;

    /// Of the solve that wants the next product, if one does: nothing is multiplied after it.
    const steps::end_of_solve* end_ = nullptr;

    /// y = alpha A x + beta y in the format of A.
    template <class T, class V>
    void multiply(const steps::spmv<T>& step, const csr<V>& a)
    {
        if (a.storage->lists.count > 0) return multiply_in_tiles(step, a);
        if (a.storage->bins.count > 0) return multiply_in_bins(step, a);
        if (a.storage->patterns.count > 0) return multiply_in_patterns(step, a);
        if constexpr (words_of<T> == 2)
            if (gathers_numbers(a)) {
                auto* const there = room_for_gathered<double2>(a.columns);
                start(interleave, blocks(a.columns, block_size), step.operand, there, 0);
                return multiply_by(step, a, interleaved{there});
            }
        multiply_by(step, a, step.operand);
    }
    /// First the elements of x that are beyond the first bin of columns, then the product.
    template <class T, class V>
    void multiply_in_bins(const steps::spmv<T>& step, const csr<V>& a)
    {
        const formats::column_bins& bins = a.storage->bins;
        if constexpr (words_of<T> == 2) {
            // The first bin comes last, so that what is gathered lies behind it.
            auto* const all = room_for_gathered<double2>(a.columns + bins.count);
            start(interleave, blocks(a.columns, block_size), step.operand, all, bins.direct);
            double2* const there = all + (a.columns - bins.direct);
            gather(binned_vector<double2>{there, all, there}, bins, bins.direct);
            multiply_by(step, a, interleaved{there});
        } else {
            double* const there = room_for_gathered<double>(bins.direct + bins.count);
            const double* const x = step.operand.high;
            gather(binned_vector<double>{x, x + bins.direct, there}, bins, 0);
            multiply_by(step, a, vec<const T>{there, nullptr, bins.direct + bins.count});
        }
    }
    template <class Number>
    void gather(const binned_vector<Number>& x, const formats::column_bins& bins, index_t begin)
    {
        start(gather_bins<Number>, blocks(bins.direct + bins.count - begin, 4 * block_size), x,
              bins, begin, end_);
    }
    template <class Number>
    Number* room_for_gathered(index_t n)
    {
        scratch_->gathered.reserve(static_cast<std::size_t>(n) * sizeof(Number), 0);
        return static_cast<Number*>(scratch_->gathered.sums);
    }
    template <class T, class V, class X>
    void multiply_by(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        using terms = steps::products<T>;
        const auto& stored = *a.storage;
        if (stored.report.threads_per_row > 0) {
            const int log2 = std::countr_zero(static_cast<unsigned>(stored.report.threads_per_row));
            const group_sums<terms, X, V> sums({}, a, x, log2);
            start(multiply_groups<steps::spmv<T>, group_sums<terms, X, V>>,
                  blocks(a.rows << log2, block_size), step, sums);
        }
        if (stored.slices.count > 0) {
            if constexpr (words_of<V> == 1)
                if (stored.slices.distinct.size > 0) multiply_in_slices<true>(step, a, x);
            if (stored.slices.distinct.size == 0) multiply_in_slices<false>(step, a, x);
        }
        if (stored.entries.before > 0 && stored.entries.count > 0)
            start(multiply_tails<steps::spmv<T>, terms, X, V>,
                  blocks(stored.entries.count, block_size), step, terms{}, x, stored.slices,
                  stored.entries);
        else if (stored.entries.count + stored.entries.empty_rows > 0)
            multiply_listed(step, a);
        if (stored.slices.tiles_of_long == 0) multiply_compressed_long(step, a);
    }
    /// The long rows that are not stored.
    template <class T, class V>
    void multiply_compressed_long(const steps::spmv<T>& step, const csr<V>& a)
    {
        sum_long_rows_of(row_sums(steps::products<T>{}, a, step.operand), a.long_rows,
                         finish_row<steps::spmv<T>>{step, a.long_rows.row});
    }
    /// Whether it pays to put the words of x side by side first, which passes over all of x:
    /// measured, bench/NOTES.md.
    template <class V>
    static bool gathers_numbers(const csr<V>& a)
    {
        return a.storage->scattered() ||
               (a.storage->far > 3.0 / 7 && a.nonzeros() >= 8 * a.columns);
    }
    /// Past shared memory: it leaves more of the first-level cache to x.  That is worth less than
    /// the warps it costs where rows are long, for neighbours who walk through them side by side
    /// need the same part of x, and in double where rows hardly have entries or short ones are
    /// sorted; in double-double where rows are short or of many lengths.
    template <class T, class V>
    static bool loads_directly(const csr<V>& a)
    {
        const auto& stored = *a.storage;
        if (!stored.scattered()) return false;
        if (words_of<T> == 1) {
            if (stored.sorted && stored.slots_of_short_slice() < 5) return false;
            return stored.slices.tiles_of_long > 0 ||
                   (a.nonzeros() >= 2 * a.rows && a.nonzeros() <= 128 * a.rows);
        }
        return stored.slices.tiles_of_long == 0 && !(stored.sorted && a.nonzeros() <= 16 * a.rows);
    }

    template <bool Repeats, class T, class V, class X>
    void multiply_in_slices(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        if (a.storage->slices.tiles_of_long > 0) {
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
                         blocks(slices.count, single_slices_of_warp * warps_per_block), step,
                         steps::products<T>{}, slices, x, end_);
        if constexpr (!Repeats)
            if (loads_directly<T>(a)) return multiply_by_levels<false, leaves::direct>(step, a, x);
        multiply_by_levels<Repeats, leaves::staged>(step, a, x);
    }
    /// Of rows that are stored tile by tile: no lane has more than one leaf.  Past shared memory
    /// unless x is short: measured with 12,000 and with 50,000 columns, the same in both
    /// precisions.
    template <bool Repeats, class T, class V, class X>
    void sum_tiles_in_slices(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        constexpr index_t few = 16384;
        if constexpr (!Repeats)
            if (a.storage->scattered() && a.columns > few)
                return sum_tiles_by_kernel<slice_kernel<0, false, leaves::direct, true>>(step, a,
                                                                                         x);
        sum_tiles_by_kernel<slice_kernel<0, Repeats, leaves::staged, true>>(step, a, x);
    }
    template <class Kernel, class T, class V, class X>
    void sum_tiles_by_kernel(const steps::spmv<T>&, const csr<V>& a, const X& x)
    {
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        start_blocks_of<sums::threads>(
            sum_long_slices<sums>, blocks(a.long_rows.tiles, Kernel::warps),
            sums({}, a.storage->slices, x), parts_of_long_rows<T>(a.long_rows), end_);
    }
    template <bool Repeats, leaves How, class T, class V, class X>
    void multiply_by_levels(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        const int widest = a.storage->slices.widest;
        if (widest <= 8)
            multiply_by_kernel<slice_kernel<0, Repeats, How>>(step, a, x);
        else if (widest <= 64)
            multiply_by_kernel<slice_kernel<3, Repeats, How>>(step, a, x);
        else
            multiply_by_kernel<slice_kernel<5, Repeats, How>>(step, a, x);
    }
    template <class Kernel, class T, class V, class X>
    void multiply_by_kernel(const steps::spmv<T>& step, const csr<V>& a, const X& x)
    {
        using sums = slice_sums<steps::products<T>, X, V, Kernel>;
        const auto& stored = *a.storage;
        const index_t count = stored.short_slices();
        const formats::slice_shares of_blocks{
            count, slices_of_warp(stored, Kernel::staged, words_of<T>), stored.slices.shorter};
        const index_t grid = std::max<index_t>(of_blocks.blocks(Kernel::warps), 1);
        const auto with = [&](const auto& start) {
            start(multiply_slices<steps::spmv<T>, sums>, static_cast<unsigned>(grid), step,
                  sums({}, stored.slices, x), share_of_slices{of_blocks, stored.sorted, end_},
                  stored.slices.tiles_of_long > 0);
        };
        // Those who walk through long rows side by side begin at the same time: measured in double.
        constexpr bool may_be_late =
            Kernel::levels == 5 && Kernel::staged && !Kernel::repeats && words_of<T> == 1;
        if (may_be_late && stored.scattered() && !stored.sorted && stored.slices.tiles_of_long == 0)
            with([&](const auto&... all) { start_blocks_late<sums::threads>(all...); });
        else
            with([&](const auto&... all) { start_blocks_of<sums::threads>(all...); });
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
            const bool unlike =
                stored.slices.tiles_of_long == 0 && slots < 0.6 * stored.slices.widest;
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

    /// The longest list whose x fits a block in double-double, at most formats::longest_list.
    template <class V>
    int longest_list() const
    {
        using block = tile_block<dd_real, V, false>;
        constexpr std::size_t beside = block::bytes(0, tile_size) + bytes_of_rooms<block>;
        const std::size_t all = in_.on().most_shared_bytes();
        return all < beside ? 0
                            : static_cast<int>(std::min<std::size_t>(
                                  formats::longest_list, (all - beside) / sizeof(dd_real)));
    }
    template <class T, class V>
    void multiply_in_tiles(const steps::spmv<T>& step, const csr<V>& a)
    {
        const bool repeats = a.storage->slices.distinct.size > 0;
        if constexpr (words_of<V> == 1)
            if (repeats) multiply_tiles_by<true>(step, a);
        if (!repeats) multiply_tiles_by<false>(step, a);
        multiply_compressed_long(step, a);
    }
    template <bool Repeats, class T, class V>
    void multiply_tiles_by(const steps::spmv<T>& step, const csr<V>& a)
    {
        using sums = tile_sums<steps::products<T>, V, Repeats>;
        using block = typename sums::block;
        const auto& lists = a.storage->lists;
        const auto kernel = multiply_tiles<steps::spmv<T>, sums>;
        allow_shared(kernel, block::bytes(longest_list<V>(), tile_size));
        start_with_shared<block::threads>(kernel, static_cast<unsigned>(lists.count),
                                          block::bytes(lists.longest, a.storage->slices.widest),
                                          step, sums({}, a.storage->slices), lists, end_);
    }

    template <class T, class V>
    void multiply_in_patterns(const steps::spmv<T>& step, const csr<V>& a)
    {
        if (a.storage->patterns.has_values())
            multiply_patterns_with<false>(step, a);
        else
            multiply_patterns_with<true>(step, a);
    }
    template <bool Beside, class T, class V>
    void multiply_patterns_with(const steps::spmv<T>& step, const csr<V>& a)
    {
        const int log2 = a.storage->patterns.log2_leaves;
        if (log2 == 0)
            multiply_patterns_by<0, Beside>(step, a);
        else if (log2 <= 3)
            multiply_patterns_by<3, Beside>(step, a);
        else
            multiply_patterns_by<5, Beside>(step, a);
    }
    /// More turns where there is little work in each, and rows for all multiprocessors all the
    /// same: measured from 1 to 9 million rows.
    template <int Levels, bool Beside, class T, class V>
    void multiply_patterns_by(const steps::spmv<T>& step, const csr<V>& a)
    {
        using sums = pattern_sums<steps::products<T>, vec<const T>, V, Levels, Beside>;
        const index_t wanted = sums::takes_two ? 8
                               : Levels > 0    ? 2
                                               : std::max<index_t>(a.rows >> 20, 2);
        const auto each =
            static_cast<int>(std::clamp<index_t>(a.rows >> 18, 1, std::min<index_t>(wanted, 8)));
        start_blocks_of<sums::threads>(
            multiply_patterns<steps::spmv<T>, sums>, blocks(a.rows, each * sums::threads), step,
            sums({}, a.storage->patterns, a.rows, step.operand), each, end_);
    }

    template <class T, class V>
    void multiply_listed(const steps::spmv<T>& step, const csr<V>& a)
    {
        const auto& list = a.storage->entries;
        csr<V> listed = a;
        listed.column = list.column;
        listed.value = list.value;
        const row_sums rows(steps::products<T>{}, listed, step.operand);
        start(multiply_entries<steps::spmv<T>, std::remove_const_t<decltype(rows)>, V>,
              blocks(std::max(list.count, list.empty_rows), block_size), step, rows, list);
    }
};

}  // namespace ddla::device_backend
