// A times a vector where no row has more than one entry: diagonal matrices, permutations.
//
// Slices of one slot are so little work that a warp which takes them one by one waits most of the
// time: here it has three of them on their way at once.  So nothing branches before all is loaded:
// what a slice lacks is read from the beginning of the codes, and not taken.
#pragma once

#include "product_sums.cuh"
#include "slices.cuh"

namespace ddla::device_backend {

/// Of the numbers of 0, 1, 2 or 4 bytes each that begin there, that of a lane; 0 of no bytes.
__device__ __forceinline__ std::uint32_t number_of_lane(const std::uint8_t* from, int bytes,
                                                        int lane)
{
    const int at = lane * bytes;
    const std::uint32_t word = __ldg(reinterpret_cast<const std::uint32_t*>(from + at / 4 * 4));
    return bytes == 4 ? word : word >> at % 4 * 8 & ((1u << bytes * 8) - 1);
}

/// What a slice has for a lane.
template <class V>
struct lane_of_slice {
    bool has_row;
    bool has_entry;
    std::uint32_t row;
    column_t column;
    V value;
};

template <bool Repeats, class V>
__device__ __forceinline__ lane_of_slice<V> entry_of_lane(const formats::slice_list<V>& a,
                                                          const slice& s, int lane)
{
    const auto part = [&](bool there, index_t at) { return a.code + (there ? at : 0); };
    const std::uint32_t row = number_of_lane(part(s.row_bytes > 0, s.begin), s.row_bytes, lane);
    const std::uint32_t length =
        number_of_lane(part(!s.full, s.lengths_at()), s.full ? 0 : 2, lane);
    constexpr int bytes_of_value = Repeats ? 1 : sizeof(V);
    const bool stored = s.width > 0;
    const std::uint8_t* const value = part(stored, s.leaves_at());
    const std::uint8_t* const code =
        value + (stored ? formats::lanes_of_slice * bytes_of_value : 0);
    const int bytes = stored ? s.column_bytes : 0;
    const std::uint32_t offset = number_of_lane(code, bytes, lane);
    const column_t base = __ldg(reinterpret_cast<const column_t*>(
        bytes < 4 && stored ? code + formats::lanes_of_slice * bytes : a.code));

    lane_of_slice<V> l;
    // Without any entry, a slice may have fewer rows than lanes although it is full.
    l.has_row = lane < s.rows && (s.full || length != formats::left_out);
    l.has_entry = stored && (s.full || length == 1);
    l.row = s.row_bytes == 4 ? row : s.first + (s.row_bytes == 0 ? std::uint32_t(lane) : row);
    l.column = bytes == 4   ? static_cast<column_t>(offset)
               : bytes == 0 ? base + lane
                            : base + static_cast<column_t>(offset);
    const auto* const words = reinterpret_cast<const double*>(value);
    if constexpr (Repeats)
        l.value = load_constant(a.distinct, stored ? __ldg(value + lane) : 0);
    else if constexpr (words_of<V> == 2)
        l.value = {__ldg(words + (stored ? lane : 0)),
                   __ldg(words + (stored ? formats::lanes_of_slice + lane : 0))};
    else
        l.value = __ldg(words + (stored ? lane : 0));
    return l;
}

/// More, or more blocks on a multiprocessor, would need more registers than there are.
inline constexpr int single_slices_of_warp = 3;

/// The slices of a warp from `first` on, which is there; finish(row, sum) for each row.
template <bool Repeats, class Terms, class X, class V, class Finish>
__device__ __forceinline__ void take_single_entries(const Terms& terms,
                                                    const formats::slice_list<V>& a, const X& x,
                                                    index_t first, const Finish& finish)
{
    constexpr int each = single_slices_of_warp;
    const int lane = threadIdx.x % warp_size;
    slice s[each];
#pragma unroll
    for (int k = 0; k < each; ++k)
        s[k] = load_slice(a.of + (first + k < a.count ? first + k : first));
    lane_of_slice<V> mine[each];
#pragma unroll
    for (int k = 0; k < each; ++k) mine[k] = entry_of_lane<Repeats>(a, s[k], lane);
    decltype(x.get(0)) number[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
        number[k] = 0.0;
        if (mine[k].has_entry) number[k] = x.get(mine[k].column);
    }
#pragma unroll
    for (int k = 0; k < each; ++k) {
        if (first + k >= a.count || !mine[k].has_row) continue;
        finish(mine[k].row, mine[k].has_entry ? terms(number[k], mine[k].value) : Terms::none());
    }
}

/// The first slice of a warp.
__device__ __forceinline__ index_t first_single_slice(index_t block)
{
    return (block * warps_per_block + threadIdx.x / warp_size) * single_slices_of_warp;
}

template <bool Repeats, class Step, class Terms, class X, class V>
__global__ void __launch_bounds__(block_size, 4)
    multiply_single_entries(const Step step, const Terms terms, const formats::slice_list<V> a,
                            const X x, const steps::end_of_solve* end)
{
    const index_t first = first_single_slice(block_after_wait());
    if (first >= a.count || is_over(end)) return;
    take_single_entries<Repeats>(terms, a, x, first,
                                 [&](index_t row, const auto& sum) { write_row(step, row, sum); });
}

/// With the sums of tiles, of which a block has three.
template <bool Repeats, class T, class Terms, class X, class V>
__global__ void __launch_bounds__(block_size, 4)
    multiply_single_entries_and_sum(const product_with_sums<T> product, const Terms terms,
                                    const formats::slice_list<V> a, const X x,
                                    const steps::end_of_solve* end)
{
    constexpr int rows = warps_per_block * single_slices_of_warp * formats::lanes_of_slice;
    static_assert(rows % tile_size == 0);
    __shared__ tiles_of_block<T, rows / tile_size> kept;
    const index_t block = block_after_wait(), first = first_single_slice(block);
    if (is_over(end)) return;
    if (first < a.count)
        take_single_entries<Repeats>(terms, a, x, first, [&](index_t row, const T& sum) {
            write_row(product, row, static_cast<int>(row - block * rows), sum, kept);
        });
    sum_tiles<warps_per_block>(product, block, rows / tile_size, kept);
}

}  // namespace ddla::device_backend
