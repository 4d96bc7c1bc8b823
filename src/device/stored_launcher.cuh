// Launches products, each by the kernel of the format of A: compressed rows with threads each, or
// what is stored beside them.
#pragma once

#include "launcher.cuh"
#include "multiply.cuh"
#include "patterned.cuh"
#include "single_entries.cuh"
#include "slice_loads.cuh"
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

    /// Of the solve that wants the next product, if one does: then nothing is written.
    const steps::end_of_solve* end_ = nullptr;

    /// y = alpha A x + beta y in the format of A.
    template <class T, class V>
    void multiply(const steps::spmv<T>& step, const csr<V>& a)
    {
        if (a.storage->lists.count > 0) return multiply_in_tiles(step, a);
        if (a.storage->patterns.count > 0) return multiply_in_patterns(step, a);
        with_gathered(step.operand, a, [&](const auto& x) { multiply_by(step, a, x); });
    }
    /// Whether blocks multiply whole tiles, and all their rows: those of patterns, and those of
    /// single entries.
    template <class V>
    static bool has_whole_tiles(const csr<V>& a)
    {
        const auto& stored = *a.storage;
        if (stored.patterns.count > 0) return true;
        return stored.slices.widest == 1 && stored.slices.eight_a_tile && a.long_rows.count == 0 &&
               stored.lists.count == 0 && stored.entries.count + stored.entries.empty_rows == 0;
    }
    /// y = A x with the sums of its tiles, where A has_whole_tiles().
    template <class T, class V>
    void multiply_and_sum(const product_with_sums<T>& product, const csr<V>& a)
    {
        if (a.storage->patterns.count > 0) return multiply_in_patterns(product, a);
        with_gathered(product.operand, a, [&](const auto& x) {
            const bool repeats = a.storage->slices.distinct.size > 0;
            if (repeats) multiply_single_entries_by<true>(product, a, x);
            if (!repeats) multiply_single_entries_by<false>(product, a, x);
        });
    }
    /// f(x as the product gathers it): words side by side if it gathers from far, and where columns
    /// are in bins the elements that are beyond the first bin, gathered before.
    template <class T, class V, class F>
    void with_gathered(const vec<const T>& x, const csr<V>& a, const F& f)
    {
        const formats::column_bins& bins = a.storage->bins;
        if constexpr (words_of<T> == 2) {
            if (bins.count == 0 && !gathers_numbers(a)) return f(x);
            // The first bin comes last, so that what is gathered lies behind it.
            auto* const all = room_for_gathered<double2>(a.columns + bins.count);
            const index_t last = bins.count > 0 ? bins.direct : 0;
            start(interleave, blocks(a.columns, block_size), x, all, last);
            if (bins.count == 0) return f(interleaved{all});
            double2* const there = all + (a.columns - bins.direct);
            gather(binned_vector<double2>{there, all, there}, bins, bins.direct);
            f(interleaved{there});
        } else {
            if (bins.count == 0) return f(x);
            double* const there = room_for_gathered<double>(bins.direct + bins.count);
            gather(binned_vector<double>{x.high, x.high + bins.direct, there}, bins, 0);
            f(vec<const T>{there, nullptr, bins.direct + bins.count});
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
        if (stored.report.format == sparse_format::evc_hyb && a.long_rows.count > 0)
            return multiply_in_one_launch(step, a, x);
        if (stored.report.threads_per_row > 0)
            multiply_in_groups(step, a, x, stored.report.threads_per_row);
        if (stored.slices.count > 0) {
            if constexpr (words_of<V> == 1)
                if (stored.slices.distinct.size > 0) multiply_in_slices<true>(step, a, x);
            if (stored.slices.distinct.size == 0) multiply_in_slices<false>(step, a, x);
        }
        if (stored.entries.before > 0 && stored.entries.count > 0)
            start(multiply_tails<steps::spmv<T>, terms, X, V>,
                  blocks(stored.entries.count, block_size), step, terms{}, x, stored.slices,
                  stored.entries, end_);
        else if (stored.entries.count + stored.entries.empty_rows > 0)
            multiply_listed(step, a);
        if (stored.slices.tiles_of_long == 0) multiply_compressed_long(step, a);
    }
    /// Compressed rows up to a tile, so many threads each.
    template <class T, class V, class X>
    void multiply_in_groups(const steps::spmv<T>& step, const csr<V>& a, const X& x, int threads)
    {
        const int log2 = std::countr_zero(static_cast<unsigned>(threads));
        const group_sums<steps::products<T>, X, V> sums({}, a, x, log2);
        start(multiply_groups<steps::spmv<T>, group_sums<steps::products<T>, X, V>>,
              blocks(a.rows << log2, block_size), step, sums, end_);
    }
    /// The long rows that are not stored.
    template <class T, class V>
    void multiply_compressed_long(const steps::spmv<T>& step, const csr<V>& a)
    {
        sum_long_rows_of(row_sums(steps::products<T>{}, a, step.operand), a.long_rows,
                         finish_row<steps::spmv<T>>{step, a.long_rows.row}, end_);
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
        const row_storage<V>& stored = *a.storage;
        const int widest = stored.slices.widest;
        if (widest <= 8) return multiply_by_kernel<slice_kernel<0, Repeats, How>>(step, a, x);
        if (widest <= 64) return multiply_by_kernel<slice_kernel<3, Repeats, How>>(step, a, x);
        if constexpr (How == leaves::staged && !Repeats && words_of<T> == 1)
            if (stored.scattered() && !stored.sorted && stored.slices.tiles_of_long == 0)
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
              stored.slices.tiles_of_long > 0);
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
        const bool only_scales =
            !step.plain && step.alpha.is_value() && step.beta.is_value() && step.beta.get() == T(0);
        if (only_scales)
            start_patterns(steps::scaled_product<T>{{}, step.operand, step.y, step.alpha.get()}, a);
        else
            start_patterns(step, a);
    }
    template <class Step, class V>
    void start_patterns(const Step& step, const csr<V>& a)
    {
        with_pattern_sums(a, step.operand, [&]<class Sums>(const Sums& sums) {
            const int each = turns_of_block<Sums>(a.rows, most_turns<Sums>);
            start_blocks_of<Sums::threads>(multiply_patterns<Step, Sums>,
                                           blocks(a.rows, each * Sums::threads), step, sums, each,
                                           end_);
        });
    }
    template <class T, class V>
    void multiply_in_patterns(const product_with_sums<T>& product, const csr<V>& a)
    {
        with_pattern_sums(a, product.operand, [&]<class Sums>(const Sums& sums) {
            const int each = turns_of_block<Sums>(a.rows, most_summed_turns<Sums>);
            start_blocks_of<Sums::threads>(multiply_patterns_and_sum<Sums>,
                                           blocks(a.rows, each * Sums::threads), product, sums,
                                           each, end_);
        });
    }
    /// f(the sums of rows by their patterns, as the kernel for these has them).
    template <class T, class V, class F>
    static void with_pattern_sums(const csr<V>& a, const vec<const T>& x, const F& f)
    {
        const formats::row_patterns<V>& patterns = a.storage->patterns;
        const auto with_levels = [&]<int Levels>(std::integral_constant<int, Levels>) {
            const auto with = [&]<bool Beside>(std::bool_constant<Beside>) {
                f(pattern_sums<steps::products<T>, vec<const T>, V, Levels, Beside>({}, patterns,
                                                                                    a.rows, x));
            };
            if (patterns.has_values())
                with(std::false_type());
            else
                with(std::true_type());
        };
        if (patterns.log2_leaves == 0)
            with_levels(std::integral_constant<int, 0>());
        else if (patterns.log2_leaves <= 3)
            with_levels(std::integral_constant<int, 3>());
        else
            with_levels(std::integral_constant<int, 5>());
    }
    /// More turns where there is little work in each, and rows for all multiprocessors all the
    /// same: measured from 1 to 9 million rows.
    template <class Sums>
    static int turns_of_block(index_t rows, index_t most)
    {
        const index_t wanted = Sums::takes_two ? most : std::max<index_t>(rows >> 20, 2);
        return static_cast<int>(std::clamp<index_t>(rows >> 18, 1, std::min(wanted, most)));
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
              blocks(std::max(list.count, list.empty_rows), block_size), step, rows, list, end_);
    }
};

}  // namespace ddla::device_backend
