// Sums of a basis (steps/basis.hpp): a kernel for the sums of tiles, and one for each level above.
//
// A block takes one tile of w and eight vectors: it reads its part of w once, and each of its warps
// folds the terms of one vector.  Blocks for vectors that are not there yet return at once: so the
// launches are the same for every count, and can be recorded.
#pragma once

#include "device/core/fold.cuh"
#include "device/core/launch.cuh"
#include "device/core/launcher.cuh"
#include "steps/basis.hpp"

namespace ddla::device_backend {

/// part[k m + t]: the sum of tile t with vector k, m = tiles(n); `groups` blocks a tile.
template <class Step, class T>
__global__ void __launch_bounds__(block_size)
    sum_tiles_of_basis(const Step step, index_t n, int groups, T* part)
{
    constexpr int at_once = steps::sums_at_once;
    static_assert(at_once == warps_per_block);
    __shared__ word terms[at_once][value_words<T>][block_size];
    const index_t block = block_after_wait();
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    const index_t count = Step::count(q), first = block % groups * at_once;
    if (first >= count) return;
    const int here = static_cast<int>(count - first < at_once ? count - first : at_once);
    const index_t tile = block / groups, i = tile * tile_size + threadIdx.x;
    if (i < n) {
        const T w = steps::times_power_of_two(step.with.get(i), step.power);
#pragma unroll
        for (int k = 0; k < at_once; ++k)
            if (k < here)
                by_words(step.basis.vector(first + k).get(i) * w,
                         [&](word x, int j) { return terms[k][j][threadIdx.x] = x; });
    }
    __syncthreads();
    const int warp = threadIdx.x / warp_size;
    if (warp >= here) return;
    const T sum = fold_words<T>(terms_in(n, tile), terms[warp][0]);
    if (threadIdx.x % warp_size == 0) part[(first + warp) * tiles(n) + tile] = sum;
}

/// to[k tiles(m) + g]: the sum of part[k m + i] over group g of 256, by a warp.
template <class Step, class T>
__global__ void __launch_bounds__(block_size)
    fold_sums_of_basis(const Step step, index_t m, const T* part, T* to)
{
    const index_t block = block_after_wait();
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    const int lane = threadIdx.x % warp_size;
    const index_t number = block * warps_per_block + threadIdx.x / warp_size;
    const index_t groups = tiles(m), k = number / groups, group = number % groups;
    if (k >= Step::count(q)) return;
    const T* const from = part + k * m + group * tile_size + lane;
    const T sum = fold_tile<T>(terms_in(m, group),
                               [&](int r) { return load_from_others(from + r * warp_size); });
    if (lane == 0) to[k * groups + group] = sum;
}

/// The sums of tiles alone.
template <steps::basis_sums Step>
void launch_tile_sums_of_basis(launcher& to, const Step& step, index_t n,
                               typename Step::scalar* of_tile)
{
    if (n == 0) return;
    const auto groups =
        static_cast<int>((step.basis.count + steps::sums_at_once - 1) / steps::sums_at_once);
    to.start(sum_tiles_of_basis<Step, typename Step::scalar>,
             static_cast<unsigned>(tiles(n) * groups), step, n, groups, of_tile);
}

template <steps::basis_sums Step>
void launch_sums_of_basis(launcher& to, const Step& step, index_t n)
{
    using T = typename Step::scalar;
    if (n == 0) return;
    const index_t most = step.basis.count;
    index_t sums = 0;
    for (index_t m = tiles(n); m > 1; m = tiles(m)) sums += m;
    auto& memory = to.memory().of_tiles;
    memory.reserve(static_cast<std::size_t>(most * sums) * sizeof(T), 0);
    index_t m = tiles(n);
    T* part = m > 1 ? static_cast<T*>(memory.sums) : step.results;
    launch_tile_sums_of_basis(to, step, n, part);
    for (; m > 1; m = tiles(m)) {
        T* const next = tiles(m) > 1 ? part + most * m : step.results;
        to.start(fold_sums_of_basis<Step, T>, launcher::blocks(most * tiles(m), warps_per_block),
                 step, m, part, next);
        part = next;
    }
}

}  // namespace ddla::device_backend
