// A times a vector where no row has more than one entry: diagonal matrices, permutations.
//
// Slices of one slot are so little work that a warp which takes them one by one waits most of the
// time: here it has three of them on their way at once.  So nothing branches before all is loaded:
// what a slice lacks is read from the beginning of the codes, and not taken.
#pragma once

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

template <bool Repeats, class Step, class Terms, class X, class V>
__global__ void __launch_bounds__(block_size, 4)
    multiply_single_entries(const Step step, const Terms terms, const formats::slice_list<V> a,
                            const X x, const steps::end_of_solve* end)
{
    constexpr int each = single_slices_of_warp;
    const index_t first =
        (block_after_work_before() * warps_per_block + threadIdx.x / warp_size) * each;
    const int lane = threadIdx.x % warp_size;
    if (first >= a.count || is_over(end)) return;
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
    const auto q = steps::scalars_of(step);
#pragma unroll
    for (int k = 0; k < each; ++k) {
        if (first + k >= a.count || !mine[k].has_row) continue;
        const auto sum = mine[k].has_entry ? terms(number[k], mine[k].value) : Terms::none();
        step(mine[k].row, sum, step.own(mine[k].row, q), q);
    }
}

}  // namespace ddla::device_backend
