// Kernels for y = A x of compressed rows and of slices, and for the tiles of long rows.
#pragma once

#include "column_pairs.cuh"
#include "formats/slices/shares.hpp"
#include "long_rows.cuh"
#include "slices.cuh"
#include "strided_rows.cuh"

namespace ddla::device_backend {

/// The sums of tiles of long rows that are stored as slices, a warp per slice: part[t] is that of
/// tile t, of the next product part[apart + t].  Slices are sorted by first column, so that warps
/// which run at the same time gather from the same part of x.
template <class Products, class Sums>
__global__ void __launch_bounds__(Sums::threads, Sums::blocks_of_tiles)
    sum_long_slices(const __grid_constant__ Products products, const Sums all,
                    typename Sums::value* part, index_t apart, const steps::end_of_solve* end)
{
    const bool first = is_in_first_wave<Sums::blocks_of_tiles>();
    if (!first) wait_and_trigger_dependents();
    const auto [block, product] = block_of(products, blockIdx.x);
    const auto& sums = sums_for(products, all, product);
    const index_t k = block * Sums::kernel::warps + threadIdx.x / warp_size;
    const bool there = k < sums.list().of_long;
    slice s{};
    if (there) {
        s = load_slice(sums.list().slices + k);
        sums.begin(s);
    }
    if (first) wait_and_trigger_dependents();
    if (!there || is_over(end)) return wait_for_copies();
    const auto sum = sums(s).sum;
    if (threadIdx.x % warp_size == 0) part[product * apart + s.first] = sum;
}

/// Which slices a warp takes: consecutive ones, or interleaved with the other warps of its block.
struct share_of_slices {
    formats::slice_distribution distribution;
    /// Interleaved: the warps of a block have adjacent slices at the same time.  Where rows are
    /// sorted, these read and write the same cache lines.
    bool by_turns;
    /// If not null: nothing is written once that solve has ended.
    const steps::end_of_solve* end;
};

/// Copies the descriptors of the slices of a warp to `to`, followed by one with rows = 0.
template <int Warps, class V>
__device__ __forceinline__ void take_slices(slice* to, const formats::slice_list<V>& from,
                                            const share_of_slices& share, index_t block, int warp)
{
    static_assert(sizeof(slice) == 2 * sizeof(int4));
    const int lane = threadIdx.x % warp_size;
    const formats::block_of_slices part = share.distribution.slices_of(block, Warps);
    const int apart = share.by_turns ? Warps : 1;
    const index_t first = part.first + (share.by_turns ? warp : warp * part.each);
    const index_t mine = first + lane / 2 * apart;
    const bool there = lane / 2 < part.each && mine < part.end;
    if (there)
        copy_16_async(reinterpret_cast<int4*>(to) + lane,
                      reinterpret_cast<const int4*>(from.slices + from.of_long + mine) + lane % 2);
    const int n = __popc(__ballot_sync(whole_warp, there)) / 2;
    if (lane == 0) to[n].rows = 0;
    wait_for_copies();
    __syncwarp();
}

/// Multiplies the slices of a warp of block `block`.  The first leaf of each slice is prefetched.
/// In the first wave (AtOnce blocks per SM) a warp prefetches that of its first slice before it
/// waits for the preceding kernel, which may still write x.  A is complete: set_format() waits for
/// the conversion.
template <int AtOnce, class Step, class Sums, class Wait>
__device__ __forceinline__ void multiply_share(const Step& step, const Sums& sums,
                                               const share_of_slices& share, index_t block,
                                               const Wait& wait)
{
    constexpr int warps = Sums::kernel::warps;
    __shared__ slice slices[warps][formats::slice_distribution::most_each + 1];
    const int warp = threadIdx.x / warp_size;
    const slice* s = slices[warp];
    const bool first = is_in_first_wave<AtOnce>();
    if (!first) wait();
    take_slices<warps>(slices[warp], sums.list(), share, block, warp);
    if (s->rows > 0) sums.begin(*s);
    if (first) wait();
    const bool over = is_over(share.end);
#pragma unroll 1
    for (; s->rows > 0; ++s) {
        const auto row = sums(*s);
        if (over) return;
        if (s[1].rows > 0) sums.begin(s[1]);
        if (row.here) row_writer(step)(row.row, row.sum);
    }
}

template <class Products, class Sums>
__global__ void __launch_bounds__(Sums::threads, Sums::blocks)
    multiply_slices(const __grid_constant__ Products products, const Sums sums,
                    const share_of_slices share)
{
    const auto [block, product] = block_of(products, blockIdx.x);
    multiply_share<Sums::blocks>(step_of(products, product), sums_for(products, sums, product),
                                 share, block, [] { wait_and_trigger_dependents(); });
}

/// Compressed rows, 32 consecutive ones a warp: see rows.cuh.
template <class Products, class Rows>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    multiply_rows(const __grid_constant__ Products products, const Rows all,
                  typename Rows::number n, int tiles_per_block, const steps::end_of_solve* end)
{
    using number = typename Rows::number;
    const auto [block, product] = block_of(products, block_after_wait());
    const auto first = static_cast<number>(block) * tiles_per_block * tile_size;
    if (is_over(end)) return;
    const auto& step = step_of(products, product);
    const auto& rows = sums_for(products, all, product);
    const row_writer write(step);
    for (int t = 0; t < tiles_per_block && first + t * tile_size < n; ++t) {
        const auto i = static_cast<number>(first + t * tile_size + threadIdx.x);
        const auto ax = rows(i, [] {});
        if (i < n) write(i, ax);
    }
}

/// Compressed rows, 2^log2_lanes threads each.  (CSR-scalar and CSR-vector of Bell and Garland,
/// SC 2009; without an outer loop over rows, as Mukunoki and Takahashi, 2013.)
template <class Terms, class X, class V, int Levels = 5>
class csr_vector_sums {
public:
    using value = typename Terms::value;
    static constexpr int blocks = tuning::blocks_of_groups(words_of<V>, is_pair<value>);

    csr_vector_sums(const Terms& terms, const csr<V>& a, const X& x, int log2_lanes)
        : terms_(terms), a_(a), x_(x), log2_lanes_(log2_lanes)
    {
    }
    __device__ index_t rows() const { return a_.rows; }
    __device__ int log2_lanes() const { return log2_lanes_; }
    /// For several products: see sums_for().
    __device__ __forceinline__ const X& x() const { return x_; }
    __device__ __forceinline__ void take(const X& x, int) { x_ = x; }

    struct row_sum {
        value sum;
        bool here;
    };
    /// The sum of row i, by its threads; the whole warp calls this.
    __device__ __forceinline__ row_sum operator()(index_t i) const
    {
        const int lanes = 1 << log2_lanes_, l = threadIdx.x & (lanes - 1);
        const index_t n_rows = a_.rows, row = i < n_rows ? i : n_rows;
        const index_t begin = load_constant(a_.row_begin, row);
        const index_t length = i < n_rows ? load_constant(a_.row_begin, row + 1) - begin : 0;
        const int n = length > tile_size ? 0 : static_cast<int>(length);
        const int slots = (n + lanes - 1) >> log2_lanes_;
        const int depth = largest_of_warp(levels_above_leaves(slots));
        const value own = sum_strided<Levels, V>(
            terms_, x_, (n - l + lanes - 1) >> log2_lanes_, depth,
            [&](int first, int d, int count, column_t(&column)[leaf_size], V(&a)[leaf_size]) {
#pragma unroll
                for (int r = 0; r < leaf_size; ++r) {
                    column[r] = 0;
                    a[r] = V(0);
                    if (r < count) {
                        const index_t k = begin + ((first + (r << d)) << log2_lanes_) + l;
                        column[r] = __ldg(a_.column + k);
                        a[r] = load_constant(a_.value, k);
                    }
                }
            });
        return {fold_lanes(own, l, lanes, n), l == 0 && i < n_rows && length <= tile_size};
    }

private:
    Terms terms_;
    csr<V> a_;
    X x_;
    int log2_lanes_;
};

template <class Products, class Sums>
__global__ void __launch_bounds__(block_size, Sums::blocks)
    multiply_csr_vector(const __grid_constant__ Products products, const Sums all,
                        const steps::end_of_solve* end)
{
    const auto [block, product] = block_of(products, block_after_wait());
    if (is_over(end)) return;
    const auto& step = step_of(products, product);
    const auto& sums = sums_for(products, all, product);
    const index_t i = (block * block_size + threadIdx.x) >> sums.log2_lanes();
    const row_writer write(step);
    const auto row = sums(i);
    if (row.here) write(i, row.sum);
}

}  // namespace ddla::device_backend
