// How rows are classified by pattern: steps over rows and patterns.
#pragma once

#include "formats/slices/steps.hpp"

namespace ddla::formats {

/// Pattern numbers have one byte.
inline constexpr int most_patterns = 256;
template <class U>
struct number_of_each {
    U pattern[most_patterns];
};

/// What rows of one pattern share.
enum class alike { columns, values_too };

/// A 64-bit hash of the column offsets of a row and, if wanted, of the bits of its values.
/// Collisions are checked for in the end: see differs_from_stored.
template <scalar V>
DDLA_HD std::uint64_t key_of_row(const csr<V>& a, index_t i, alike in)
{
    const index_t begin = a.row_begin[i], end = a.row_begin[i + 1];
    std::uint64_t key = static_cast<std::uint64_t>(end - begin);
    const auto take = [&](std::uint64_t word) {
        // As in splitmix64: every bit of a word affects every bit of the key.
        key = (key ^ word) * 0xbf58476d1ce4e5b9u;
        key = (key ^ key >> 29) * 0x94d049bb133111ebu;
        key ^= key >> 32;
    };
    for (index_t k = begin; k < end; ++k) {
        take(static_cast<std::uint64_t>(a.column[k] - i));
        if (in == alike::columns) continue;
        each_word(a.value.get(k),
                  [&](int, double word) { take(__builtin_bit_cast(std::uint64_t, word)); });
    }
    return key;
}

/// The keys of `count` rows, every `apart`-th one.  Stored as the bits of doubles, because
/// distinct_values() takes doubles.
template <scalar V>
struct write_keys : conversion_step {
    csr<V> a;
    alike in;
    index_t apart;
    double* key;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        key[i] = __builtin_bit_cast(double, key_of_row(a, i * apart, in));
    }
};

/// The index of each row's key among the distinct keys, which ascend.
struct number_rows : conversion_step {
    const double* key;
    const std::uint64_t* different;
    int count;
    std::uint8_t* number;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        const auto mine = __builtin_bit_cast(std::uint64_t, key[i]);
        int low = 0;
        for (int end = count; end - low > 1;) {
            const int middle = low + (end - low) / 2;
            if (different[middle] <= mine)
                low = middle;
            else
                end = middle;
        }
        number[i] = static_cast<std::uint8_t>(low);
    }
};

/// How many patterns eight adjacent rows have.
struct count_kinds_of_eight : conversion_step {
    const std::uint8_t* number;
    index_t rows;
    index_t* count;
    DDLA_HD void operator()(index_t eight, steps::no_scalars) const
    {
        const index_t begin = 8 * eight;
        index_t kinds = 0;
        for (index_t i = begin; i < begin + 8 && i < rows; ++i) {
            bool is_new = true;
            for (index_t k = begin; k < i; ++k) is_new = is_new && number[k] != number[i];
            kinds += is_new;
        }
        count[eight] = kinds;
    }
};

/// The first row that has pattern number `wanted`.
struct first_of_number : steps::always {
    using sum = steps::first_index;
    static constexpr steps::abilities has = {.only_reads = true, .counts = true};
    static constexpr steps::over sweeps = steps::over::elements;
    const std::uint8_t* number;
    int wanted;
    steps::first_index* result;
    DDLA_HD steps::first_index operator()(index_t i, steps::no_scalars) const
    {
        return {number[i] == wanted ? i : steps::first_index::none};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// Pattern p, copied from row first[p].
template <scalar V>
struct write_pattern : conversion_step {
    csr<V> a;
    const index_t* first;
    int log2_leaves;
    std::int32_t* length;
    pattern_leaf<V>* leaf;
    DDLA_HD void operator()(index_t p, steps::no_scalars) const
    {
        const index_t i = first[p], begin = a.row_begin[i];
        const int n = static_cast<int>(a.row_begin[i + 1] - begin);
        length[p] = n;
        const int leaves = 1 << log2_leaves;
        for (int c = 0; c < leaves; ++c) {
            pattern_leaf<V>& made = leaf[p * leaves + c];
            made = {};
            int slot = 0;
            for (int k = reversed(c, log2_leaves); k < n; k += leaves, ++slot) {
                const int at = made.place(slot);
                made.offset[at] = static_cast<std::int32_t>(a.column[begin + k] - i);
                each_word(a.value.get(begin + k),
                          [&](int w, double word) { made.word[w][at] = word; });
            }
        }
    }
};

/// The slots of each group of 32 rows: the length of its longest row.
template <scalar V>
struct count_slots_beside : conversion_step {
    csr<V> a;
    index_t* count;
    DDLA_HD void operator()(index_t group, steps::no_scalars) const
    {
        const index_t begin = group * lanes_of_slice, next = begin + lanes_of_slice;
        index_t most = 0;
        for (index_t i = begin; i < next && i < a.rows; ++i)
            most = a.row_length(i) > most ? a.row_length(i) : most;
        count[group] = most;
    }
};
struct narrow : conversion_step {
    const index_t* from;
    std::uint32_t* to;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        to[k] = static_cast<std::uint32_t>(from[k]);
    }
};
/// Separate values of lane l of the 32 rows of group g, element 32 g + l; padding is 0.
template <scalar V>
struct write_values_beside : conversion_step {
    csr<V> a;
    row_patterns<V> patterns;
    vec<V> to;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        const index_t group = i / lanes_of_slice;
        const index_t begin = i < a.rows ? a.row_begin[i] : 0, n = i < a.rows ? a.row_length(i) : 0;
        const int width = patterns.width(group);
        index_t at = index_t(patterns.first_slot[group]) * lanes_of_slice + i % lanes_of_slice;
        for (int c = 0; c < 1 << patterns.log2_leaves; ++c) {
            index_t k = patterns.first_of_leaf(c);
            for (; k < width; k += 1 << patterns.log2_leaves, at += lanes_of_slice)
                to.set(at, k < n ? a.value.get(begin + k) : V(0));
        }
    }
};

/// 1 if a row differs from its pattern.
template <scalar V>
struct differs_from_stored : largest_of {
    csr<V> a;
    row_patterns<V> stored;
    DDLA_HD steps::largest operator()(index_t i, steps::no_scalars) const
    {
        const index_t begin = a.row_begin[i];
        const int n = stored.length[stored.of_row[i]];
        bool differs = a.row_begin[i + 1] - begin != n;
        for (int k = 0; k < n && !differs; ++k)
            differs = a.column[begin + k] != stored.column(i, k) ||
                      !same(a.value.get(begin + k), stored.value(i, k));
        return {differs ? 1.0 : 0.0};
    }

private:
    static DDLA_HD bool same(double x, double y)
    {
        return __builtin_bit_cast(std::uint64_t, x) == __builtin_bit_cast(std::uint64_t, y);
    }
    static DDLA_HD bool same(dd_real x, dd_real y) { return same(x.hi, y.hi) && same(x.lo, y.lo); }
};

}  // namespace ddla::formats
