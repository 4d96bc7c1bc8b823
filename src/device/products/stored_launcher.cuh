// Launches products, each by the kernel of the format of A: compressed rows with threads each, or
// what is stored beside them.
#pragma once

#include "patterns.cuh"
#include "slice_launcher.cuh"
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

class stored_launcher : protected slice_launcher {
protected:
    using slice_launcher::slice_launcher;

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
        if (stored.slices.of_long == 0) multiply_compressed_long(step, a);
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
