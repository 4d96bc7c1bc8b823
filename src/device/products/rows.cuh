// Row sums of A x from compressed rows, by the summation rule.
//
// A warp has 32 rows.  If none has more than eight entries, each thread sums its own row.
// Otherwise the warp stores the products of as many rows as fit in its part of shared memory, with
// coalesced loads of the entries, and 1 to 32 threads fold each row there.  Longer rows are summed
// by the whole warp, tile by tile.  The sums of rows of more than one tile are read from
// `long_sums` if it is set (long_rows.cuh).
// (Loads as in CSR-Stream: Greathouse and Daga, SC 2014.)
#pragma once

#include "device/schedule/schedule.hpp"
#include "short_rows.cuh"

namespace ddla::device_backend {

/// The least b with 2^b >= m >= 1.
__device__ __forceinline__ int bits_for(unsigned m)
{
    return 32 - __clz(static_cast<int>(m - 1));
}

/// The sum of term(0), ..., term(n - 1), n <= 32, by one thread; of none it is Value(0).
/// A leaf of the tree of the rule is the fold of eight terms: of c', c' + m, c' + 2 m, ... for m
/// leaves and c' the reversal of the leaf's number c.
template <class Value, class Term>
__device__ __forceinline__ Value sum_terms(int n, const Term& term)
{
    constexpr int leaf = 8, levels = 2;  // 32 = 8 * 2^2
    if (n <= 0) return Value{};
    const int depth = n > leaf ? bits_for((n + leaf - 1) / leaf) : 0;
    partial_sums_in_registers<Value, levels> partial;
    Value sum{};
#pragma unroll 1
    for (int c = 0; c < 1 << depth; ++c) {
        const int offset = reversed_bits(c, depth);
        sum = fold_in_thread<leaf>([&](int r) { return term(offset + (r << depth)); },
                                   [=](int r) { return offset + (r << depth) < n; });
        // Every leaf has a term: c' < 2^depth < n.
        if (depth > 0) carry(partial, c, sum, [](int) { return true; });
    }
    return sum;
}

/// How many rows, from that of lane `first` on, are of at most 32 entries each and `capacity`
/// together; each lane has one, which is behind that of the lane before.  `from`: where the first
/// one begins.  The whole warp calls this.
__device__ __forceinline__ int rows_that_fit(index_t begin, index_t length, index_t from, int first,
                                             int capacity)
{
    const bool fits = length <= longest_together && begin + length - from <= capacity;
    const unsigned all = __ballot_sync(whole_warp, fits) >> first;
    return __clz(__brev(~all));  // of the trailing ones; there are zeros above
}

/// X provides the elements of the vector.  If it has get_all() (core/grid_exchange.cuh), several
/// are polled at once, and all rows have at most `longest_together` entries.
template <class Terms, class T, class V, class X = vec<const T>>
class row_sums {
    static constexpr bool gathers_many = requires(const X& x, const column_t (&j)[4], T (&to)[4])
    {
        x.get_all(j, to);
    };

public:
    using value = typename Terms::value;
    using number = std::uint32_t;  ///< of a row; may be beyond the last row
    /// Terms of at most two words are stored in shared memory; larger ones are computed where they
    /// are used.
    static constexpr bool staged = sizeof(value) <= sizeof(dd_real);
    static constexpr int bytes_of_warp = staged ? tuning::staged_bytes_of_warp : 0;
    static constexpr int blocks = tuning::blocks_of_rows(staged, words_of<V>);

    DDLA_HD row_sums(const Terms& terms, const csr<V>& a, const X& x) : terms_(terms), a_(a), x_(x)
    {
    }

    /// Row i of A x, one row a thread, consecutive rows in a warp.  The whole warp calls this; rows
    /// beyond the last are empty.  `fetch` loads what else the caller needs while the warp waits
    /// for its entries.
    template <class Fetch>
    __device__ value operator()(number i, const Fetch& fetch) const
    {
        range mine;
        const auto n = static_cast<number>(a_.rows);
        mine.begin = load_constant(a_.row_begin, i < n ? i : n);
        mine.length = i < n ? load_constant(a_.row_begin, i + 1) - mine.begin : 0;
        return of_ranges(mine, fetch, [&](int first) {
            return load_from_others(long_sums +
                                    number_among_long_rows(__shfl_sync(whole_warp, i, first)));
        });
    }

    /// The entries of a row.
    struct range {
        index_t begin, length;
    };

    /// The sums of the rows of a warp, whose entries are contiguous.  long_sum(l) is the sum of the
    /// row of lane l, called if `long_sums` is set and that row is longer than a tile.
    template <class Fetch, class LongSum>
    __device__ value of_ranges(const range& mine, const Fetch& fetch, const LongSum& long_sum) const
    {
        if constexpr (staged && !gathers_many)
            if (__all_sync(whole_warp, mine.length <= leaf)) return by_threads(mine, fetch);
        value ax = Terms::none();
#pragma unroll 1
        for (int first = 0; first < warp_size;) {
            const index_t from = from_lane(mine.begin, first);
            const int count = rows_that_fit(mine.begin, mine.length, from, first, capacity);
            if (count > 0) {
                together(mine, first, count, from, ax);
                first += count;
            } else {
                if constexpr (!gathers_many) {
                    const index_t length = from_lane(mine.length, first);
                    const value sum =
                        long_sums && length > tile_size ? long_sum(first) : alone(from, length);
                    if (lane() == first) ax = sum;
                }
                ++first;
            }
        }
        fetch();
        return ax;
    }

    /// The sum of tile t of row i, by a warp; all threads receive it.
    __device__ value tile_of_row(index_t i, index_t t) const
    {
        const index_t begin = load_constant(a_.row_begin, i) + t * tile_size;
        return tile(begin, load_constant(a_.row_begin, i + 1) - begin);
    }

    /// The sums of the long rows, in the order of their list; null where there is no list.
    const value* long_sums = nullptr;
    /// Those for the next product are so far behind.
    index_t long_sums_apart = 0;

    /// For several products: see sums_for().
    __device__ __forceinline__ const X& x() const
    {
        return x_;
    }
    __device__ __forceinline__ void take(const X& x, int product)
    {
        x_ = x;
        if (long_sums) long_sums += product * long_sums_apart;
    }

private:
    static constexpr int capacity = bytes_of_warp / static_cast<int>(sizeof(value));
    static constexpr int leaf = 8;

    __device__ static int lane()
    {
        return threadIdx.x % warp_size;
    }

    /// Word w of term e of this warp.
    __device__ static __forceinline__ word& slot(int w, int e)
    {
        constexpr int words = staged ? value_words<value> : 1, size = staged ? capacity : 1;
        __shared__ word memory[warps_per_block][words][size];
        return memory[threadIdx.x / warp_size][w][e];
    }

    /// Computes the terms of `count` entries from `from` on, as terms 0 ... count-1 of the warp.
    __device__ __forceinline__ void stage(index_t from, int count) const
    {
        if constexpr (staged) {
            constexpr int in_flight = gathers_many ? tuning::polls_of_rows : tuning::loads_of_rows;
            __syncwarp();
#pragma unroll 1
            for (int e = lane(); e < count; e += in_flight * warp_size) {
                column_t column[in_flight];
                V a[in_flight];
                T x[in_flight];
#pragma unroll
                for (int r = 0; r < in_flight; ++r) {
                    const int mine = e + r * warp_size;
                    const index_t k = from + (mine < count ? mine : count - 1);
                    column[r] = __ldg(a_.column + k);
                    a[r] = load_constant(a_.value, k);
                }
                if constexpr (gathers_many) {
                    x_.get_all(column, x);
                } else {
#pragma unroll
                    for (int r = 0; r < in_flight; ++r) x[r] = x_.get(column[r]);
                }
#pragma unroll
                for (int r = 0; r < in_flight; ++r)
                    if (e + r * warp_size < count)
                        by_words(terms_(x[r], a[r]),
                                 [&](word w, int k) { return slot(k, e + r * warp_size) = w; });
            }
            __syncwarp();
        }
    }

    __device__ __forceinline__ value term(index_t from, int e) const
    {
        if constexpr (staged)
            return by_words(value{}, [&](word, int k) { return slot(k, e); });
        else
            return product(from, e);
    }

    __device__ __forceinline__ value product(index_t from, int e) const
    {
        return terms_(x_.get(__ldg(a_.column + from + e)), load_constant(a_.value, from + e));
    }

    /// Rows of at most 8 entries, each by its thread, with all loads of entries in flight together.
    template <class Fetch>
    __device__ __forceinline__ value by_threads(const range& mine, const Fetch& fetch) const
    {
        column_t column[leaf];
        V a[leaf];
#pragma unroll
        for (int r = 0; r < leaf; ++r) {
            column[r] = 0;
            a[r] = V(0);
            if (r < mine.length) {
                column[r] = __ldg(a_.column + mine.begin + r);
                a[r] = load_constant(a_.value, mine.begin + r);
            }
        }
        return sum_short_row<leaf, 2>(
            terms_, x_, static_cast<int>(mine.length), [&](int r) { return column[r]; },
            [&](int r) { return a[r]; }, fetch);
    }

    /// The sums of `count` rows from `first` on, whose entries begin at `from`: each to the lane of
    /// its row.
    __device__ __forceinline__ void together(const range& mine, int first, int count, index_t from,
                                             value& ax) const
    {
        const int last = first + count - 1;
        const index_t end = from_lane(mine.begin + mine.length, last);
        stage(from, static_cast<int>(end - from));
        const int log2_lanes = 5 - bits_for(count), lanes = 1 << log2_lanes;
        const int row = first + (lane() >> log2_lanes), l = lane() & (lanes - 1);
        const int begin = static_cast<int>(from_lane(mine.begin - from, row));
        const int its_length = static_cast<int>(from_lane(mine.length, row));
        const int n = row <= last ? its_length : 0;
        const value sum = fold_lanes(
            by_thread(from, begin + l, lanes, (n - l + lanes - 1) >> log2_lanes), l, lanes, n);
        const value here = from_lane(sum, (lane() - first) << log2_lanes & (warp_size - 1));
        if (lane() >= first && lane() <= last) ax = here;
    }

    /// The terms begin, begin + stride, ..., n <= 32 of them, by one thread.
    __device__ __forceinline__ value by_thread(index_t from, int begin, int stride, int n) const
    {
        if (n <= 0) return Terms::none();
        return sum_terms<value>(n, [&](int k) { return term(from, begin + k * stride); });
    }

    /// The sum of a row of any length, by the whole warp; tiles in the order of the tree's leaves.
    /// All threads receive it.
    __device__ value alone(index_t begin, index_t n) const
    {
        const auto m = static_cast<unsigned>(tiles(n));
        if (m == 1) return tile(begin, n);
        const int depth = depth_of(m);
        partial_sums_of_warp<value> partial{Terms::none()};
        value sum = Terms::none();
#pragma unroll 1
        for (unsigned c = 0; c < 1u << depth; ++c) {
            const unsigned t = leaf_number(c, m);
            sum = Terms::none();
            if (t < m) sum = tile(begin + index_t(t) * tile_size, n - index_t(t) * tile_size);
            carry(partial, static_cast<int>(c), sum,
                  [&](int k) { return leaf_number(static_cast<unsigned>(k), m) < m; });
        }
        return sum;
    }

    /// The fold of the first 256 of n > 0 terms.  A thread loads four terms, then the other four.
    /// All threads receive the sum.
    __device__ value tile(index_t begin, index_t n) const
    {
        const int count = static_cast<int>(n < tile_size ? n : tile_size);
        value half[2];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int first = lane() + h * warp_size;
            half[h] = Terms::none();
            if (first < count)
                half[h] = fold_in_thread<leaf / 2>(
                    [&](int r) { return product(begin, first + 2 * r * warp_size); },
                    [=](int r) { return first + 2 * r * warp_size < count; });
            __syncwarp();
        }
        const value sum = lane() + warp_size < count ? half[0] + half[1] : half[0];
        return from_lane(fold_lanes(sum, lane(), warp_size, count), 0);
    }

    __device__ index_t number_among_long_rows(number i) const
    {
        return number_of_last_not_above(a_.long_rows.row, a_.long_rows.count, i);
    }

    __device__ static unsigned groups(unsigned m)
    {
        return (m + tile_size - 1) / tile_size;
    }

    /// Levels of the tree over m tiles: 8 for each full level of the rule, fewer for the last.
    __device__ static int depth_of(unsigned m)
    {
        int depth = 0;
        for (; m > tile_size; m = groups(m)) depth += 8;
        return depth + bits_for(m);
    }

    /// The number of leaf c: the reversal of c within each level of the rule.
    __device__ static unsigned leaf_number(unsigned c, unsigned m)
    {
        unsigned t = 0;
        int shift = 0;
        for (; m > tile_size; m = groups(m), shift += 8)
            t |= (__brev(c >> shift & 255) >> 24) << shift;
        if (const int bits = bits_for(m); bits > 0)
            t |= (__brev(c >> shift) >> (32 - bits)) << shift;
        return t;
    }

    Terms terms_;
    csr<V> a_;
    X x_;
};
template <class Terms, class V, class T>
row_sums(const Terms&, const csr<V>&, const vec<const T>&) -> row_sums<Terms, T, V>;

}  // namespace ddla::device_backend
