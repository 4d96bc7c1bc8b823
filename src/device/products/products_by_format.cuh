// Products, each by the kernel of the format of A: what product_unit.in compiles.
#pragma once

#include "patterns.cuh"
#include "product_launcher.cuh"
#include "slice_launcher.cuh"
#include "tiles.cuh"

#include <bit>

namespace ddla::device_backend {

/// `end`, in all of these: if not null, nothing is written once that solve has ended.
class products_by_format {
public:
    products_by_format(launcher& to, const schedule& s)
        : to_(to), schedule_(s), slices_(to), long_rows_(to)
    {
    }

    /// y = alpha A x + beta y in the format of A, or several such products (columns.cuh).
    template <class Step, class V>
    void multiply(const Step& step, const csr<V>& a, const steps::end_of_solve* end)
    {
        if (a.rows == 0) return;
        if constexpr (is_several<Step> && words_of<element_of<Step>> == 2 && words_of<V> == 1)
            if (multiply_pairs(column_pairs(step), a, end)) return;
        if (!a.storage || !a.storage->has_rows()) return multiply_compressed(step, a, end);
        if (a.storage->lists.count > 0) return multiply_in_tiles(step, a, end);
        if (a.storage->patterns.count > 0) return multiply_in_patterns(step, a, end);
        with_interleaved(step, a, [&](const auto& x) { multiply_in_slices(step, a, x, end); });
    }
    /// y = A x with the sums of its tiles, if leaves_sums().
    template <class T, class V>
    void multiply_and_sum(const product_with_sums<T>& product, const csr<V>& a,
                          const steps::end_of_solve* end)
    {
        with_pattern_sums(a, product.operand, [&]<class Sums>(const Sums& sums) {
            const int each = turns_of_block<Sums>(a.rows, most_summed_turns<Sums>);
            to_.start_blocks_of<Sums::threads>(multiply_patterns_and_sum<Sums>,
                                               launcher::blocks(a.rows, each * Sums::threads),
                                               product, sums, each, end);
        });
        count_product_with_sums();
    }

private:
    /// Threads that share a row of compressed rows, those of the format or of the schedule; 0: a
    /// warp takes the entries of 32 rows as they come.
    template <class T, class V>
    int threads_per_row(const csr<V>& a) const
    {
        return a.storage
                   ? a.storage->report.threads_per_row
                   : threads_of_row(schedule_, a.rows, a.nonzeros(), a.longest_row, words_of<T>);
    }
    /// A group of threads a row and long rows apart, or long rows only, or 32 consecutive rows a
    /// warp.
    template <class Step, class V>
    void multiply_compressed(const Step& step, const csr<V>& a, const steps::end_of_solve* end)
    {
        using T = element_of<Step>;
        if (const int threads = threads_per_row<T>(a); threads > 0) {
            multiply_by_csr_vector(step, a, step.operand, threads, end);
            return multiply_long(step, a, end);
        }
        if (a.long_rows.count == a.rows) return multiply_long(step, a, end);
        long_rows_.with_rows(
            steps::products<T>{}, a, step.operand,
            [&](const auto& rows) { multiply_by_rows(step, a, rows, end); }, without_step(step));
    }
    /// By a thread each, 32 consecutive rows a warp.
    template <class Step, class V, class Rows>
    void multiply_by_rows(const Step& step, const csr<V>& a, const Rows& rows,
                          const steps::end_of_solve* end)
    {
        const int each = tiles(a.rows) < tuning::tiles_for_two ? 1 : 2;
        to_.start(multiply_rows<Step, Rows>, count_of(step) * launcher::blocks(tiles(a.rows), each),
                  step, rows, static_cast<typename Rows::number>(a.rows), each, end);
    }
    /// Several products, two at once, where the storage of A has kernels for that; else false, and
    /// nothing is launched.
    template <class T>
    bool multiply_pairs(const column_pairs<T>& pairs, const csr<double>& a,
                        const steps::end_of_solve* end)
    {
        const auto* const stored = a.storage;
        if (a.long_rows.count > 0) return false;
        if (stored && (stored->lists.count > 0 || stored->patterns.count > 0 ||
                       stored->slices.distinct.size > 0 || pays_to_interleave(a)))
            return false;
        if (const int threads = threads_per_row<T>(a); threads > 0) {
            constexpr int levels = tuning::levels_of_pairs;
            const auto fits = [&](int each) { return a.longest_row <= each * leaf_size << levels; };
            if (!fits(threads)) return false;
            // Half as many threads for two vectors have as much to add.
            const int half = std::max(threads / 2, 1);
            multiply_by_csr_vector<levels>(pairs, a, pairs.operand, fits(half) ? half : threads,
                                           end);
        } else if (stored) {
            slices_.multiply_pairs(pairs, a, end);
        } else {
            if (a.longest_row > longest_short_row) return false;
            using rows = short_row_sums<steps::products<number_pair<T>>, vector_pair<T>>;
            multiply_by_rows(pairs, a, rows({}, a, pairs.operand), end);
        }
        return true;
    }
    /// f(x), or f(interleaved copy of x) if the product gathers from far.
    template <class Step, class V, class F>
    void with_interleaved(const Step& step, const csr<V>& a, const F& f)
    {
        if constexpr (words_of<element_of<Step>> == 2)
            if (pays_to_interleave(a)) {
                to_.memory().interleaved.reserve(
                    static_cast<std::size_t>(a.columns) * count_of(step) * sizeof(double2), 0);
                auto* const all = static_cast<double2*>(to_.memory().interleaved.sums);
                to_.start(interleave<Step>,
                          count_of(step) * launcher::blocks(a.columns, block_size), step, all);
                return f(interleaved{all});
            }
        f(step.operand);
    }
    /// Slices, and the long rows that they leave.
    template <class Step, class V, class X>
    void multiply_in_slices(const Step& step, const csr<V>& a, const X& x,
                            const steps::end_of_solve* end)
    {
        const auto& stored = *a.storage;
        if constexpr (words_of<V> == 1)
            if (stored.slices.distinct.size > 0) slices_.multiply<true>(step, a, x, end);
        if (stored.slices.distinct.size == 0) slices_.multiply<false>(step, a, x, end);
        if (stored.slices.of_long == 0) multiply_long(step, a, end);
    }
    /// Compressed rows up to a tile, `threads` threads each, which have trees of up to so many
    /// levels.
    template <int Levels = 5, class Step, class V, class X>
    void multiply_by_csr_vector(const Step& step, const csr<V>& a, const X& x, int threads,
                                const steps::end_of_solve* end)
    {
        using sums = csr_vector_sums<steps::products<element_of<Step>>, X, V, Levels>;
        const int log2 = std::countr_zero(static_cast<unsigned>(threads));
        to_.start(multiply_csr_vector<Step, sums>,
                  count_of(step) * launcher::blocks(a.rows << log2, block_size), step,
                  sums({}, a, x, log2), end);
    }
    /// The long rows that the format does not store.
    template <class Step, class V>
    void multiply_long(const Step& step, const csr<V>& a, const steps::end_of_solve* end)
    {
        long_rows_.sum(step, row_sums(steps::products<element_of<Step>>{}, a, step.operand),
                       a.long_rows, finish_row<Step>{step, a.long_rows.row}, end);
    }

    template <class Step, class V>
    void multiply_in_tiles(const Step& step, const csr<V>& a, const steps::end_of_solve* end)
    {
        const bool repeats = a.storage->slices.distinct.size > 0;
        if constexpr (words_of<V> == 1)
            if (repeats) multiply_tiles_by<true>(step, a, end);
        if (!repeats) multiply_tiles_by<false>(step, a, end);
        multiply_long(step, a, end);
    }
    template <bool Repeats, class Step, class V>
    void multiply_tiles_by(const Step& step, const csr<V>& a, const steps::end_of_solve* end)
    {
        using sums = tile_sums<steps::products<element_of<Step>>, V, Repeats>;
        using block = typename sums::block;
        const auto& lists = a.storage->lists;
        const auto kernel = multiply_tiles<Step, sums>;
        launcher::allow_shared(kernel, block::bytes(longest_list<V>(to_.device()), tile_size));
        to_.start_with_shared<block::threads>(kernel,
                                              count_of(step) * static_cast<unsigned>(lists.count),
                                              block::bytes(lists.longest, a.storage->slices.widest),
                                              step, sums({}, a.storage->slices), lists, end);
    }

    template <class T, class V>
    void multiply_in_patterns(const steps::spmv<T>& step, const csr<V>& a,
                              const steps::end_of_solve* end)
    {
        const bool only_scales =
            !step.plain && step.alpha.is_value() && step.beta.is_value() && step.beta.get() == T(0);
        if (only_scales)
            start_patterns(steps::scaled_product<T>{{}, step.operand, step.y, step.alpha.get()}, a,
                           end);
        else
            start_patterns(step, a, end);
    }
    template <class T, class V>
    void multiply_in_patterns(const column_products<T>& all, const csr<V>& a,
                              const steps::end_of_solve* end)
    {
        start_patterns(all, a, end);
    }
    template <class Step, class V>
    void start_patterns(const Step& step, const csr<V>& a, const steps::end_of_solve* end)
    {
        with_pattern_sums(a, step.operand, [&]<class Sums>(const Sums& sums) {
            const int each = turns_of_block<Sums>(a.rows, most_turns<Sums>);
            to_.start_blocks_of<Sums::threads>(multiply_patterns<Step, Sums>,
                                               count_of(step) *
                                                   launcher::blocks(a.rows, each * Sums::threads),
                                               step, sums, each, end);
        });
    }
    /// f(the pattern_sums for A).
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
    /// More turns where each has little work, as long as there are rows for all SMs.
    template <class Sums>
    static int turns_of_block(index_t rows, index_t most)
    {
        const index_t wanted =
            Sums::takes_two ? most : std::max<index_t>(rows / tuning::rows_of_long_turn, 2);
        return static_cast<int>(
            std::clamp<index_t>(rows / tuning::rows_of_turn, 1, std::min(wanted, most)));
    }

    launcher& to_;
    const schedule& schedule_;
    slice_launcher slices_;
    long_row_launcher long_rows_;
};

template <class T, class V>
void product_launcher::multiply(const steps::spmv<T>& step, const csr<V>& a,
                                const steps::end_of_solve* end)
{
    products_by_format(to_, schedule_).multiply(step, a, end);
}
template <class T, class V>
void product_launcher::multiply(const column_products<T>& all, const csr<V>& a,
                                const steps::end_of_solve* end)
{
    products_by_format(to_, schedule_).multiply(all, a, end);
}
template <class T, class V>
void product_launcher::multiply_and_sum(const product_with_sums<T>& product, const csr<V>& a,
                                        const steps::end_of_solve* end)
{
    products_by_format(to_, schedule_).multiply_and_sum(product, a, end);
}

}  // namespace ddla::device_backend
