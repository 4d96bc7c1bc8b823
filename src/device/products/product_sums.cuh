// Products that also compute the sums of the solver step that they belong to.
//
// A separate sweep for the sums reads v = A x again.  A block that multiplies whole tiles of rows
// still has v, so it sums the tiles; what remains is to sum these (steps::summed_by_tiles).
#pragma once

#include "device/core/fold.cuh"
#include "steps/blas.hpp"

namespace ddla::device_backend {

/// The product v = power * A x, and where the sums of its tiles go.
template <class T>
struct product_with_sums {
    vec<const T> operand;
    vec<T> product_vector;
    double power;
    vec<const T> beside;
    T* of_tile;  ///< `count` sums a tile: (beside, v) and, if there are two, (v, v)
    int count;
};

/// v of up to `Most` tiles of a block, in shared memory, for its sums.
template <class T, int Most>
class tiles_of_block {
public:
    __device__ __forceinline__ void put(int row, const T& v)
    {
        by_words(v, [&](word w, int k) { return words_[k][row] = w; });
    }
    __device__ __forceinline__ T get(int row) const
    {
        return by_words(T(0), [&](word, int k) { return words_[k][row]; });
    }

private:
    word words_[value_words<T>][Most * tile_size];
};

/// Writes row `row` of a product; `here` is its index in the block.
template <class T, int Most>
__device__ __forceinline__ void write_row(const product_with_sums<T>& product, index_t row,
                                          int here, const T& ax, tiles_of_block<T, Most>& kept)
{
    const T v = steps::times_power_of_two(ax, product.power);
    product.product_vector.set(row, v);
    kept.put(here, v);
}
/// The same without sums.
template <class Step, class T>
__device__ __forceinline__ void write_row(const Step& step, index_t row, const T& ax)
{
    const auto q = steps::scalars_of(step);
    steps::at_row(step, row, ax, q);
}

/// Sum `Part` of tile `tile`, by a warp; `here` is the tile's index in the block.
template <int Part, class T, int Most>
__device__ __forceinline__ void sum_tile(const product_with_sums<T>& product, index_t tile,
                                         int here, const tiles_of_block<T, Most>& kept)
{
    constexpr int each = tile_size / warp_size;
    const int lane = threadIdx.x % warp_size, count = terms_in(product.product_vector.size, tile);
    [[maybe_unused]] T beside[each];
    if constexpr (Part == 0) {
#pragma unroll
        for (int r = 0; r < each; ++r) {
            const int i = lane + r * warp_size;
            beside[r] = T(0);
            if (i < count) beside[r] = product.beside.get(tile * tile_size + i);
        }
    }
    const T sum = fold_tile<T>(count, [&](int r) {
        const T v = kept.get(here * tile_size + lane + r * warp_size);
        if constexpr (Part == 0)
            return steps::dots_of_product<1>(v, beside[r]).value[0];
        else
            return steps::dots_of_product<Part + 1>(v, v).value[Part];
    });
    if (lane == 0) product.of_tile[tile * product.count + Part] = sum;
}

/// The sums of the tiles of a block: `tiles_each`, or fewer at the end.  All threads of its `Warps`
/// warps call this.
template <int Warps, class T, int Most>
__device__ __forceinline__ void sum_tiles(const product_with_sums<T>& product, index_t block,
                                          int tiles_each, const tiles_of_block<T, Most>& kept)
{
    __syncthreads();
    const index_t first = block * tiles_each, left = tiles(product.product_vector.size) - first;
    const int count = left < tiles_each ? static_cast<int>(left) : tiles_each;
#pragma unroll 1
    for (int job = threadIdx.x / warp_size; job < count * product.count; job += Warps) {
        const int here = job < count ? job : job - count;
        if (job < count)
            sum_tile<0>(product, first + here, here, kept);
        else
            sum_tile<1>(product, first + here, here, kept);
    }
}

}  // namespace ddla::device_backend
