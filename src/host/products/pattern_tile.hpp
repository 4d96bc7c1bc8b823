// A tile of row sums of A x on one thread, where rows are stored as pattern numbers: eight rows at
// a time, one a SIMD lane.
//
// Eight rows of one pattern read contiguous elements of x for each entry, and share the value, or
// have contiguous values.  If the eight rows have several patterns, as at the ends of grid lines,
// all eight are summed for each pattern, and each lane keeps the sum of its own.
#pragma once

#include "formats/storage.hpp"
#include "host/simd/simd8.hpp"
#include "row_group.hpp"

#include <bit>
#include <cstring>

namespace ddla::host_backend {

/// `Beside`: values are stored separately from the patterns.
template <class T, class V, bool Beside, row_code Code>
class pattern_tile {
public:
    pattern_tile(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
        : patterns_(a.storage->patterns), x_(x), begin_(begin), end_(end), ax_(ax)
    {
    }

    /// Row begin + i of A x becomes ax_i; elements after the last row are arbitrary.
    void sum()
    {
        for (index_t i = begin_; i < end_; i += eight) {
            const eight_numbers number = numbers_of(i);
            eight_of<T> sum{};
            const bool alike = are_alike(number);
            sum_rows(i, number[0], alike && i + eight <= end_, sum);
            if (!alike) sum_others(i, number, sum);
            assign(sum, ax_, static_cast<int>(i - begin_));
        }
    }

private:
    using leaf = formats::pattern_leaf<V>;
    using eight_numbers [[gnu::vector_size(8)]] = std::uint8_t;

    /// Beyond the last row, its pattern is repeated.
    eight_numbers numbers_of(index_t i) const
    {
        eight_numbers number;
        if (i + eight <= end_)
            std::memcpy(&number, patterns_.of_row + i, sizeof number);
        else
            for (int l = 0; l < eight; ++l) number[l] = patterns_.of_row[std::min(i + l, end_ - 1)];
        return number;
    }
    static bool are_alike(const eight_numbers& number)
    {
        constexpr std::uint64_t ones = 0x0101010101010101;
        return std::bit_cast<std::uint64_t>(number) == number[0] * ones;
    }

    /// Replaces the sums of rows that have another pattern than the first.
    void sum_others(index_t i, const eight_numbers& number, eight_of<T>& sum) const
    {
        using wide_numbers [[gnu::vector_size(64)]] = std::int64_t;
        const wide_numbers wide = __builtin_convertvector(number, wide_numbers);
        for (int l = 1; l < eight; ++l) {
            const int pattern = number[l];
            int first = 0;
            while (number[first] != pattern) ++first;
            if (first < l) continue;
            eight_of<T> of_all;
            sum_rows(i, pattern, false, of_all);
            const lane_mask mask = wide == pattern;
            for (int w = 0; w < words_of<T>; ++w) put_where(mask, of_all.word[w], sum.word[w]);
        }
    }

    /// Rows i ... i+7 as if all had this pattern.  If not all have (`is_so`), columns may be out of
    /// range.
    [[gnu::always_inline]] void sum_rows(index_t i, int pattern, bool is_so, eight_of<T>& sum) const
    {
        const int n = patterns_.length[pattern];
        const leaf* const leaves = patterns_.leaf + (index_t(pattern) << patterns_.log2_leaves);
        if (n == 0)
            sum = {};
        else if (patterns_.log2_leaves == 0)
            sum_leaf(*leaves, i, n, is_so, values_beside(i), sum);
        else
            sum_leaves(leaves, i, n, is_so, sum);
    }

    /// Walks the tree like a binary counter: two sums of one level are added as soon as both are
    /// known.
    void sum_leaves(const leaf* leaves, index_t i, int n, bool is_so, eight_of<T>& sum) const
    {
        constexpr int levels = 6;  // 1 ... 32 leaves
        const int width = Beside ? patterns_.width(i / formats::lanes_of_slice) : n;
        vec<const V> beside = values_beside(i);
        eight_of<T> left[levels];
        for (int c = 0; c < 1 << patterns_.log2_leaves; ++c) {
            if (patterns_.first_of_leaf(c) < n)
                sum_leaf(leaves[c], i, patterns_.slots_of(n, c), is_so, beside, sum);
            if constexpr (Beside)
                beside = behind(beside, formats::lanes_of_slice * patterns_.slots_of(width, c));
            int level = 0;
            for (; c >> level & 1; ++level) {
                // If the right part has no terms, the left one is the sum.
                if (patterns_.first_of_leaf(c >> level << level) < n) add(left[level], sum);
                assign(left[level], sum);
            }
            assign(sum, left[level]);
        }
    }

    [[gnu::always_inline]] void sum_leaf(const leaf& from, index_t i, int slots, bool is_so,
                                         vec<const V> beside, eight_of<T>& sum) const
    {
        if constexpr (Code == straight_line)
            if (is_so || all_in_x(from, i))
                return with_constant<1, formats::slots_of_leaf>(
                    slots, [&](auto n) __attribute__((always_inline)) {
                        eight_of<T> term[n];
                        unrolled<n>([&](auto k) __attribute__((always_inline)) {
                            eight_of<T> factor;
                            load(x_, i + from.offset[leaf::place(k)], factor);
                            multiply_slot(from, k, factor, beside, term[k]);
                        });
                        fold<n>(term, sum);
                    });
        sum_leaf_in_loops(from, i, slots, beside, sum);
    }
    bool all_in_x(const leaf& from, index_t i) const
    {
        std::int32_t least = 0, most = 0;
        for (const std::int32_t offset : from.offset) {
            least = std::min(least, offset);
            most = std::max(most, offset);
        }
        return i + least >= 0 && i + most + eight <= x_.size;
    }

    /// Columns out of range, which some of eight rows may have that are not of one pattern, become
    /// the nearest.
    void sum_leaf_in_loops(const leaf& from, index_t i, int slots, vec<const V> beside,
                           eight_of<T>& sum) const
    {
        eight_of<T> term[formats::slots_of_leaf];
        for (index_t k = 0; k < slots; k = opaque(k + 1)) {
            const index_t first = i + from.offset[leaf::place(static_cast<int>(k))];
            eight_of<T> factor;
            gather(
                x_,
                [&](int l) __attribute__((always_inline)) {
                    return std::clamp<index_t>(first + l, 0, x_.size - 1);
                },
                factor);
            multiply_slot(from, static_cast<int>(k), factor, beside, term[k]);
        }
        with_constant<1, formats::slots_of_leaf>(
            slots, [&](auto n) __attribute__((always_inline)) { fold<n>(term, sum); });
    }
    template <int N>
    [[gnu::always_inline]] static void fold(eight_of<T>* term, eight_of<T>& sum)
    {
        fold_unrolled<N, formats::slots_of_leaf / 2>([&](
            int j, int k) __attribute__((always_inline)) { add(term[j], term[k]); });
        assign(term[0], sum);
    }

    [[gnu::always_inline]] static void multiply_slot(const leaf& from, int k,
                                                     const eight_of<T>& factor,
                                                     const vec<const V>& beside,
                                                     eight_of<T>& product)
    {
        eight_of<V> value;
        if constexpr (Beside)
            load(beside, k * formats::lanes_of_slice, value);
        else
            for (int w = 0; w < words_of<V>; ++w) fill(from.word[w][leaf::place(k)], value.word[w]);
        multiply(factor, value, product);
    }

    /// Separate values, from those of row i and the following rows on, slot by slot.
    vec<const V> values_beside(index_t i) const
    {
        if constexpr (!Beside) return {};
        constexpr index_t each = formats::lanes_of_slice;
        return behind(patterns_.beside, patterns_.first_slot[i / each] * each + i % each);
    }
    static vec<const V> behind(const vec<const V>& values, index_t n)
    {
        return values.part(n, values.size - n);
    }

    formats::row_patterns<V> patterns_;
    vec<const T> x_;
    index_t begin_, end_;
    lanes<T>& ax_;
};

}  // namespace ddla::host_backend
