// Row sums of A x by the summation rule whose terms are sums of some words (steps::cascade): eight
// rows at a time, one a SIMD lane, sorted by length within a tile.  The grouping changes no bit.
#pragma once

#include "host/simd/simd8.hpp"
#include "rows.hpp"
#include "steps/cascade.hpp"

#include <bit>

namespace ddla::host_backend {

/// Of a cascade; 0 for other types.
template <class Value>
inline constexpr int words_of_cascade = 0;
template <int K>
inline constexpr int words_of_cascade<steps::cascade<K>> = K;

/// N cascades, words apart, so that loops over cascades vectorise.
template <int K, int N = tile_size>
struct cascade_lanes {
    alignas(64) double word[K][N];

    [[gnu::always_inline]] steps::cascade<K> get(index_t i) const
    {
        steps::cascade<K> c;
        for (int k = 0; k < K; ++k) c.word[k] = word[k][i];
        return c;
    }
    [[gnu::always_inline]] void set(index_t i, const steps::cascade<K>& c)
    {
        for (int k = 0; k < K; ++k) word[k][i] = c.word[k];
    }
};

template <class Terms, class T, class V>
class cascade_row_sums {
    static constexpr int words = words_of_cascade<typename Terms::value>;

public:
    using results = cascade_lanes<words>;

    cascade_row_sums(const Terms& terms, const csr<V>& a, vec<const T> x)
        : alone_(terms, a, x), terms_(terms), a_(a), x_(x)
    {
    }

    void operator()(index_t begin, index_t end, results& ax) const
    {
        int row[tile_size];
        const int rows = sort_short(begin, end, row, ax);
        group of;
        for (int k = 0; k < rows; k += eight) {
            of.most = 0;
            of.least = tile_size;
            for (int l = 0; l < eight; ++l)
                of.set(l, a_, begin + row[std::min(k + l, rows - 1)]);  // the last one fills up
            sum(of);
            for (int l = 0; l < std::min(eight, rows - k); ++l)
                ax.set(row[k + l], of.term[0].get(l));
        }
    }

private:
    using eight_terms = cascade_lanes<words, eight>;
    /// Eight rows of 1 to 256 entries.
    struct group {
        int least, most;  ///< entries
        index_t begin[eight];
        alignas(64) double entries[eight];
        eight_terms term[tile_size];

        void set(int lane, const csr<V>& a, index_t row)
        {
            begin[lane] = a.row_begin[row];
            const auto n = static_cast<int>(a.row_begin[row + 1] - begin[lane]);
            entries[lane] = n;
            least = std::min(least, n);
            most = std::max(most, n);
        }
    };

    /// The rows that groups take, the shortest first; sums the others.  Returns their number.
    int sort_short(index_t begin, index_t end, int* row, results& ax) const
    {
        int length[tile_size], first[tile_size + 2] = {};
        const int all = static_cast<int>(end - begin);
        for (int i = 0; i < all; ++i) {
            const index_t n = a_.row_begin[begin + i + 1] - a_.row_begin[begin + i];
            length[i] = n <= tile_size ? static_cast<int>(n) : 0;
            if (length[i] > 0)
                ++first[length[i] + 1];
            else
                ax.set(i, alone_.one(begin + i));
        }
        for (int n = 0; n <= tile_size; ++n) first[n + 1] += first[n];
        for (int i = 0; i < all; ++i)
            if (length[i] > 0) row[first[length[i]]++] = i;
        return first[tile_size];
    }

    /// Leaves it in term[0].
    void sum(group& of) const
    {
        for (int k = 0; k < of.most; ++k) set_terms(of, k);
        int h = of.most > 1 ? std::bit_floor(static_cast<unsigned>(of.most - 1)) : 0;
        for (; h > 0; h /= 2)
            for (int i = 0; i < std::min(h, of.most - h); ++i)
                if (i + h < of.least)
                    add(of.term[i], of.term[i + h]);
                else
                    add_where_less(of, i, i + h);
    }
    /// Entry k of each row; the last one where there is none.
    void set_terms(group& of, int k) const
    {
        index_t at[eight], column[eight];
        for (int l = 0; l < eight; ++l) {
            at[l] = of.begin[l] + std::min(k, static_cast<int>(of.entries[l]) - 1);
            column[l] = a_.column[at[l]];
        }
        eight_of<T> factor;
        eight_of<V> entry;
        gather(
            x_, [&](int l) __attribute__((always_inline)) { return column[l]; }, factor);
        gather(
            a_.value, [&](int l) __attribute__((always_inline)) { return at[l]; }, entry);
#pragma GCC unroll 1
        for (int l = 0; l < eight; ++l) of.term[k].set(l, terms_(factor.get(l), entry.get(l)));
    }
    [[gnu::always_inline]] static void add(eight_terms& sum, const eight_terms& term)
    {
#pragma GCC unroll 1
        for (int l = 0; l < eight; ++l) sum.set(l, sum.get(l) + term.get(l));
    }
    /// Adds term j only in rows of more than j entries.
    [[gnu::always_inline]] static void add_where_less(group& of, int i, int j)
    {
        eight_terms next = of.term[i];
        add(next, of.term[j]);
        alignas(64) double number[eight];
        fill(j, number);
        const lane_mask mask = (lane_mask)(vector_at(number) - vector_at(of.entries)) >> 63;
        for (int w = 0; w < words; ++w) put_where(mask, next.word[w], of.term[i].word[w]);
    }

    other_row_sums<Terms, T, V> alone_;
    Terms terms_;
    csr<V> a_;
    vec<const T> x_;
};

}  // namespace ddla::host_backend
