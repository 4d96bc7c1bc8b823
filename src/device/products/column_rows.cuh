// Products of compressed rows with up to eight vectors: A is read once for all of them.
//
// A warp has 32 rows.  It loads entries into registers, then takes one vector after the other: each
// lane multiplies the entries that it has, and the terms are added as for one vector (rows.cuh), so
// that each sum has the same bits.
#pragma once

#include "long_rows.cuh"
#include "steps/blas.hpp"

#include <cstddef>
#include <span>

namespace ddla::device_backend {

inline constexpr int most_columns = 8;

/// Two to eight products with one A.
template <class T>
struct column_products {
    steps::spmv<T> of[most_columns];
    int count;

    explicit column_products(std::span<const steps::spmv<T>> all)
        : of{all[0], all[0], all[0], all[0], all[0], all[0], all[0], all[0]},
          count(static_cast<int>(all.size()))
    {
        for (std::size_t j = 1; j < all.size(); ++j) of[j] = all[j];
    }
};

template <class T, class V>
class column_row_sums {
public:
    __device__ column_row_sums(const column_products<T>& all, const csr<V>& a) : all_(all), a_(a) {}

    /// Row i of all products, one row a thread, consecutive rows in a warp.  The whole warp calls
    /// this; rows beyond the last are left out, and so are rows longer than a tile.
    __device__ __forceinline__ void multiply(index_t i) const
    {
        const index_t row = i < a_.rows ? i : a_.rows;
        const index_t begin = load_constant(a_.row_begin, row);
        const index_t length = i < a_.rows ? load_constant(a_.row_begin, row + 1) - begin : 0;
        if (__all_sync(whole_warp, length <= each)) return by_threads(i, begin, length);
        for (int first = 0; first < warp_size;) {
            const index_t from = from_lane(begin, first);
            const int count = rows_that_fit(begin, length, from, first, capacity);
            if (count > 0) {
                together(i, begin, length, first, count);
                first += count;
            } else {
                const index_t its_length = from_lane(length, first), its_row = i - lane() + first;
                if (its_length <= tile_size)
                    of_tile(from, static_cast<int>(its_length),
                            [&](int c, const T& sum) { put(c, its_row, sum); });
                ++first;
            }
        }
    }

    /// The sums of the 1 to 256 entries from `begin` on, by a warp: done(c, sum) by some thread for
    /// each vector c.
    template <class Done>
    __device__ __forceinline__ void of_tile(index_t begin, int n, const Done& done) const
    {
        column_t column[each];
        V value[each];
        load(begin + lane(), warp_size, (n - lane() + warp_size - 1) / warp_size, column, value);
        __syncwarp();  // the previous terms have been read
#pragma unroll 1
        for (int c = 0; c < all_.count; ++c) {
            const T sum = sum_of_lane(c, (n - lane() + warp_size - 1) / warp_size, column, value);
            by_words(sum, [&](word w, int k) { return slot(k, c * apart + lane()) = w; });
        }
        __syncwarp();
        // Four lanes fold the sums of the lanes for one vector: 16, then 8, 4, 2, 1 apart.
        constexpr int lanes = warp_size / most_columns, of_lane = warp_size / lanes;
        const int c = lane() / lanes, l = lane() % lanes, terms = n < warp_size ? n : warp_size;
        T sum = steps::products<T>::none();
        if (c < all_.count && l < terms)
            sum = fold_in_thread<of_lane>([&](int r) { return term(c * apart + l + r * lanes); },
                                          [&](int r) { return l + r * lanes < terms; });
        sum = fold_lanes(sum, l, lanes, terms);
        if (c < all_.count && l == 0) done(c, sum);
    }

private:
    static constexpr int each = 8;                     ///< entries of a lane
    static constexpr int capacity = each * warp_size;  ///< entries of a warp
    /// Between the sums of lanes for two vectors: 4 more, for different banks of shared memory.
    static constexpr int apart = warp_size + 4;
    static constexpr int slots = most_columns * apart;
    static_assert(slots >= capacity && capacity >= longest_together);

    __device__ static int lane()
    {
        return threadIdx.x % warp_size;
    }

    /// Word w of term e of this warp.
    __device__ static __forceinline__ word& slot(int w, int e)
    {
        __shared__ word memory[warps_per_block][value_words<T>][slots];
        return memory[threadIdx.x / warp_size][w][e];
    }
    __device__ static __forceinline__ T term(int e)
    {
        return by_words(T(0), [&](word, int k) { return slot(k, e); });
    }
    __device__ __forceinline__ void put(int c, index_t row, const T& sum) const
    {
        const steps::spmv<T>& step = all_.of[c];
        const auto q = steps::scalars_of(step);
        steps::at_row(step, row, sum, q);
    }

    /// Entries first, first + stride, ..., `count` of them.
    __device__ __forceinline__ void load(index_t first, int stride, int count,
                                         column_t (&column)[each], V (&value)[each]) const
    {
#pragma unroll
        for (int r = 0; r < each; ++r) {
            column[r] = 0;
            value[r] = V(0);
            if (r < count) {
                column[r] = __ldg(a_.column + first + r * stride);
                value[r] = load_constant(a_.value, first + r * stride);
            }
        }
    }
    /// The fold of the terms of a lane for vector c.  The whole warp calls this.
    __device__ __forceinline__ T sum_of_lane(int c, int count, const column_t (&column)[each],
                                             const V (&value)[each]) const
    {
        return sum_short_row<each, 2>(
            steps::products<T>{}, all_.of[c].operand, count, [&](int r) { return column[r]; },
            [&](int r) { return value[r]; }, [] {});
    }

    /// Rows of at most 8 entries, each by its thread.
    __device__ __forceinline__ void by_threads(index_t i, index_t begin, index_t length) const
    {
        column_t column[each];
        V value[each];
        load(begin, 1, static_cast<int>(length), column, value);
#pragma unroll 1
        for (int c = 0; c < all_.count; ++c) {
            const T sum = sum_of_lane(c, static_cast<int>(length), column, value);
            if (i < a_.rows) put(c, i, sum);
        }
    }

    /// `count` rows from that of lane `first` on, of at most 32 entries each and 256 together.
    __device__ __forceinline__ void together(index_t i, index_t begin, index_t length, int first,
                                             int count) const
    {
        const int last = first + count - 1;
        const index_t from = from_lane(begin, first);
        const int entries = static_cast<int>(from_lane(begin + length, last) - from);
        column_t column[each];
        V value[each];
        load(from + lane(), warp_size, (entries - lane() + warp_size - 1) / warp_size, column,
             value);
        // Lanes that share a row, which is that of lane `row`.
        const int log2_lanes = 5 - bits_for(static_cast<unsigned>(count)), lanes = 1 << log2_lanes;
        const int row = first + (lane() >> log2_lanes), l = lane() & (lanes - 1);
        const int its_begin = static_cast<int>(from_lane(begin - from, row));
        const int its_length = static_cast<int>(from_lane(length, row));
        const int n = row <= last ? its_length : 0;
        const index_t its_row = i - lane() + row;
#pragma unroll 1
        for (int c = 0; c < all_.count; ++c) {
            stage(c, entries, column, value);
            const T own = sum_terms<T>((n - l + lanes - 1) >> log2_lanes,
                                       [&](int k) { return term(its_begin + l + k * lanes); });
            const T sum = fold_lanes(own, l, lanes, n);
            if (l == 0 && row <= last && its_row < a_.rows) put(c, its_row, sum);
        }
    }
    /// The terms for vector c of the `count` entries that the lanes have.
    __device__ __forceinline__ void stage(int c, int count, const column_t (&column)[each],
                                          const V (&value)[each]) const
    {
        constexpr int in_flight = each / 2;
        const vec<const T> x_of = all_.of[c].operand;
        __syncwarp();  // the previous terms have been read
#pragma unroll
        for (int h = 0; h < each; h += in_flight) {
            T x[in_flight];
#pragma unroll
            for (int r = 0; r < in_flight; ++r) {
                x[r] = T(0);
                if (lane() + (h + r) * warp_size < count) x[r] = x_of.get(column[h + r]);
            }
#pragma unroll
            for (int r = 0; r < in_flight; ++r) {
                const int e = lane() + (h + r) * warp_size;
                if (e < count)
                    by_words(steps::products<T>{}(x[r], value[h + r]),
                             [&](word w, int k) { return slot(k, e) = w; });
            }
        }
        __syncwarp();
    }

    const column_products<T>& all_;
    csr<V> a_;
};

/// Rows up to a tile.
template <class T, class V>
__global__ void __launch_bounds__(block_size, tuning::blocks_of_columns)
    multiply_columns(const __grid_constant__ column_products<T> all, const csr<V> a)
{
    const index_t i = block_after_wait() * block_size + threadIdx.x;
    column_row_sums<T, V>(all, a).multiply(i);
}

/// The sums of tiles of long rows, `each` tiles a warp: part[c * tiles + t] is that of tile t for
/// vector c.
template <class T, class V>
__global__ void __launch_bounds__(block_size, tuning::blocks_of_columns)
    sum_tiles_of_columns(const __grid_constant__ column_products<T> all, const csr<V> a, T* part,
                         int each)
{
    const index_t warp = block_after_wait() * warps_per_block + threadIdx.x / warp_size;
    const long_row_list& list = a.long_rows;
    const index_t behind = (warp + 1) * each < list.tiles ? (warp + 1) * each : list.tiles;
    const column_row_sums<T, V> rows(all, a);
#pragma unroll 1
    for (index_t tile = warp * each; tile < behind; ++tile) {
        const index_t k = number_of_last_not_above(list.first_tile, list.count, tile);
        const index_t row = __ldg(list.row + k), t = tile - __ldg(list.first_tile + k);
        const index_t begin = load_constant(a.row_begin, row) + t * tile_size;
        const index_t left = load_constant(a.row_begin, row + 1) - begin;
        rows.of_tile(begin, static_cast<int>(left < tile_size ? left : tile_size),
                     [&](int c, const T& sum) { part[c * list.tiles + tile] = sum; });
    }
}

}  // namespace ddla::device_backend
