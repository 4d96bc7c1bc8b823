// One kernel a step over the rows of a matrix in slices: as sweep.cuh, a block a tile.
#pragma once

#include "slices.cuh"
#include "sweep.cuh"

namespace ddla::device_backend {

/// The sums of the rows of a tile, from its slices, each to its thread of the block.
template <class Sums>
__device__ __forceinline__ typename Sums::value sums_of_tile(const Sums& sums, index_t tile,
                                                             word (*words)[block_size])
{
    using value = typename Sums::value;
    const auto& all = sums.list();
    const index_t end = all.tiles_of_long + __ldg(all.of_tile + tile + 1);
    index_t k = all.tiles_of_long + __ldg(all.of_tile + tile) + threadIdx.x / warp_size;
#pragma unroll 1
    for (; k < end; k += warps_per_block) {
        const slice s = load_slice(all.of + k);
        const auto row = sums(s);
        const auto at = static_cast<int>(row.row % tile_size);
        if (row.here) by_words(row.sum, [&](word w, int part) { return words[part][at] = w; });
    }
    __syncthreads();
    return by_words(value{}, [&](word, int part) { return words[part][threadIdx.x]; });
}

/// Rows that are longer than a tile are not in slices: their sums are there already.
template <class Value>
__device__ __forceinline__ Value or_long_sum(const Value& sum, const long_row_list& list,
                                             const Value* long_sums, index_t i)
{
    if (list.count == 0) return sum;
    const index_t k = number_of_last_not_above(list.row, list.count, i);
    return __ldg(list.row + k) == i ? load_from_others(long_sums + k) : sum;
}

template <class Step, class Sums>
__global__ void __launch_bounds__(block_size, Sums::blocks * 3 / 4)
    sweep_slices(const Step step, const Sums sums, index_t n, const long_row_list list,
                 const typename Sums::value* long_sums, ladder<sum_of<Step>> up)
{
    using sum = sum_of<Step>;
    constexpr bool adds = !std::is_void_v<typename Step::sum>;
    const index_t block = block_after_work_before(), i = block * tile_size + threadIdx.x;
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    decltype(step.own(i, q)) own{};
    if (i < n) own = step.own(i, q);
    // A thread leaves its own term where it has read its own row: nobody else looks there
    // meanwhile.
    constexpr int of_row = value_words<typename Sums::value>;
    constexpr int of_term = adds ? value_words<sum> : 0;
    __shared__ word memory[of_row > of_term ? of_row : of_term][block_size];
    const auto ax = sums_of_tile(sums, block, memory);
    sum term{};
    if (i < n) {
        const auto all = or_long_sum(ax, list, long_sums, i);
        if constexpr (adds)
            term = step(i, all, own, q);
        else
            step(i, all, own, q);
    }
    if constexpr (adds) {
        auto& terms = reinterpret_cast<terms_of_block<sum>&>(memory);
        terms.put(term);
        __syncthreads();
        sum total{};
        if (threadIdx.x < warp_size) total = terms.fold(terms_in(n, block));
        if (threadIdx.x == 0 && n > tile_size) up.part[block] = total;
        if (climb(up, terms, n, block, 1, total)) steps::finish(step, total);
    }
}

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

}  // namespace ddla::device_backend
